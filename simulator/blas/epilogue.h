// File: epilogue.h
//
// What cublasLt does with a product before it is stored: bias, ReLU, GELU (the tanh form) and
// their derivatives.

#ifndef ANDREA_SIMULATOR_BLAS_EPILOGUE_H_
#define ANDREA_SIMULATOR_BLAS_EPILOGUE_H_

#include <cublasLt.h>

#include <cstddef>

#include "simulator/blas/operand.h"

namespace simulator::blas {

struct Epilogue {
  cublasLtEpilogue_t kind = CUBLASLT_EPILOGUE_DEFAULT;
  // A column, one number for each row of the product: read as bias, written as its gradient (for
  // BGRADB one number for each column of the product).
  Operand bias;
  // GELU's argument: written by GELU_AUX, read by DGELU.
  Operand auxiliary;

  bool adds_bias() const { return (kind & CUBLASLT_EPILOGUE_BIAS) != 0; }
  bool sums_rows() const { return kind == CUBLASLT_EPILOGUE_DGELU_BGRAD; }
  bool has_auxiliary() const { return (kind & 128) != 0; }
  bool reads_auxiliary() const { return is_dgelu(); }
  bool writes_bias() const {
    return sums_rows() || kind == CUBLASLT_EPILOGUE_BGRADA || kind == CUBLASLT_EPILOGUE_BGRADB;
  }
  bool is_relu() const { return (kind & CUBLASLT_EPILOGUE_RELU) != 0; }
  bool is_gelu() const { return (kind & CUBLASLT_EPILOGUE_GELU) != 0; }
  bool is_dgelu() const { return (kind & 64) != 0; }
};

// Whether it is one of those that are known here.
bool is_supported(cublasLtEpilogue_t kind);

// To `count` rows of one column of the product, from (row, column) on.
template <typename Number>
void apply(const Epilogue& epilogue, std::size_t batch, std::size_t row, std::size_t column,
           std::size_t count, Number* values);

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_EPILOGUE_H_
