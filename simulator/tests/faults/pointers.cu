// Pointers to the wrong memory, of either side, and copies.

#include <cstdlib>
#include <vector>

#include "simulator/tests/faults/fault.h"

using simulator_test::Builds;

__global__ void add_one(float* values) {
  const int i = threadIdx.x;
  values[i] += 1.0f;  // fault: use_after_free, heap_of_host, stack_of_host, variable_of_host
}

__global__ void set_to_one(float* values) {
  values[threadIdx.x] = 1.0f;  // fault: null_pointer, failed_allocation
}

FAULT(use_after_free, {.kind = "use-after-free", .variable = "d_values"}) {
  float* d_values;
  cudaMalloc(&d_values, 32 * sizeof(float));
  cudaMemset(d_values, 0, 32 * sizeof(float));
  cudaFree(d_values);
  add_one<<<1, 32>>>(d_values);
}

FAULT(double_free, {.kind = "free", .builds = Builds::both}) {
  float* d_values;
  cudaMalloc(&d_values, 32 * sizeof(float));
  cudaFree(d_values);
  cudaFree(d_values);  // fault: double_free
}

FAULT(free_of_host_memory, {.kind = "free", .builds = Builds::both}) {
  void* const values = std::malloc(64);
  cudaFree(values);  // fault: free_of_host_memory
  std::free(values);
}

FAULT(free_inside, {.kind = "free", .builds = Builds::both}) {
  float* d_values;
  cudaMalloc(&d_values, 32 * sizeof(float));
  cudaFree(d_values + 1);  // fault: free_inside
}

FAULT(null_pointer, {.kind = "null-pointer", .builds = Builds::both}) {
  set_to_one<<<1, 32>>>(nullptr);
}

// The size is a negative number that became a huge one; nobody looked at the error.
FAULT(failed_allocation, {.kind = "null-pointer", .builds = Builds::both}) {
  float* d_values = nullptr;
  int n = -4;
  cudaMalloc(&d_values, n * sizeof(float));
  set_to_one<<<1, 32>>>(d_values);
}

FAULT(heap_of_host, {.kind = "host-pointer"}) {
  std::vector<float> values(32);
  add_one<<<1, 32>>>(values.data());
}

FAULT(stack_of_host, {.kind = "host-pointer"}) {
  float values[32] = {};
  add_one<<<1, 32>>>(values);
}

float host_table[32];

FAULT(variable_of_host, {.kind = "host-pointer", .variable = "host_table"}) {
  add_one<<<1, 32>>>(host_table);
}

struct Matrix {
  float* values;
  int columns;
};

__global__ void clear(const Matrix* matrix) {
  for (int i = 0; i < matrix->columns; ++i) {
    matrix->values[i] = 0.0f;  // fault: pointer_inside_struct
  }
}

// The struct was copied, what it points to was not.
FAULT(pointer_inside_struct, {.kind = "host-pointer"}) {
  std::vector<float> values(8);
  const Matrix matrix = {values.data(), 8};
  Matrix* d_matrix;
  cudaMalloc(&d_matrix, sizeof matrix);
  cudaMemcpy(d_matrix, &matrix, sizeof matrix, cudaMemcpyHostToDevice);
  clear<<<1, 1>>>(d_matrix);
}

template <typename Vector>
__global__ void copy_vectors(const float* in, float* out) {
  const auto* const from = reinterpret_cast<const Vector*>(in);
  auto* const to = reinterpret_cast<Vector*>(out);
  to[threadIdx.x] = from[threadIdx.x];  // fault: misaligned_float4, misaligned_float2
}

FAULT(misaligned_float4, {.kind = "misaligned", .variable = "d_in"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 36 * sizeof(float));
  cudaMalloc(&d_out, 36 * sizeof(float));
  cudaMemset(d_in, 0, 36 * sizeof(float));
  copy_vectors<float4><<<1, 8>>>(d_in + 1, d_out);
}

FAULT(misaligned_float2, {.kind = "misaligned", .variable = "d_out"}) {
  float* d_in;
  float* d_out;
  cudaMalloc(&d_in, 36 * sizeof(float));
  cudaMalloc(&d_out, 36 * sizeof(float));
  cudaMemset(d_in, 0, 36 * sizeof(float));
  copy_vectors<float2><<<1, 8>>>(d_in, d_out + 3);
}

// Rows of 5 doubles: every second one begins at an odd multiple of 8.
__global__ void first_two_of_row(const double* in, double* out, int columns) {
  const double* const row = in + threadIdx.x * columns;
  const double2 pair = *reinterpret_cast<const double2*>(row);  // fault: misaligned_double2
  out[threadIdx.x] = pair.x + pair.y;
}

FAULT(misaligned_double2, {.kind = "misaligned", .variable = "d_in"}) {
  double* d_in;
  double* d_out;
  cudaMalloc(&d_in, 20 * sizeof(double));
  cudaMalloc(&d_out, 4 * sizeof(double));
  cudaMemset(d_in, 0, 20 * sizeof(double));
  first_two_of_row<<<1, 4>>>(d_in, d_out, 5);
}

FAULT(host_writes_device_memory, {.kind = "device-pointer", .variable = "d_values"}) {
  float* d_values;
  cudaMalloc(&d_values, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) d_values[i] = 0.0f;  // fault: host_writes_device_memory
}

FAULT(host_reads_device_memory, {.kind = "device-pointer", .variable = "d_values"}) {
  float* d_values;
  cudaMalloc(&d_values, 32 * sizeof(float));
  cudaMemset(d_values, 0, 32 * sizeof(float));
  volatile float first = d_values[0];  // fault: host_reads_device_memory
  (void)first;
}

// A local variable is its thread's own, wherever its address goes.
__global__ void borrow_local(int* out) {
  __shared__ int* borrowed;
  int mine = static_cast<int>(threadIdx.x);
  if (threadIdx.x == 0) borrowed = &mine;
  __syncthreads();
  out[threadIdx.x] = *borrowed;  // fault: local_of_another_thread
  __syncthreads();
}

FAULT(local_of_another_thread, {.kind = "local-memory"}) {
  int* d_out;
  cudaMalloc(&d_out, 32 * sizeof(int));
  borrow_local<<<1, 32>>>(d_out);
}

FAULT(copy_in_the_wrong_direction, {.kind = "copy", .builds = Builds::both}) {
  float values[32] = {};
  float* d_values;
  cudaMalloc(&d_values, sizeof values);
  cudaMemcpy(d_values, values, 128, cudaMemcpyDeviceToHost);  // fault: copy_in_the_wrong_direction
}

FAULT(copy_with_swapped_arguments, {.kind = "copy", .builds = Builds::both}) {
  float values[32] = {};
  float* d_values;
  cudaMalloc(&d_values, sizeof values);
  cudaMemcpy(values, d_values, 128, cudaMemcpyHostToDevice);  // fault: copy_with_swapped_arguments
}

FAULT(copy_too_long, {.kind = "copy", .builds = Builds::both}) {
  float values[64] = {};
  float* d_values;
  cudaMalloc(&d_values, 32);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);  // fault: copy_too_long
}

FAULT(copy_of_freed_memory, {.kind = "copy"}) {
  float values[32] = {};
  float* d_values;
  cudaMalloc(&d_values, sizeof values);
  cudaMemset(d_values, 0, sizeof values);
  cudaFree(d_values);
  cudaMemcpy(values, d_values, 128, cudaMemcpyDeviceToHost);  // fault: copy_of_freed_memory
}

FAULT(fill_of_host_memory, {.kind = "copy", .builds = Builds::both}) {
  float values[32];
  cudaMemset(values, 0, sizeof values);  // fault: fill_of_host_memory
}

__constant__ float weights[16];

FAULT(symbol_too_small, {.kind = "copy", .builds = Builds::both}) {
  const float values[17] = {};
  cudaMemcpyToSymbol(weights, values, sizeof values);  // fault: symbol_too_small
}

// Memory from new, given back too early.
__global__ void new_and_delete(int** kept) {
  int* const values = new int[4];
  *kept = values;
  values[3] = 1;
  delete[] values;
}

__global__ void read_after_delete(int* const* kept, int* out) {
  *out = (*kept)[3];  // fault: read_after_delete
}

FAULT(read_after_delete, {.kind = "use-after-free", .variable = "16 bytes of device memory"}) {
  int** d_kept;
  int* d_out;
  cudaMalloc(&d_kept, sizeof(int*));
  cudaMalloc(&d_out, sizeof(int));
  new_and_delete<<<1, 1>>>(d_kept);
  read_after_delete<<<1, 1>>>(d_kept, d_out);
}
