// File: products.h
//
// Matrix products by cublasLt, with what can be done to a result while it is still in registers:
// the bias, GELU, GELU's derivative, the gradient of a bias. Row-major, weights [in, out], as in
// kernels/linear.h.
//
// Floats are multiplied as floats, or with factors rounded as TF32 has them where launch.tf32 says
// so; bf16 by tensor cores, summed in float. Gradients of parameters are float.

#ifndef ANDREA_KERNELS_CUDA_PRODUCTS_H_
#define ANDREA_KERNELS_CUDA_PRODUCTS_H_

#include <cuda_bf16.h>

#include <cstddef>

#include "kernels/launch.h"

namespace andrea::cuda {

// What cublasLt is asked to do to a result before it is stored; kernels of ours do the rest, and
// all of it where cublasLt has no algorithm. All but by_card are for tests and measurements.
enum class Fusion {
  by_card,  // what is known to pay: the bias; the rest of bf16 on compute capability 9 and 10
  none,     // nothing
  bias,     // the bias
  all,      // the bias, GELU and its derivative, the sums that are a bias's gradient
};

// For all that follows in this program.
void choose_fusion(Fusion fusion);

// Working memory of every function below, in bytes: 32 MB of it for cublasLt, 4 MB on cards before
// compute capability 9, as NVIDIA recommends.
std::size_t products_scratch_bytes(int N, int in, int out);

// y = x W + bias.
void linear_forward(const float* x,       // [N, in]
                    const float* weight,  // [in, out]
                    const float* bias,    // [out], or null
                    float* y,             // [N, out]
                    int N, int in, int out, const Launch& launch);
void linear_forward(const __nv_bfloat16* x, const __nv_bfloat16* weight, const __nv_bfloat16* bias,
                    __nv_bfloat16* y, int N, int in, int out, const Launch& launch);

// expanded = x W + bias, which backward needs, and y = gelu(expanded), tanh form. `expanded` may be
// null when no backward pass will follow.
void linear_gelu_forward(const float* x,       // [N, in]
                         const float* weight,  // [in, out]
                         const float* bias,    // [out], or null
                         float* expanded,      // [N, out], or null
                         float* y,             // [N, out]
                         int N, int in, int out, const Launch& launch);
void linear_gelu_forward(const __nv_bfloat16* x, const __nv_bfloat16* weight,
                         const __nv_bfloat16* bias, __nv_bfloat16* expanded, __nv_bfloat16* y,
                         int N, int in, int out, const Launch& launch);

// y = gelu(expanded), for a backward pass that computes it again.
void gelu_again(const float* expanded,  // [N, width]
                float* y,               // [N, width]
                int N, int width, const Launch& launch);
void gelu_again(const __nv_bfloat16* expanded, __nv_bfloat16* y, int N, int width,
                const Launch& launch);

// dx is overwritten; dweight and dbias follow `accumulate`.
void linear_backward(const float* dy,      // [N, out]
                     const float* x,       // [N, in]
                     const float* weight,  // [in, out]
                     float* dx,            // [N, in], or null
                     float* dweight,       // [in, out]
                     float* dbias,         // [out], or null
                     int N, int in, int out, Accumulate accumulate, const Launch& launch);
void linear_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, const __nv_bfloat16* weight,
                     __nv_bfloat16* dx, float* dweight, float* dbias, int N, int in, int out,
                     Accumulate accumulate, const Launch& launch);

// The same of a layer whose input x is gelu(expanded): dexpanded = gelu'(expanded) * (dy W^T).
void linear_backward_through_gelu(const float* dy,        // [N, out]
                                  const float* x,         // [N, in], gelu(expanded)
                                  const float* expanded,  // [N, in]
                                  const float* weight,    // [in, out]
                                  float* dexpanded,       // [N, in]
                                  float* dweight,         // [in, out]
                                  float* dbias,           // [out], or null
                                  int N, int in, int out, Accumulate accumulate,
                                  const Launch& launch);
void linear_backward_through_gelu(const __nv_bfloat16* dy, const __nv_bfloat16* x,
                                  const __nv_bfloat16* expanded, const __nv_bfloat16* weight,
                                  __nv_bfloat16* dexpanded, float* dweight, float* dbias, int N,
                                  int in, int out, Accumulate accumulate, const Launch& launch);

// out = x table^T, as kernels/dot_similarity.h has it: M columns of `stride` are written. Tensor
// cores are fed best where M, too, is a multiple of 8: the table's rows of zeros may be counted in.
void similarity_forward(const float* x,      // [N, C]
                        const float* table,  // [M, C]
                        float* out,          // [N, stride]
                        int N, int M, int C, int stride, const Launch& launch);
void similarity_forward(const __nv_bfloat16* x, const __nv_bfloat16* table, __nv_bfloat16* out,
                        int N, int M, int C, int stride, const Launch& launch);
void similarity_forward(const __nv_bfloat16* x, const __nv_bfloat16* table, float* out, int N,
                        int M, int C, int stride, const Launch& launch);

// dx is overwritten and may be null; dtable follows `accumulate`.
void similarity_backward(const float* dout,   // [N, stride], of which M columns are read
                         const float* x,      // [N, C]
                         const float* table,  // [M, C]
                         float* dx,           // [N, C], or null
                         float* dtable,       // [M, C]
                         int N, int M, int C, int stride, Accumulate accumulate,
                         const Launch& launch);
void similarity_backward(const __nv_bfloat16* dout, const __nv_bfloat16* x,
                         const __nv_bfloat16* table, __nv_bfloat16* dx, float* dtable, int N, int M,
                         int C, int stride, Accumulate accumulate, const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_PRODUCTS_H_
