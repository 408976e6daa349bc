// File: norm.h
//
// Layer norm over rows, fused with the residual sum before it: what kernels/layer_norm.h and
// kernels/residual.h compute, for float and bf16 and in one pass over memory.
//
// Where 16 bytes divide a row, a thread moves 16 bytes at once; pointers are then multiples of 16,
// and rows have 8,192 numbers at most. Other rows have 4,096 at most.

#ifndef ANDREA_KERNELS_CUDA_NORM_H_
#define ANDREA_KERNELS_CUDA_NORM_H_

#include <cuda_bf16.h>

#include <cstddef>

#include "kernels/launch.h"

namespace andrea::cuda {

// What backward needs of each row; both null where no backward pass will follow.
struct RowStatistics {
  float* mean = nullptr;  // [N]
  float* rstd = nullptr;  // [N]
};

// y = norm(x) * gain + bias.
void norm_forward(const float* x,     // [N, C]
                  const float* gain,  // [C], or null: 1
                  const float* bias,  // [C], or null: 0
                  float* y,           // [N, C]
                  const RowStatistics& statistics, int N, int C, const Launch& launch);
void norm_forward(const __nv_bfloat16* x, const __nv_bfloat16* gain, const __nv_bfloat16* bias,
                  __nv_bfloat16* y, const RowStatistics& statistics, int N, int C,
                  const Launch& launch);

// sum = stream + correction, and y = norm(sum) * gain + bias. `sum` may be `stream`.
void residual_norm_forward(const float* stream,      // [N, C]
                           const float* correction,  // [N, C]
                           const float* gain,        // [C], or null: 1
                           const float* bias,        // [C], or null: 0
                           float* sum,               // [N, C]
                           float* y,                 // [N, C]
                           const RowStatistics& statistics, int N, int C, const Launch& launch);
void residual_norm_forward(const __nv_bfloat16* stream, const __nv_bfloat16* correction,
                           const __nv_bfloat16* gain, const __nv_bfloat16* bias, __nv_bfloat16* sum,
                           __nv_bfloat16* y, const RowStatistics& statistics, int N, int C,
                           const Launch& launch);

std::size_t norm_backward_scratch_bytes(int N, int C);

// dx = (dresidual, or 0) + the norm's gradient; dx may be dresidual. dgain and dbias follow
// `accumulate`; the sums over rows are taken in a fixed order, so results do not vary.
void norm_backward(const float* dy,         // [N, C]
                   const float* x,          // [N, C], as forward normed it
                   const float* gain,       // [C], or null: 1
                   const float* dresidual,  // [N, C], or null
                   const RowStatistics& statistics,
                   float* dx,     // [N, C]
                   float* dgain,  // [C], or null
                   float* dbias,  // [C], or null
                   int N, int C, Accumulate accumulate, const Launch& launch);
void norm_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, const __nv_bfloat16* gain,
                   const __nv_bfloat16* dresidual, const RowStatistics& statistics,
                   __nv_bfloat16* dx, float* dgain, float* dbias, int N, int C,
                   Accumulate accumulate, const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_NORM_H_
