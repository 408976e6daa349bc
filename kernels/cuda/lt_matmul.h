// File: lt_matmul.h
//
// A matrix product by cublasLt, row-major, and what is done to it on its way out.
//
//   LtProduct product{.rows = N, .columns = out, .terms = in,
//                     .left_stride = in, .right_stride = out, .result_stride = out};
//   product.epilogue = CUBLASLT_EPILOGUE_BIAS;
//   if (!lt_multiply(product, {.left = x, .right = weight, .result = y, .bias = bias}, launch)) ...
//
// cublasLt sees columns where we have rows: what lies in memory as a matrix [rows, columns] is to
// it the transposed one. So it is asked for the transposed result, right factor first, which lies
// in memory as ours.
//
// What cublasLt has to find out about a product (its plan: descriptions, and the algorithm that its
// heuristic names) is asked for once and kept until the program ends. That takes a millisecond at
// the first product of a shape, and no memory of the device; it may happen while a stream is
// recorded as a graph.
//
// Results do not vary: NVIDIA promises the same bits from the same library, called in the same way
// on the same kind of card (cuBLAS guide, "Results reproducibility").

#ifndef ANDREA_KERNELS_CUDA_LT_MATMUL_H_
#define ANDREA_KERNELS_CUDA_LT_MATMUL_H_

#include <cublasLt.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/launch.h"

namespace andrea::cuda {

// result [rows, columns] = left [rows, terms] * right [terms, columns].
struct LtProduct {
  int rows = 0;                   // of the result
  int columns = 0;                // of the result
  int terms = 0;                  // that each number of it is the sum of
  bool left_transposed = false;   // left lies as [terms, rows]
  bool right_transposed = false;  // right lies as [columns, terms]
  int left_stride = 0;            // numbers from row to row of left, as it lies
  int right_stride = 0;           // of right, as it lies
  int result_stride = 0;          // of the result

  cudaDataType_t factors = CUDA_R_32F;  // CUDA_R_32F or CUDA_R_16BF
  cudaDataType_t result = CUDA_R_32F;   // the factors' type, or CUDA_R_32F
  // GELU's argument lies without gaps, [rows, columns], in the result's type, as the bias and its
  // gradient do.
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  bool tf32 = false;  // factors of floats may be rounded to 10 bits behind the point

  auto operator<=>(const LtProduct&) const = default;
};

// Device pointers.
struct LtOperands {
  const void* left = nullptr;   // a factor
  const void* right = nullptr;  // a factor
  void* result = nullptr;       // overwritten
  bool add = false;             // or added to
  const void* bias = nullptr;   // [columns], where the epilogue has one
  // [columns]: BGRADA overwrites it with the sums of right's columns.
  void* bias_gradient = nullptr;
  void* auxiliary = nullptr;  // GELU's argument: GELU_AUX writes it, DGELU reads it
};

// What the pointers are multiples of, up to 256 bytes: algorithms differ in what they ask for.
struct LtAlignments {
  std::uint32_t left = 256;       // bytes
  std::uint32_t right = 256;      // bytes
  std::uint32_t result = 256;     // bytes
  std::uint32_t bias = 256;       // bytes, of the bias or of its gradient; 256 where there is none
  std::uint32_t auxiliary = 256;  // bytes; 256 where there is none

  auto operator<=>(const LtAlignments&) const = default;
};

// False, with nothing enqueued, where cublasLt does not document the epilogue for these operands or
// has no algorithm for them: then it is to be done without. Without an epilogue there always is
// one; any other error ends the program.
//
// The product is a sum in float. launch.blas_lt may be null: then a handle is made at the first
// call for the current device. launch.scratch is the library's workspace.
bool lt_multiply(const LtProduct& product, const LtOperands& operands, const Launch& launch);

// Whether cublasLt documents the product: the rules that its header gives for each attribute. Not
// whether the card has an algorithm.
bool lt_is_documented(const LtProduct& product, const LtAlignments& alignments);

// What NVIDIA recommends as workspace on the current device.
std::size_t lt_workspace_bytes();

// What was asked for, and whether there was an algorithm.
struct LtPlanned {
  LtProduct product;        // as it was given
  LtAlignments alignments;  // of its operands
  bool found;               // an algorithm

  auto operator<=>(const LtPlanned&) const = default;
};

// Since the program began, for who wants to know what a pass consists of.
std::vector<LtPlanned> lt_planned();

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_LT_MATMUL_H_
