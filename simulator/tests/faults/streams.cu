// Work in two streams that nothing orders.

#include "simulator/tests/faults/fault.h"
#include "simulator/tests/faults/zeros.h"

using simulator_test::zeros;

__global__ void fill(float* out, float value) {
  out[threadIdx.x] = value;  // fault: no_event, early_event, default_stream, two_writers, copy
}

__global__ void add(const float* in, float* out) {
  const float value = in[threadIdx.x];  // fault: no_event, early_event, default_stream, reused
  out[threadIdx.x] += value;
}

FAULT(no_event, {.kind = "race", .variable = "d_values"}) {
  cudaStream_t first;
  cudaStream_t second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* d_values;
  cudaMalloc(&d_values, 64 * sizeof(float));
  float* d_sum = zeros<float>(64);
  fill<<<1, 64, 0, first>>>(d_values, 1.0f);
  add<<<1, 64, 0, second>>>(d_values, d_sum);
  cudaDeviceSynchronize();
}

FAULT(early_event, {.kind = "race", .variable = "d_values"}) {
  cudaStream_t first;
  cudaStream_t second;
  cudaEvent_t filled;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&filled);
  float* d_values;
  cudaMalloc(&d_values, 64 * sizeof(float));
  float* d_sum = zeros<float>(64);
  cudaEventRecord(filled, first);
  fill<<<1, 64, 0, first>>>(d_values, 1.0f);
  cudaStreamWaitEvent(second, filled, 0);
  add<<<1, 64, 0, second>>>(d_values, d_sum);
  cudaDeviceSynchronize();
}

// A stream made with cudaStreamNonBlocking does not wait for the default stream.
FAULT(default_stream, {.kind = "race", .variable = "d_values"}) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  float* d_values;
  cudaMalloc(&d_values, 64 * sizeof(float));
  float* d_sum = zeros<float>(64);
  cudaDeviceSynchronize();
  fill<<<1, 64>>>(d_values, 1.0f);
  add<<<1, 64, 0, stream>>>(d_values, d_sum);
  cudaDeviceSynchronize();
}

// Each stream has its half, and the halves overlap.
FAULT(two_writers, {.kind = "race", .variable = "d_values"}) {
  cudaStream_t first;
  cudaStream_t second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* d_values;
  cudaMalloc(&d_values, 100 * sizeof(float));
  fill<<<1, 51, 0, first>>>(d_values, 1.0f);
  fill<<<1, 50, 0, second>>>(d_values + 50, 2.0f);
  cudaDeviceSynchronize();
}

FAULT(copy, {.kind = "race", .variable = "d_values"}) {
  cudaStream_t first;
  cudaStream_t second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* d_values;
  cudaMalloc(&d_values, 64 * sizeof(float));
  float values[64];
  fill<<<1, 64, 0, first>>>(d_values, 1.0f);
  cudaMemcpyAsync(values, d_values, sizeof values, cudaMemcpyDeviceToHost, second);  // fault: copy
  cudaDeviceSynchronize();
}

// The next round's input is copied over the one that a kernel may still be reading.
FAULT(reused, {.kind = "race", .variable = "d_values"}) {
  cudaStream_t first;
  cudaStream_t second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* d_values = zeros<float>(64);
  float* d_sum = zeros<float>(64);
  cudaDeviceSynchronize();
  add<<<1, 64, 0, first>>>(d_values, d_sum);
  cudaMemsetAsync(d_values, 0, 64 * sizeof(float), second);  // fault: reused
  cudaDeviceSynchronize();
}
