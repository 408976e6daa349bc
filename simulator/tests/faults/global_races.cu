// Races between blocks.

#include <cuda_bf16.h>

#include "simulator/tests/faults/fault.h"

__global__ void sum_without_atomic(const float* in, float* sum) {
  *sum += in[blockIdx.x * blockDim.x + threadIdx.x];  // fault: sum_without_atomic
}

FAULT(sum_without_atomic, {.kind = "race", .variable = "d_sum"}) {
  const float ones[2] = {1.0f, 1.0f};
  float* d_in;
  float* d_sum;
  cudaMalloc(&d_in, sizeof ones);
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemcpy(d_in, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemset(d_sum, 0, sizeof(float));
  sum_without_atomic<<<2, 1>>>(d_in, d_sum);
}

// No block waits for block 0.
__global__ void zero_and_add(const float* in, float* sum) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *sum = 0.0f;  // fault: zeroed_by_one_block
  __syncthreads();
  atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);  // fault: zeroed_by_one_block
}

FAULT(zeroed_by_one_block, {.kind = "race", .variable = "d_sum"}) {
  float* d_in;
  float* d_sum;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemset(d_in, 1, 64 * sizeof(float));
  cudaMemset(d_sum, 1, sizeof(float));
  zero_and_add<<<2, 32>>>(d_in, d_sum);
}

// A fence orders what its own thread does; it waits for nobody.
__global__ void softmax_with_fence(const float* in, float* out, float* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float power = expf(in[i]);
  atomicAdd(total, power);  // fault: fence_as_grid_barrier
  __threadfence();
  out[i] = power / *total;  // fault: fence_as_grid_barrier
}

FAULT(fence_as_grid_barrier, {.kind = "race", .variable = "d_total"}) {
  float* d_in;
  float* d_out;
  float* d_total;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_out, 64 * sizeof(float));
  cudaMalloc(&d_total, sizeof(float));
  cudaMemset(d_in, 0, 64 * sizeof(float));
  cudaMemset(d_total, 0, sizeof(float));
  softmax_with_fence<<<2, 32>>>(d_in, d_out, d_total);
}

// In place: the neighbour block's edge may be old or young.
__global__ void smooth_in_place(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float next = i + 1 < n ? values[i + 1] : 0.0f;  // fault: halo_of_neighbour
  __syncthreads();
  values[i] = next + 1.0f;  // fault: halo_of_neighbour
}

FAULT(halo_of_neighbour, {.kind = "race", .variable = "d_values"}) {
  float* d_values;
  cudaMalloc(&d_values, 64 * sizeof(float));
  cudaMemset(d_values, 0, 64 * sizeof(float));
  smooth_in_place<<<2, 32>>>(d_values, 64);
}

// Two positions hold the same token, and both add to its row.
__global__ void embedding_backward(const int* tokens, const float* gradient, float* table) {
  const int position = blockIdx.x;
  const int channel = threadIdx.x;
  const float change = gradient[position * 4 + channel];
  table[tokens[position] * 4 + channel] += change;  // fault: repeated_token
}

FAULT(repeated_token, {.kind = "race", .variable = "d_table"}) {
  const int tokens[3] = {1, 2, 1};
  const float gradient[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  int* d_tokens;
  float* d_gradient;
  float* d_table;
  cudaMalloc(&d_tokens, sizeof tokens);
  cudaMalloc(&d_gradient, sizeof gradient);
  cudaMalloc(&d_table, 16 * sizeof(float));
  cudaMemcpy(d_tokens, tokens, sizeof tokens, cudaMemcpyHostToDevice);
  cudaMemcpy(d_gradient, gradient, sizeof gradient, cudaMemcpyHostToDevice);
  cudaMemset(d_table, 0, 16 * sizeof(float));
  embedding_backward<<<3, 4>>>(d_tokens, d_gradient, d_table);
}

// The last block to finish adds up what the others stored; without a fence it may see old values.
__global__ void last_block_adds(const float* in, float* partial, unsigned* finished, float* sum) {
  const int block = blockIdx.x;
  partial[block] = in[block] + 1.0f;  // fault: last_block_without_fence
  if (atomicAdd(finished, 1u) == gridDim.x - 1) {
    float total = 0.0f;
    for (unsigned i = 0; i < gridDim.x; ++i)
      total += partial[i];  // fault: last_block_without_fence
    *sum = total;
  }
}

FAULT(last_block_without_fence, {.kind = "race", .variable = "d_partial"}) {
  float* d_in;
  float* d_partial;
  unsigned* d_finished;
  float* d_sum;
  cudaMalloc(&d_in, 4 * sizeof(float));
  cudaMalloc(&d_partial, 4 * sizeof(float));
  cudaMalloc(&d_finished, sizeof(unsigned));
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemset(d_in, 0, 4 * sizeof(float));
  cudaMemset(d_finished, 0, sizeof(unsigned));
  last_block_adds<<<4, 1>>>(d_in, d_partial, d_finished, d_sum);
}

// A whole block stores; one thread fences, before the barrier after which it has seen the others.
__global__ void fence_before_barrier(const float* in, float* partial, unsigned* finished,
                                     float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) __threadfence();
  partial[i] = in[i] + 1.0f;  // fault: fence_before_the_work
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (atomicAdd(finished, 1u) == gridDim.x - 1) {
    float total = 0.0f;
    for (unsigned j = 0; j < gridDim.x * blockDim.x; ++j) {
      total += partial[j];  // fault: fence_before_the_work
    }
    *sum = total;
  }
}

FAULT(fence_before_the_work, {.kind = "race", .variable = "d_partial"}) {
  float* d_in;
  float* d_partial;
  unsigned* d_finished;
  float* d_sum;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_partial, 64 * sizeof(float));
  cudaMalloc(&d_finished, sizeof(unsigned));
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemset(d_in, 0, 64 * sizeof(float));
  cudaMemset(d_finished, 0, sizeof(unsigned));
  fence_before_barrier<<<2, 32>>>(d_in, d_partial, d_finished, d_sum);
}

__global__ void pass_by_flag(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;  // fault: flag_without_fence
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    *out = *data;  // fault: flag_without_fence
  }
}

FAULT(flag_without_fence, {.kind = "race", .variable = "d_data"}) {
  int* d_data;
  int* d_flag;
  int* d_out;
  cudaMalloc(&d_data, sizeof(int));
  cudaMalloc(&d_flag, sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_flag, 0, sizeof(int));
  pass_by_flag<<<2, 1>>>(d_data, d_flag, d_out);
}

__global__ void count_under_lock(int* lock, int* count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *count += 1;  // fault: lock_without_fence
  atomicExch(lock, 0);
}

FAULT(lock_without_fence, {.kind = "race", .variable = "d_count"}) {
  int* d_lock;
  int* d_count;
  cudaMalloc(&d_lock, sizeof(int));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemset(d_lock, 0, sizeof(int));
  cudaMemset(d_count, 0, sizeof(int));
  count_under_lock<<<4, 1>>>(d_lock, d_count);
}

// Columns are the blocks' own in the input, rows in the output, and both are one matrix.
__global__ void transpose_in_place(float* matrix, int n) {
  const int x = threadIdx.x;
  const int y = blockIdx.x;
  matrix[x * n + y] = matrix[y * n + x];  // fault: transpose_in_place
}

FAULT(transpose_in_place, {.kind = "race", .variable = "d_matrix"}) {
  float matrix[16];
  for (int i = 0; i < 16; ++i) matrix[i] = static_cast<float>(i);
  float* d_matrix;
  cudaMalloc(&d_matrix, sizeof matrix);
  cudaMemcpy(d_matrix, matrix, sizeof matrix, cudaMemcpyHostToDevice);
  transpose_in_place<<<4, 4>>>(d_matrix, 4);
}

// The last row of one block is the first of the next.
__global__ void overlapping_rows(__nv_bfloat16* out) {
  const __nv_bfloat16 value = __float2bfloat16(1.0f + blockIdx.x);
  out[blockIdx.x * 7 + threadIdx.x] = value;  // fault: same_bfloat16
}

FAULT(same_bfloat16, {.kind = "race", .variable = "d_out"}) {
  __nv_bfloat16* d_out;
  cudaMalloc(&d_out, 15 * sizeof(__nv_bfloat16));
  overlapping_rows<<<2, 8>>>(d_out);
}
