// Indices that leave their array.

#include <simulator/library_call.h>
#include <simulator/reports.h>

#include "simulator/tests/faults/fault.h"

using simulator_test::Builds;

__global__ void fill_one_too_many(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = 1.0f;  // fault: write_one_past
}

FAULT(write_one_past, {.kind = "out-of-bounds", .variable = "d_out"}) {
  float* d_out;
  cudaMalloc(&d_out, 100 * sizeof(float));
  fill_one_too_many<<<1, 128>>>(d_out, 100);
  cudaFree(d_out);
}

// Many threads at once make the same mistake: it is told once.
__global__ void scale_without_guard(float* values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = 0.5f;  // fault: missing_guard
}

FAULT(missing_guard, {.kind = "out-of-bounds", .variable = "d_values"}) {
  float* d_values;
  cudaMalloc(&d_values, 3 * sizeof(float));
  scale_without_guard<<<1, 32>>>(d_values);
  cudaFree(d_values);
}

__global__ void difference_to_next(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = in[i + 1] - in[i];  // fault: read_one_past
}

FAULT(read_one_past, {.kind = "out-of-bounds", .variable = "d_in"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_out, 64 * sizeof(float));
  cudaMemset(d_in, 0, 64 * sizeof(float));
  difference_to_next<<<1, 64>>>(d_in, d_out, 64);
}

__global__ void difference_to_previous(const float* in, float* out) {
  const int i = threadIdx.x;
  const float previous = in[i - 1];  // fault: negative_index
  out[i] = in[i] - previous;
}

FAULT(negative_index, {.kind = "out-of-bounds", .variable = "d_in"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_out, 64 * sizeof(float));
  cudaMemset(d_in, 0, 64 * sizeof(float));
  difference_to_previous<<<1, 64>>>(d_in, d_out);
}

__global__ void write_far_apart(float* out) {
  out[threadIdx.x * 1000000] = 1.0f;  // fault: far_index
}

FAULT(far_index, {.kind = "out-of-bounds"}) {
  float* d_out;
  cudaMalloc(&d_out, 64 * sizeof(float));
  write_far_apart<<<1, 64>>>(d_out);
}

// Row 60,000 of 40,000 columns begins at element 2.4e9, which no int holds.
__global__ void last_row(float* matrix, int rows, int columns) {
  const int i = (rows - 1) * columns + static_cast<int>(threadIdx.x);
  matrix[i] = 1.0f;  // fault: index_overflows
}

FAULT(index_overflows, {.kind = "out-of-bounds"}) {
  float* d_matrix;
  cudaMalloc(&d_matrix, 64 * sizeof(float));
  last_row<<<1, 32>>>(d_matrix, 60001, 40000);
}

// The last vector has only two floats of the array.
__global__ void negate_by_four(float* values, int n) {
  const int i = threadIdx.x;
  if (i * 4 < n) {
    float4* const vectors = reinterpret_cast<float4*>(values);
    vectors[i] = make_float4(-1.0f, -1.0f, -1.0f, -1.0f);  // fault: vector_past_the_end
  }
}

FAULT(vector_past_the_end, {.kind = "out-of-bounds", .variable = "d_values"}) {
  float* d_values;
  cudaMalloc(&d_values, 10 * sizeof(float));
  negate_by_four<<<1, 32>>>(d_values, 10);
}

__global__ void transpose_tile(float* out) {
  __shared__ float tile[8][8];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  tile[y][x + 1] = static_cast<float>(x);  // fault: row_overflow
  __syncthreads();
  out[y * 8 + x] = x > 0 ? tile[y][x] : 0.0f;
}

FAULT(row_overflow, {.kind = "out-of-bounds", .variable = "tile[y]"}) {
  float* d_out;
  cudaMalloc(&d_out, 64 * sizeof(float));
  transpose_tile<<<1, dim3(8, 8)>>>(d_out);
}

// Through a pointer the array's type is forgotten; its place is not.
__device__ void store(float* where, int i, float value) {
  where[i] = value;  // fault: static_shared_past
}

__global__ void fill_tile(float* out) {
  __shared__ float window[64];
  store(window, threadIdx.x + 1, 1.0f);
  __syncthreads();
  if (threadIdx.x > 0) out[threadIdx.x] = window[threadIdx.x];
}

FAULT(static_shared_past, {.kind = "out-of-bounds", .variable = "window"}) {
  float* d_out;
  cudaMalloc(&d_out, 64 * sizeof(float));
  fill_tile<<<1, 64>>>(d_out);
}

__global__ void reverse(float* values) {
  extern __shared__ float copy[];
  const int i = threadIdx.x;
  copy[i] = values[i];  // fault: dynamic_shared_past
  __syncthreads();
  if (i == 0) values[0] = copy[0];
}

FAULT(dynamic_shared_past, {.kind = "out-of-bounds", .variable = "dynamic shared memory"}) {
  float* d_values;
  cudaMalloc(&d_values, 64 * sizeof(float));
  cudaMemset(d_values, 0, 64 * sizeof(float));
  reverse<<<1, 64, 64>>>(d_values);
}

struct Particle {
  float position[3];
  float mass;
};

__global__ void move_particles(Particle* particles) {
  for (int axis = 0; axis <= 3; ++axis) {
    particles[threadIdx.x].position[axis] = 0.0f;  // fault: member_array
  }
}

FAULT(member_array, {.kind = "out-of-bounds", .variable = "particles[threadIdx.x].position"}) {
  Particle* d_particles;
  cudaMalloc(&d_particles, 32 * sizeof(Particle));
  move_particles<<<1, 32>>>(d_particles);
}

__global__ void count_digits(const int* digits, int* out) {
  int counts[4] = {};
  for (int i = 0; i < 8; ++i) ++counts[digits[i]];  // fault: local_array
  for (int i = 0; i < 4; ++i) out[i] = counts[i];
}

FAULT(local_array, {.kind = "out-of-bounds", .variable = "counts"}) {
  const int digits[8] = {0, 1, 2, 3, 0, 1, 2, 4};
  int* d_digits;
  int* d_out;
  cudaMalloc(&d_digits, sizeof digits);
  cudaMalloc(&d_out, 4 * sizeof(int));
  cudaMemcpy(d_digits, digits, sizeof digits, cudaMemcpyHostToDevice);
  count_digits<<<1, 1>>>(d_digits, d_out);
}

__device__ float device_table[16];

__global__ void look_up(float* out) {
  out[threadIdx.x] = device_table[threadIdx.x];  // fault: device_variable
}

FAULT(device_variable, {.kind = "out-of-bounds", .variable = "device_table"}) {
  float* d_out;
  cudaMalloc(&d_out, 17 * sizeof(float));
  look_up<<<1, 17>>>(d_out);
}

// The first array's tail would be the second array's head.
__global__ void blend(const float* in, float* out, int shift) {
  __shared__ float left[64];
  __shared__ float right[64];
  const int i = threadIdx.x;
  left[i] = in[i];
  right[i] = in[i];
  __syncthreads();
  const float* const shifted = left;
  out[i] = shifted[i + shift] * right[i];  // fault: into_next_shared_array
}

FAULT(into_next_shared_array, {.kind = "out-of-bounds", .variable = "left"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_out, 64 * sizeof(float));
  cudaMemset(d_in, 0, 64 * sizeof(float));
  blend<<<1, 64>>>(d_in, d_out, 3);
}

// Whole pages, in a template, by a function that does not know the array.
template <typename T>
__device__ __noinline__ void put(T* row, int i, T value) {
  row[i] = value;  // fault: into_shared_array_of_template
}

template <typename T>
__global__ void stage(T* out) {
  __shared__ T keys[1024];
  __shared__ T values[1024];
  __shared__ int count;
  const int i = threadIdx.x;
  if (i == 0) count = 1;
  put(i % 2 == 0 ? keys : values, i + 1, T(i));
  __syncthreads();
  if (i > 0 && i < 8) out[i] = (i % 2 == 1 ? keys[i] : values[i]) + count;
}

FAULT(into_shared_array_of_template, {.kind = "out-of-bounds", .variable = "values"}) {
  float* d_out;
  cudaMalloc(&d_out, 8 * sizeof(float));
  stage<<<1, 1024>>>(d_out);
}

// The first thread has no neighbour on its left.
__global__ void slope(const float* in, float* out, int distance) {
  __shared__ float heights[64];
  __shared__ float widths[64];
  const int i = threadIdx.x;
  heights[i] = in[i];
  widths[i] = in[i];
  __syncthreads();
  const float* const row = distance > 1 ? widths : heights;
  out[i] = row[i] - row[i - distance];  // fault: before_shared_array, before_first_shared_array
}

FAULT(before_shared_array, {.kind = "out-of-bounds", .variable = "heights"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_out, 64 * sizeof(float));
  cudaMemset(d_in, 0, 64 * sizeof(float));
  slope<<<1, 64>>>(d_in, d_out, 1);
}

FAULT(before_first_shared_array, {.kind = "out-of-bounds", .variable = "widths"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_out, 64 * sizeof(float));
  cudaMemset(d_in, 0, 64 * sizeof(float));
  slope<<<1, 64>>>(d_in, d_out, 2);
}

__global__ void slope_of_copy(float* values) {
  extern __shared__ float heights_copy[];
  const int i = threadIdx.x;
  heights_copy[i] = values[i];
  __syncthreads();
  values[i] = heights_copy[i] - heights_copy[i - 1];  // fault: before_dynamic_shared
}

FAULT(before_dynamic_shared, {.kind = "out-of-bounds", .variable = "dynamic shared memory"}) {
  float* d_values;
  cudaMalloc(&d_values, 64 * sizeof(float));
  cudaMemset(d_values, 0, 64 * sizeof(float));
  slope_of_copy<<<1, 64, 64 * sizeof(float)>>>(d_values);
}

// A row's length that is that of the columns: no thread is too many.
__global__ void copy_matrix(const float* in, float* out, int rows, int columns) {
  const int row = threadIdx.y;
  const int column = threadIdx.x;
  out[row * columns + column] = in[row * rows + column];  // fault: length_of_other_rows
}

FAULT(length_of_other_rows, {.kind = "out-of-bounds",
                             .variable = "table [4 x 2]",
                             .says = "that is the element [4, 0], and the last one is [3, 1]"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 8 * sizeof(float));
  cudaMalloc(&d_out, 8 * sizeof(float));
  cudaMemset(d_in, 0, 8 * sizeof(float));
  simulator::name_memory(d_in, "table [4 x 2]");
  copy_matrix<<<1, dim3(1, 4)>>>(d_in, d_out, 4, 2);
}

// A library cannot be looked into, but its caller can.
FAULT(library_past_the_end, {.kind = "out-of-bounds", .variable = "d_out"}) {
  using simulator::MemoryUse;
  float* d_out;
  cudaMalloc(&d_out, 24);
  const std::vector<MemoryUse> uses = {{MemoryUse::writes, d_out, 36, 1, 0, "out"}};
  simulator::library_call(nullptr, "fill", uses, [] {});  // fault: library_past_the_end
}
