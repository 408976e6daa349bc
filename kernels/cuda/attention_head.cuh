// File: attention_head.cuh
//
// Where one head of one sequence lies in the matrices of attention.

#ifndef ANDREA_KERNELS_CUDA_ATTENTION_HEAD_CUH_
#define ANDREA_KERNELS_CUDA_ATTENTION_HEAD_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/attention.h"

namespace andrea::cuda {

// Where it begins, in numbers.
struct Head {
  // `index` counts the heads of the first sequence, then those of the second, and so on.
  __device__ Head(const AttentionShape& shape, int index) {
    const std::int64_t row = static_cast<std::int64_t>(index / shape.H) * shape.T;
    const int column = index % shape.H * (shape.C / shape.H);
    in_qkv = row * 3 * shape.C + column;
    in_out = row * shape.C + column;
    in_rows = static_cast<std::int64_t>(index) * shape.T;
  }

  std::int64_t in_qkv;   // [B, T, 3C]
  std::int64_t in_out;   // [B, T, C]
  std::int64_t in_rows;  // [B, H, T]
};

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_ATTENTION_HEAD_CUH_
