// The host and the device take turns in memory that both can reach.

#include "simulator/tests/correct/correct.h"

using simulator_test::counted;
using simulator_test::DeviceArray;
using simulator_test::equal;

__global__ void triple(float* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] *= 3.0f;
}

namespace {

// Memory of both, with 0, 1, 2, ...
float* managed(int n) {
  float* values = nullptr;
  cudaMallocManaged(&values, n * sizeof(float));
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  return values;
}

bool is_tripled(const float* values, int n) {
  return equal(std::vector<float>(values, values + n), counted<float>(n, 3.0f));
}

}  // namespace

// The host has waited for the event, and so for the kernel before it.
CORRECT(managed_after_an_event) {
  float* const values = managed(32);
  cudaStream_t stream;
  cudaEvent_t done;
  cudaStreamCreate(&stream);
  cudaEventCreate(&done);
  triple<<<1, 32, 0, stream>>>(values, 32);
  cudaEventRecord(done, stream);
  cudaEventSynchronize(done);
  const bool right = is_tripled(values, 32);
  cudaEventDestroy(done);
  cudaStreamDestroy(stream);
  cudaFree(values);
  return right;
}

CORRECT(managed_after_polling) {
  float* const values = managed(32);
  triple<<<1, 32>>>(values, 32);
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
  }
  const bool right = is_tripled(values, 32);
  cudaFree(values);
  return right;
}

// cudaMemcpy waits for the default stream, and that for the others.
CORRECT(managed_after_a_copy) {
  float* const values = managed(32);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  triple<<<1, 32, 0, stream>>>(values, 32);
  float first = -1.0f;
  cudaMemcpy(&first, values, sizeof first, cudaMemcpyDefault);
  const bool right = is_tripled(values, 32) && equal(first, 0.0f);
  cudaStreamDestroy(stream);
  cudaFree(values);
  return right;
}

// The host looks at the half that no kernel uses.
CORRECT(managed_halves) {
  float* const values = managed(64);
  triple<<<1, 32>>>(values, 32);
  for (int i = 32; i < 64; ++i) values[i] *= 3.0f;
  cudaDeviceSynchronize();
  const bool right = is_tripled(values, 64);
  cudaFree(values);
  return right;
}

// Both read.
__global__ void sum_of(const float* values, int n, float* sum) {
  for (int i = 0; i < n; ++i) *sum += values[i];
}

CORRECT(managed_read_by_both) {
  float* const values = managed(32);
  const DeviceArray<float> d_sum(1);
  sum_of<<<1, 1>>>(values, 32, d_sum);
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += values[i];
  const bool right = equal(d_sum.values(), std::vector<float>{sum});
  cudaFree(values);
  return right;
}

// A function of the host in the stream comes after the kernel.
CORRECT(managed_in_a_host_function) {
  float* const values = managed(32);
  triple<<<1, 32>>>(values, 32);
  cudaLaunchHostFunc(
      nullptr,
      [](void* data) {
        for (int i = 0; i < 32; ++i) static_cast<float*>(data)[i] += 1.0f;
      },
      values);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i) values[i] -= 1.0f;
  const bool right = is_tripled(values, 32);
  cudaFree(values);
  return right;
}

// cudaMemset of what the host can reach waits.
CORRECT(managed_after_a_fill) {
  float* const values = managed(32);
  cudaMemset(values, 0, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) values[i] += static_cast<float>(i);
  triple<<<1, 32>>>(values, 32);
  cudaDeviceSynchronize();
  const bool right = is_tripled(values, 32);
  cudaFree(values);
  return right;
}

__global__ void answer(float* values, volatile int* flag) {
  values[0] = 42.0f;
  __threadfence_system();
  *flag = 1;
}

// The kernel says by a flag when the value is there.
CORRECT(pinned_flag) {
  float* value = nullptr;
  int* flag = nullptr;
  cudaHostAlloc(&value, sizeof(float), cudaHostAllocMapped);
  cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
  *flag = 0;
  answer<<<1, 1>>>(value, flag);
  while (*static_cast<volatile int*>(flag) == 0) {
  }
  const bool right = equal(*value, 42.0f);
  cudaFreeHost(value);
  cudaFreeHost(flag);
  return right;
}

// Two pinned buffers, one filled while the other is on its way.
CORRECT(pinned_double_buffer) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const DeviceArray<float> out(128);
  float* buffers[2] = {};
  cudaEvent_t free_again[2] = {};
  for (int i = 0; i < 2; ++i) {
    cudaMallocHost(&buffers[i], 32 * sizeof(float));
    cudaEventCreate(&free_again[i]);
  }
  for (int part = 0; part < 4; ++part) {
    float* const buffer = buffers[part % 2];
    cudaEventSynchronize(free_again[part % 2]);
    for (int i = 0; i < 32; ++i) buffer[i] = static_cast<float>(part * 32 + i);
    cudaMemcpyAsync(out.data() + part * 32, buffer, 32 * sizeof(float), cudaMemcpyHostToDevice,
                    stream);
    cudaEventRecord(free_again[part % 2], stream);
  }
  cudaStreamSynchronize(stream);
  const bool right = equal(out.values(), counted<float>(128));
  for (int i = 0; i < 2; ++i) {
    cudaFreeHost(buffers[i]);
    cudaEventDestroy(free_again[i]);
  }
  cudaStreamDestroy(stream);
  return right;
}
