// The host goes on before the device is done.

#include "simulator/tests/faults/fault.h"

__global__ void square(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

FAULT(managed_read_too_early, {.kind = "host-race", .variable = "out"}) {
  float* in;
  float* out;
  cudaMallocManaged(&in, 32 * sizeof(float));
  cudaMallocManaged(&out, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) in[i] = 1.0f * i;
  square<<<1, 32>>>(in, out, 32);  // fault: managed_read_too_early
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += out[i];  // fault: managed_read_too_early
  cudaDeviceSynchronize();
  cudaMemset(out, sum > 0.0f, sizeof(float));
}

// The input of the next round is written while the kernel of this one may still read it.
FAULT(managed_written_too_early, {.kind = "host-race", .variable = "in"}) {
  float* in;
  float* out;
  cudaMallocManaged(&in, 32 * sizeof(float));
  cudaMallocManaged(&out, 32 * sizeof(float));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 32; ++i) in[i] = 1.0f * i;  // fault: managed_written_too_early
    square<<<1, 32>>>(in, out, 32);                 // fault: managed_written_too_early
  }
}

__managed__ int matches;

__global__ void count_matches(const int* values, int wanted) {
  if (values[threadIdx.x] == wanted) atomicAdd(&matches, 1);
}

FAULT(managed_variable_too_early, {.kind = "host-race", .variable = "matches"}) {
  int* d_values;
  cudaMalloc(&d_values, 32 * sizeof(int));
  cudaMemset(d_values, 0, 32 * sizeof(int));
  matches = 0;
  count_matches<<<1, 32>>>(d_values, 0);  // fault: managed_variable_too_early
  if (matches != 32) std::abort();        // fault: managed_variable_too_early
}

// Another stream is waited for.
FAULT(wrong_stream_waited_for, {.kind = "host-race", .variable = "out"}) {
  cudaStream_t first;
  cudaStream_t second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* out;
  cudaMallocManaged(&out, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) out[i] = 2.0f;
  square<<<1, 32, 0, first>>>(out, out, 32);  // fault: wrong_stream_waited_for
  cudaStreamSynchronize(second);
  if (out[5] != 4.0f) std::abort();  // fault: wrong_stream_waited_for
}

FAULT(pinned_read_too_early, {.kind = "host-race", .variable = "values"}) {
  float* d_values;
  float* values;
  cudaMalloc(&d_values, 32 * sizeof(float));
  cudaMemset(d_values, 0, 32 * sizeof(float));
  cudaMallocHost(&values, 32 * sizeof(float));
  cudaMemcpyAsync(values, d_values, 32 * sizeof(float),  // fault: pinned_read_too_early
                  cudaMemcpyDeviceToHost);
  if (values[3] != 0.0f) std::abort();  // fault: pinned_read_too_early
}

// One buffer for two uploads.
FAULT(pinned_refilled_too_early, {.kind = "host-race", .variable = "staging"}) {
  float* d_values;
  float* staging;
  cudaMalloc(&d_values, 64 * sizeof(float));
  cudaMallocHost(&staging, 32 * sizeof(float));
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 32; ++i) staging[i] = 1.0f * i;  // fault: pinned_refilled_too_early
    cudaMemcpyAsync(d_values + half * 32, staging,       // fault: pinned_refilled_too_early
                    32 * sizeof(float), cudaMemcpyHostToDevice);
  }
}
