// Races between the threads of one block.

#include <cuda_fp16.h>

#include "simulator/tests/faults/fault.h"
#include "simulator/tests/faults/zeros.h"

using simulator_test::zeros;

__global__ void reverse(const float* in, float* out) {
  __shared__ float mirror[128];
  const int i = threadIdx.x;
  mirror[i] = in[i] + 1.0f;  // fault: no_barrier_before_read
  out[i] = mirror[127 - i];  // fault: no_barrier_before_read
}

FAULT(no_barrier_before_read, {.kind = "race", .variable = "mirror"}) {
  reverse<<<1, 128>>>(zeros<float>(128), zeros<float>(128));
}

// One thread tells the others a result.
__global__ void broadcast(const float* in, float* out) {
  __shared__ float total;
  if (threadIdx.x == 0) {
    float sum = 1.0f;
    for (int i = 0; i < 64; ++i) sum += in[i];
    total = sum;  // fault: broadcast_without_barrier
  }
  out[threadIdx.x] = in[threadIdx.x] / total;  // fault: broadcast_without_barrier
}

FAULT(broadcast_without_barrier, {.kind = "race", .variable = "total"}) {
  broadcast<<<1, 64>>>(zeros<float>(64), zeros<float>(64));
}

// The barrier at the end of a round is missing: a quick warp fills the next tile under a slow one.
__global__ void sum_of_tiles(const float* in, float* out, int tiles) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[t * 64 + i] + static_cast<float>(t);  // fault: no_barrier_between_rounds
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      sum += tile[j];  // fault: no_barrier_between_rounds
    }
  }
  out[i] = sum;
}

FAULT(no_barrier_between_rounds, {.kind = "race", .variable = "tile"}) {
  sum_of_tiles<<<1, 64>>>(zeros<float>(192), zeros<float>(64), 3);
}

// In a tree the lanes of the last warp do not wait for each other. In most rounds they add a zero,
// which harms nobody and must not hide who has read the number before.
__global__ void tree_without_barriers(float* out, int count) {
  __shared__ float partial[128];
  const int i = threadIdx.x;
  partial[i] = i < count ? static_cast<float>(i + 1) : 0.0f;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (i < half) partial[i] += partial[i + half];  // fault: tree_without_barriers
  }
  if (i == 0) *out = partial[0];
}

FAULT(tree_without_barriers, {.kind = "race", .variable = "partial"}) {
  tree_without_barriers<<<1, 128>>>(zeros<float>(1), 33);
}

// Two buffers, but the one that is filled is the one that is read.
__global__ void wrong_double_buffer(const float* in, float* out, int tiles) {
  __shared__ float tile[2][64];
  const int i = threadIdx.x;
  tile[0][i] = in[i];
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const int filled = t % 2;
    if (t + 1 < tiles) {
      tile[filled][i] = in[(t + 1) * 64 + i] + 1.0f + t;  // fault: double_buffer_swapped
    }
    sum += tile[t % 2][63 - i];  // fault: double_buffer_swapped
    __syncthreads();
  }
  out[i] = sum;
}

FAULT(double_buffer_swapped, {.kind = "race", .variable = "tile"}) {
  wrong_double_buffer<<<1, 64>>>(zeros<float>(192), zeros<float>(64), 3);
}

// A tree without a barrier from one level to the next.
__global__ void reduce_without_barrier(const float* in, float* out) {
  __shared__ float partial[128];
  const int i = threadIdx.x;
  partial[i] = in[i] + 1.0f;
  __syncthreads();
  for (int distance = 64; distance > 0; distance /= 2) {
    if (i < distance) {
      partial[i] += partial[i + distance];  // fault: reduction_without_barrier
    }
  }
  if (i == 0) *out = partial[0];
}

FAULT(reduction_without_barrier, {.kind = "race", .variable = "partial"}) {
  reduce_without_barrier<<<1, 128>>>(zeros<float>(128), zeros<float>(1));
}

// The barriers stop at the last warp, as was right before Volta.
__global__ void reduce_last_warp_in_step(const float* in, float* out) {
  __shared__ float partial[128];
  const int i = threadIdx.x;
  partial[i] = in[i] + 1.0f;
  __syncthreads();
  for (int distance = 64; distance > 0; distance /= 2) {
    if (i < distance) {
      partial[i] += partial[i + distance];  // fault: last_warp_without_sync
    }
    if (distance > 32) __syncthreads();
  }
  if (i == 0) *out = partial[0];
}

FAULT(last_warp_without_sync, {.kind = "race", .variable = "partial"}) {
  reduce_last_warp_in_step<<<1, 128>>>(zeros<float>(128), zeros<float>(1));
}

__device__ void reduce_warp(volatile float* partial, int lane) {
  for (int distance = 16; distance > 0; distance /= 2) {
    if (lane < distance) {
      partial[lane] = partial[lane] + partial[lane + distance];  // fault: volatile_without_syncwarp
    }
  }
}

__global__ void reduce_volatile(const float* in, float* out) {
  __shared__ float lanes[32];
  const int i = threadIdx.x;
  lanes[i] = in[i] + 1.0f;
  __syncwarp();
  reduce_warp(lanes, i);
  if (i == 0) *out = lanes[0];
}

FAULT(volatile_without_syncwarp,
      {.kind = "race", .variable = "lanes", .says = "__syncwarp would do"}) {
  reduce_volatile<<<1, 32>>>(zeros<float>(32), zeros<float>(1));
}

// One array for the old and the new values of a scan, and one barrier a step.
__global__ void scan_in_place(const int* in, int* out) {
  __shared__ int sums[64];
  const int i = threadIdx.x;
  sums[i] = in[i] + 1;
  for (int distance = 1; distance < 64; distance *= 2) {
    __syncthreads();
    if (i >= distance) {
      sums[i] += sums[i - distance];  // fault: scan_in_place_with_one_barrier
    }
  }
  __syncthreads();
  out[i] = sums[i];
}

FAULT(scan_in_place_with_one_barrier, {.kind = "race", .variable = "sums"}) {
  scan_in_place<<<1, 64>>>(zeros<int>(64), zeros<int>(64));
}

__global__ void histogram_without_atomics(const int* values, int* counts) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  ++bins[values[threadIdx.x]];  // fault: histogram_without_atomic
  __syncthreads();
  if (threadIdx.x < 8) counts[threadIdx.x] = bins[threadIdx.x];
}

FAULT(histogram_without_atomic,
      {.kind = "race", .variable = "bins", .says = "Where all add to one element, use an atomic"}) {
  histogram_without_atomics<<<1, 64>>>(zeros<int>(64), zeros<int>(8));
}

// The counter is read while others still count.
__global__ void count_positive(const int* values, int* out) {
  __shared__ int positive;
  if (threadIdx.x == 0) positive = 0;
  __syncthreads();
  if (values[threadIdx.x] >= 0) atomicAdd(&positive, 1);  // fault: atomic_and_plain_read
  out[threadIdx.x] = positive;                            // fault: atomic_and_plain_read
}

FAULT(atomic_and_plain_read, {.kind = "race", .variable = "positive"}) {
  count_positive<<<1, 64>>>(zeros<int>(64), zeros<int>(64));
}

// Neighbours may write neighbouring bytes; these share one.
__global__ void mark_by_pairs(const int* values, char* out) {
  __shared__ char marks[32];
  if (threadIdx.x < 32) marks[threadIdx.x] = 0;
  __syncthreads();
  const char mark = static_cast<char>(threadIdx.x + values[threadIdx.x]);
  marks[threadIdx.x / 2] = mark;  // fault: same_byte
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = marks[threadIdx.x];
}

FAULT(same_byte, {.kind = "race", .variable = "marks"}) {
  mark_by_pairs<<<1, 64>>>(zeros<int>(64), zeros<char>(32));
}

__global__ void halves_by_pairs(const float* in, __half* out) {
  __shared__ __half halves[32];
  const int i = threadIdx.x;
  halves[i / 2] = __float2half(in[i] + i);  // fault: same_half
  __syncthreads();
  if (i < 32) out[i] = halves[i];
}

FAULT(same_half, {.kind = "race", .variable = "halves"}) {
  halves_by_pairs<<<1, 64>>>(zeros<float>(64), zeros<__half>(32));
}
