// A filter in constant memory.

#include <cstring>

constexpr int kRadius = 4;
__constant__ float filter[2 * kRadius + 1];
__constant__ int width;
__device__ unsigned int blocks_done = 0;
__device__ float buffer[1024];

__global__ void convolve(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width) return;
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) {
    if (i + k >= 0 && i + k < width) sum += filter[k + kRadius] * x[i + k];
  }
  y[i] = sum;
  buffer[i % 1024] = sum;
  if (threadIdx.x == 0) atomicInc(&blocks_done, gridDim.x);
}

int run(const float* x, float* y, int n) {
  float values[2 * kRadius + 1];
  for (float& value : values) value = 1.0f / sizeof(filter) * sizeof(float);
  cudaMemcpyToSymbol(filter, values, sizeof(filter));
  cudaMemcpyToSymbol(width, &n, sizeof(int));
  convolve<<<(n + 255) / 256, 256>>>(x, y);
  unsigned int done = 0;
  cudaMemcpyFromSymbol(&done, blocks_done, sizeof(done));
  void* address = nullptr;
  cudaGetSymbolAddress(&address, buffer);
  cudaMemset(address, 0, sizeof(buffer));
  return static_cast<int>(done);
}
