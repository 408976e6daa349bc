// File: product.h
//
// D = epilogue(alpha * A * B + beta * C), for all calls that come down to it.

#ifndef ANDREA_SIMULATOR_BLAS_PRODUCT_H_
#define ANDREA_SIMULATOR_BLAS_PRODUCT_H_

#include <cublas_api.h>

#include "simulator/blas/epilogue.h"
#include "simulator/blas/multiply.h"
#include "simulator/blas/operand.h"

namespace simulator::blas {

// What sums are added up in.
enum class Arithmetic { in_float, in_double, in_int };

// Which part of D is stored.
enum class Part { all, lower_triangle, upper_triangle };

struct Product {
  ProductSize size;                              // of each product and of the batch
  Arithmetic arithmetic = Arithmetic::in_float;  // what sums are made in
  Operand a;                                     // m x k
  Operand b;                                     // k x n
  Operand c;                                     // may be D
  Operand d;                                     // the result
  Epilogue epilogue;                             // what is done to it at last
  Part part = Part::all;                         // all of it, or a triangle
};

// With alpha = 0 neither A nor B is read, with beta = 0 C is not. 0 threads: as many as it is
// worth.
void compute(const Product& product, double alpha, double beta, unsigned threads = 0);

// The combinations of types that cuBLAS documents for its products: what sums are added up in and
// the type of alpha and beta. False where it has none such.
bool find_arithmetic(cublasComputeType_t compute_type, cudaDataType a, cudaDataType b,
                     cudaDataType c, Arithmetic* arithmetic, cudaDataType* scale_type);

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_PRODUCT_H_
