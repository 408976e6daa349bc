// Softmax cross-entropy and its gradient over the logits.
//
// The ladder, from lesson 07's kernels, as passes over memory of the N stride logits:
//
//   07.1  a block a row: the largest, then the sum of the exponentials             2 reads
//   07.2  the same again, then the gradients in the place of the logits            3 reads, 1 write
//   here  the largest and the sum in one read, 16 bytes a load (Milakov and
//         Gimelshein 2018, algorithm 3); loss and gradients from a second, of a
//         row that has not left the cache yet                                      1 read, 1 write
//
// which is the least there is: at N = 16,384 and a stride of 8,576 in bf16 2 x 281 MB. A logit
// costs two exponentials, and one for 4 or 8 logits more; they would take two thirds of that
// memory's time on an H200, beside which they run.

#include <math_constants.h>

#include <cstdint>

#include "kernels/cuda/loss.h"
#include "kernels/cuda/number.cuh"
#include "kernels/cuda/sums.cuh"
#include "kernels/cuda/vector.cuh"
#include "kernels/cuda_check.h"

namespace andrea::cuda {
namespace {

constexpr int kThreads = 256;

// The unit that exponentiates knows powers of two.
__device__ float exponential(float x) { return exp2f(x * 1.4426950408889634f); }

// Of some logits: the largest, and the sum of exp(logit - largest).
struct Softmax {
  float largest, sum;
};

// Of those and of some more. A NaN is left out of the largest, but not of the sum.
template <typename Number, int kWidth>
__device__ Softmax with(Softmax some, const Vector<Number, kWidth>& logits) {
  float largest = some.largest;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) largest = fmaxf(largest, to_float(logits.values[k]));
  float sum = some.sum * exponential(some.largest - largest);
#pragma unroll
  for (int k = 0; k < kWidth; ++k) sum += exponential(to_float(logits.values[k]) - largest);
  return {largest, sum};
}

// Of all V logits of a row, in every thread of the block. What lies behind column V is not read.
template <typename Number, int kWidth>
__device__ Softmax softmax_of(const Number* row, int V) {
  const auto thread = static_cast<int>(threadIdx.x);
  Softmax mine = {-CUDART_INF_F, 0};
#pragma unroll 4
  for (int vector = thread; vector < V / kWidth; vector += kThreads) {
    mine = with(mine, load_vector<kWidth>(row, vector));
  }
  const int rest = V / kWidth * kWidth + thread;
  if (rest < V) mine = with(mine, load_vector<1>(row, rest));
  const float largest = block_max(mine.largest);
  // A thread without logits has a sum of 0.
  return {largest, block_sum(mine.sum * exponential(mine.largest - largest))};
}

// ---- A block a row, gridDim.x = N.

template <typename Number, int kWidth>
__global__ void __launch_bounds__(kThreads)
    losses_kernel(const Number* logits, const int* targets, float* losses, int V, int stride) {
  const auto n = static_cast<int>(blockIdx.x);
  const int target = targets[n];
  if (target < 0) {
    if (threadIdx.x == 0) losses[n] = 0;
    return;
  }
  const Number* row = row_at(logits, n, stride);
  const Softmax softmax = softmax_of<Number, kWidth>(row, V);
  if (threadIdx.x == 0) losses[n] = logf(softmax.sum) + softmax.largest - to_float(row[target]);
}

template <typename Number, int kWidth>
__global__ void __launch_bounds__(kThreads)
    losses_and_gradients_kernel(Number* logits, const int* targets, float* losses,
                                float gradient_scale, int V, int stride) {
  const auto n = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const int vectors = stride / kWidth;
  const int target = targets[n];
  Number* const row = row_at(logits, n, stride);
  if (target < 0) {
    if (thread == 0) losses[n] = 0;
    for (int vector = thread; vector < vectors; vector += kThreads) {
      store_vector(row, vector, Vector<Number, kWidth>{});
    }
    return;
  }
  // Before the barriers of the sums, behind which it is overwritten.
  const float logit_of_target = thread == 0 ? to_float(row[target]) : 0;
  const Softmax softmax = softmax_of<Number, kWidth>(row, V);
  if (thread == 0) losses[n] = logf(softmax.sum) + softmax.largest - logit_of_target;

  const float inverse = 1 / softmax.sum;
#pragma unroll 4
  for (int vector = thread; vector < vectors; vector += kThreads) {
    const int first = vector * kWidth;
    Vector<Number, kWidth> numbers = {};
    if (first + kWidth <= V) {
      numbers = load_vector<kWidth>(row, vector);
    } else {
#pragma unroll
      for (int k = 0; k < kWidth; ++k) {
        if (first + k < V) numbers.values[k] = row[first + k];
      }
    }
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const float off = to_float(numbers.values[k]) - softmax.largest;
      const float probability = exponential(off) * inverse;
      const float gradient = first + k == target ? probability - 1 : probability;
      numbers.values[k] = from_float<Number>(first + k < V ? gradient_scale * gradient : 0.0f);
    }
    store_vector(row, vector, numbers);
  }
}

// ---- The launches.

template <typename Number>
void losses_any(const Number* logits, const int* targets, float* losses, int N, int V, int stride,
                const Launch& launch) {
  if (is_packed<Number>(stride)) {
    losses_kernel<Number, kPacked<Number>>
        <<<N, kThreads, 0, launch.stream>>>(logits, targets, losses, V, stride);
  } else {
    losses_kernel<Number, 1><<<N, kThreads, 0, launch.stream>>>(logits, targets, losses, V, stride);
  }
  CUDA_CHECK(cudaGetLastError());
}

template <typename Number>
void losses_and_gradients_any(Number* logits, const int* targets, float* losses,
                              float gradient_scale, int N, int V, int stride,
                              const Launch& launch) {
  if (is_packed<Number>(stride)) {
    losses_and_gradients_kernel<Number, kPacked<Number>>
        <<<N, kThreads, 0, launch.stream>>>(logits, targets, losses, gradient_scale, V, stride);
  } else {
    losses_and_gradients_kernel<Number, 1>
        <<<N, kThreads, 0, launch.stream>>>(logits, targets, losses, gradient_scale, V, stride);
  }
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void losses_of(const float* logits, const int* targets, float* losses, int N, int V, int stride,
               const Launch& launch) {
  losses_any(logits, targets, losses, N, V, stride, launch);
}

void losses_of(const __nv_bfloat16* logits, const int* targets, float* losses, int N, int V,
               int stride, const Launch& launch) {
  losses_any(logits, targets, losses, N, V, stride, launch);
}

void losses_and_gradients(float* logits, const int* targets, float* losses, float gradient_scale,
                          int N, int V, int stride, const Launch& launch) {
  losses_and_gradients_any(logits, targets, losses, gradient_scale, N, V, stride, launch);
}

void losses_and_gradients(__nv_bfloat16* logits, const int* targets, float* losses,
                          float gradient_scale, int N, int V, int stride, const Launch& launch) {
  losses_and_gradients_any(logits, targets, losses, gradient_scale, N, V, stride, launch);
}

}  // namespace andrea::cuda
