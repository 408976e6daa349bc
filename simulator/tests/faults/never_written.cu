// Reads of memory that holds garbage.

#include <utility>

#include "simulator/tests/faults/fault.h"

using simulator_test::Level;

__global__ void add_vectors(const float* a, const float* b, float* sum, int n) {
  const int i = threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];  // fault: input_never_copied, copy_of_too_few_bytes
}

FAULT(input_never_copied, {.kind = "never-written", .variable = "d_b"}) {
  const float a[32] = {};
  float* d_a;
  float* d_b;
  float* d_sum;
  cudaMalloc(&d_a, sizeof a);
  cudaMalloc(&d_b, sizeof a);
  cudaMalloc(&d_sum, sizeof a);
  cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
  add_vectors<<<1, 32>>>(d_a, d_b, d_sum, 32);
}

// Elements counted where bytes were meant.
FAULT(copy_of_too_few_bytes, {.kind = "never-written", .variable = "d_a"}) {
  const float a[32] = {};
  float* d_a;
  float* d_sum;
  cudaMalloc(&d_a, sizeof a);
  cudaMalloc(&d_sum, sizeof a);
  cudaMemcpy(d_a, a, 32, cudaMemcpyHostToDevice);
  add_vectors<<<1, 32>>>(d_a, d_a, d_sum, 32);
}

__global__ void accumulate(const float* in, float* totals) {
  totals[threadIdx.x] += in[threadIdx.x];  // fault: accumulator_never_cleared
}

FAULT(accumulator_never_cleared, {.kind = "never-written", .variable = "d_totals"}) {
  float* d_in;
  float* d_totals;
  cudaMalloc(&d_in, 32 * sizeof(float));
  cudaMalloc(&d_totals, 32 * sizeof(float));
  cudaMemset(d_in, 0, 32 * sizeof(float));
  accumulate<<<1, 32>>>(d_in, d_totals);
}

// The buffers change places once too often: the second step reads what nobody has written yet.
__global__ void smooth(const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = 0.5f * in[i];  // fault: wrong_buffer
}

FAULT(wrong_buffer, {.kind = "never-written", .variable = "d_other"}) {
  float* d_first;
  float* d_second;
  float* d_other;
  cudaMalloc(&d_first, 32 * sizeof(float));
  cudaMalloc(&d_second, 32 * sizeof(float));
  cudaMalloc(&d_other, 32 * sizeof(float));
  cudaMemset(d_first, 0, 32 * sizeof(float));
  smooth<<<1, 32>>>(d_first, d_second);
  std::swap(d_second, d_other);
  smooth<<<1, 32>>>(d_second, d_first);
}

// Thirty elements in tiles of 16: the tail of the second stays garbage, and is summed with the
// rest.
__global__ void sum_tiles(const float* in, float* sums, int n) {
  __shared__ float tile[16];
  const int i = blockIdx.x * 16 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int j = 0; j < 16; ++j) sum += tile[j];  // fault: tail_of_tile
    sums[blockIdx.x] = sum;
  }
}

FAULT(tail_of_tile, {.kind = "never-written", .variable = "tile"}) {
  float* d_in;
  float* d_sums;
  cudaMalloc(&d_in, 30 * sizeof(float));
  cudaMalloc(&d_sums, 2 * sizeof(float));
  cudaMemset(d_in, 0, 30 * sizeof(float));
  sum_tiles<<<2, 16>>>(d_in, d_sums, 30);
}

__global__ void convolve(const float* in, float* out, int n) {
  __shared__ float window[8 + 3];
  const int local = threadIdx.x;
  const int i = blockIdx.x * 8 + local;
  window[local] = i < n ? in[i] : 0.0f;
  if (local < 3 && i + 8 < n) window[8 + local] = in[i + 8];
  __syncthreads();
  float sum = 0.0f;
  for (int j = 0; j < 4; ++j) sum += window[local + j];  // fault: halo_never_filled
  if (i < n) out[i] = sum;
}

FAULT(halo_never_filled, {.kind = "never-written", .variable = "window"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 15 * sizeof(float));
  cudaMalloc(&d_out, 15 * sizeof(float));
  cudaMemset(d_in, 0, 15 * sizeof(float));
  convolve<<<2, 8>>>(d_in, d_out, 15);
}

// Shared memory is not zero when a block begins.
__global__ void histogram(const int* values, int* counts) {
  extern __shared__ int bins[];
  atomicAdd(&bins[values[threadIdx.x]], 1);  // fault: histogram_never_cleared
  __syncthreads();
  if (threadIdx.x < 8) counts[threadIdx.x] = bins[threadIdx.x];
}

FAULT(histogram_never_cleared, {.kind = "never-written", .variable = "dynamic shared memory"}) {
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = i % 8;
  int* d_values;
  int* d_counts;
  cudaMalloc(&d_values, sizeof values);
  cudaMalloc(&d_counts, 8 * sizeof(int));
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  histogram<<<1, 32, 8 * sizeof(int)>>>(d_values, d_counts);
}

__global__ void write_even(float* out) { out[2 * threadIdx.x] = 1.0f; }

// The host may well know that the odd ones hold nothing: a note.
FAULT(copy_to_host, {.kind = "never-written", .variable = "d_out", .level = Level::note}) {
  float out[64];
  float* d_out;
  cudaMalloc(&d_out, sizeof out);
  write_even<<<1, 32>>>(d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);  // fault: copy_to_host
}

struct Body {
  float position[3];
  float velocity[3];
  float mass;
};

// The masses are forgotten.
__global__ void place_bodies(Body* bodies) {
  Body& body = bodies[threadIdx.x];
  for (int axis = 0; axis < 3; ++axis) body.position[axis] = body.velocity[axis] = 0.0f;
}

__global__ void copy_bodies(const Body* from, Body* to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void total_mass(const Body* bodies, float* total) {
  atomicAdd(total, bodies[threadIdx.x].mass);  // fault: member_never_written, member_copied_by_host
}

// A copy of the whole struct is no use of its members, and hides none.
FAULT(member_never_written, {.kind = "never-written", .variable = "d_copies"}) {
  Body* d_bodies;
  Body* d_copies;
  float* d_total;
  cudaMalloc(&d_bodies, 32 * sizeof(Body));
  cudaMalloc(&d_copies, 32 * sizeof(Body));
  cudaMalloc(&d_total, sizeof(float));
  cudaMemset(d_total, 0, sizeof(float));
  place_bodies<<<1, 32>>>(d_bodies);
  copy_bodies<<<1, 32>>>(d_bodies, d_copies);
  total_mass<<<1, 32>>>(d_copies, d_total);
}

// Nor does a copy that the host asks for.
FAULT(member_copied_by_host, {.kind = "never-written", .variable = "d_copies"}) {
  Body* d_bodies;
  Body* d_copies;
  float* d_total;
  cudaMalloc(&d_bodies, 32 * sizeof(Body));
  cudaMalloc(&d_copies, 32 * sizeof(Body));
  cudaMalloc(&d_total, sizeof(float));
  cudaMemset(d_total, 0, sizeof(float));
  place_bodies<<<1, 32>>>(d_bodies);
  cudaMemcpy(d_copies, d_bodies, 32 * sizeof(Body), cudaMemcpyDeviceToDevice);
  total_mass<<<1, 32>>>(d_copies, d_total);
}

struct Pair {
  float key;
  float value;
};

// By way of shared memory.
__global__ void exchange_pairs(const Pair* in, float* out) {
  __shared__ Pair pairs[32];
  const int i = threadIdx.x;
  pairs[i] = in[i];
  __syncthreads();
  out[i] = pairs[31 - i].value;  // fault: member_of_shared_copy
}

__global__ void write_keys(Pair* pairs) { pairs[threadIdx.x].key = 1.0f; }

FAULT(member_of_shared_copy, {.kind = "never-written", .variable = "pairs"}) {
  Pair* d_pairs;
  float* d_out;
  cudaMalloc(&d_pairs, 32 * sizeof(Pair));
  cudaMalloc(&d_out, 32 * sizeof(float));
  write_keys<<<1, 32>>>(d_pairs);
  exchange_pairs<<<1, 32>>>(d_pairs, d_out);
}

// A sum over a block for which the threads without a number do not stay: the second warp's part is
// never written.
__global__ void sum_of_who_stayed(const float* in, float* out, int count) {
  __shared__ float of_warp[2];
  if (static_cast<int>(threadIdx.x) >= count) return;
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *out = of_warp[0] + of_warp[1];  // fault: part_of_who_returned
}

FAULT(part_of_who_returned,
      {.kind = "never-written",
       .variable = "of_warp",
       .says = "32 of the block's 64 threads had returned before a barrier"}) {
  float* numbers;
  cudaMalloc(&numbers, 33 * sizeof(float));
  cudaMemset(numbers, 0, 33 * sizeof(float));
  sum_of_who_stayed<<<1, 64>>>(numbers, numbers + 32, 32);
}

// Threads that have ended after the last barrier leave nothing undone.
__global__ void turn_ragged_tile(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[8][8];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  if (y < rows && x < columns) tile[y][x] = in[y * columns + x];
  __syncthreads();
  if (x < rows && y < columns) out[y * rows + x] = tile[y][x];  // fault: tile_not_turned
}

FAULT(tile_not_turned,
      {.kind = "never-written", .variable = "tile", .says = "A part of the array was not filled"}) {
  float* numbers;
  cudaMalloc(&numbers, 48 * sizeof(float));
  cudaMemset(numbers, 0, 48 * sizeof(float));
  turn_ragged_tile<<<1, dim3(8, 8)>>>(numbers, numbers + 24, 4, 6);
}
