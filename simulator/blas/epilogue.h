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
  cublasLtEpilogue_t kind = CUBLASLT_EPILOGUE_DEFAULT;  // as cublasLt names it
  // A column, one number for each row of the product: read as bias, written as its gradient (for
  // BGRADB one number for each column of the product).
  Operand bias;
  // GELU's argument: written by GELU_AUX, read by DGELU.
  Operand auxiliary;

  // Of the rows, before the activation.
  bool adds_bias() const { return (kind & CUBLASLT_EPILOGUE_BIAS) != 0; }
  // The gradient of a bias.
  bool sums_rows() const { return kind == CUBLASLT_EPILOGUE_DGELU_BGRAD; }
  // What the activation was given, kept or read.
  bool has_auxiliary() const { return (kind & 128) != 0; }
  bool reads_auxiliary() const { return is_dgelu(); }  // backward reads it, forward writes it
  // Whether the bias is a result.
  bool writes_bias() const {
    return sums_rows() || kind == CUBLASLT_EPILOGUE_BGRADA || kind == CUBLASLT_EPILOGUE_BGRADB;
  }
  // Of the activation, after the bias.
  bool is_relu() const { return (kind & CUBLASLT_EPILOGUE_RELU) != 0; }
  // Of the activation, tanh form.
  bool is_gelu() const { return (kind & CUBLASLT_EPILOGUE_GELU) != 0; }
  bool is_dgelu() const { return (kind & 64) != 0; }  // the product times GELU's derivative
};

// Whether it is one of those that are known here.
bool is_supported(cublasLtEpilogue_t kind);

// To `count` rows of one column of the product, from (row, column) on.
template <typename Number>
void apply(const Epilogue& epilogue, std::size_t batch, std::size_t row, std::size_t column,
           std::size_t count, Number* values);

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_EPILOGUE_H_
