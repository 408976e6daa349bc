// A kernel with the lessons' block_sum, whose __shared__ array is a variable of an inline function.
// It is compiled twice, as kernels of two sets, SET being the namespace: the first where nobody
// says.

#include "lessons/reductions.cuh"
#include "tests/mixed_sets/block_sum.h"

#ifndef SET
#define SET first_set
#endif

namespace andrea {
namespace {

__global__ void sum_kernel(float* sum) {
  const float all = block_sum(static_cast<float>(threadIdx.x));
  if (threadIdx.x == 0) *sum = all;
}

}  // namespace

void SET::sum_of_indices(float* sum, int threads) { sum_kernel<<<1, threads>>>(sum); }

}  // namespace andrea
