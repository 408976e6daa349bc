// The length of the whole gradient.
//
// The ladder, from lesson 07's kernels:
//
//   07.3  many blocks leave a sum each, one block adds those; a number a load, sums of floats
//   here  16 bytes a load, four loads in flight; a thread's sum is one of floats, of some hundred
//         squares, and all further sums are of doubles: a few hundred thousand additions in all
//
// 4 bytes and 2 FLOPs a parameter, which is the least there is: 395 MB for ANDREA-120M. The order
// of additions depends on the number of parameters alone, not on the card.

#include <math_constants.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/sums.cuh"
#include "kernels/cuda/vector.cuh"
#include "kernels/cuda_check.h"
#include "kernels/global_norm.h"

namespace andrea {
namespace {

using cuda::load_vector;
using cuda::Vector;

constexpr int kThreads = 128;
constexpr int kMostBlocks = 1024;  // all of which fit on a card at once; one block adds their sums
constexpr int kAtOnce = 4;         // loads in flight

int blocks_of(std::int64_t count) {
  constexpr std::int64_t kShare = 4 * kAtOnce * kThreads;
  return static_cast<int>(std::min<std::int64_t>((count + kShare - 1) / kShare, kMostBlocks));
}

template <int kWidth>
__global__ void sums_of_squares_kernel(const float* gradients,  // [count]
                                       std::int64_t count,
                                       double* sums) {  // [gridDim.x]
  const std::int64_t vectors = count / kWidth;
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * kThreads;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  float squares[kAtOnce] = {};
  for (std::int64_t first = thread; first < vectors; first += kAtOnce * threads) {
    Vector<float, kWidth> g[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const std::int64_t vector = first + i * threads;
      g[i] = {};
      if (vector < vectors) g[i] = load_vector<kWidth>(gradients + vector * kWidth, 0);
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
#pragma unroll
      for (int k = 0; k < kWidth; ++k) squares[i] += g[i].values[k] * g[i].values[k];
    }
  }
  // What 16 bytes do not divide.
  if (const std::int64_t rest = vectors * kWidth + thread; rest < count) {
    squares[0] += gradients[rest] * gradients[rest];
  }
  double sum = 0;
  for (const float square : squares) sum += square;
  sum = cuda::block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void norm_and_clip_kernel(const double* sums,  // [blocks]
                                     int blocks, float max_norm, StepScalars* scalars) {
  double sum = 0;
  for (auto i = static_cast<int>(threadIdx.x); i < blocks; i += kThreads) sum += sums[i];
  const auto norm = static_cast<float>(sqrt(cuda::block_sum(sum)));
  if (threadIdx.x > 0) return;
  scalars->gradient_norm = norm;
  if (!isfinite(norm)) {
    scalars->clip_scale = CUDART_NAN_F;
  } else {
    scalars->clip_scale = max_norm > 0 && norm > max_norm ? max_norm / norm : 1.0f;
  }
}

}  // namespace

std::size_t global_norm_scratch_bytes(std::int64_t count) {
  return align_up(static_cast<std::size_t>(blocks_of(count)) * sizeof(double));
}

void global_norm(const float* gradients, std::int64_t count, float max_norm, StepScalars* scalars,
                 const Launch& launch) {
  auto* const sums = static_cast<double*>(launch.scratch);
  const int blocks = blocks_of(count);
  if (cuda::is_aligned(gradients)) {
    sums_of_squares_kernel<4><<<blocks, kThreads, 0, launch.stream>>>(gradients, count, sums);
  } else {
    sums_of_squares_kernel<1><<<blocks, kThreads, 0, launch.stream>>>(gradients, count, sums);
  }
  CUDA_CHECK(cudaGetLastError());
  norm_and_clip_kernel<<<1, kThreads, 0, launch.stream>>>(sums, blocks, max_norm, scalars);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea
