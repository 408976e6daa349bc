// Managed memory and managed variables.

#include <cstdio>

__managed__ int counter;
__device__ __managed__ float values[16];

__global__ void count(const int* x, int n) {
  int i = threadIdx.x;
  if (i < n && x[i] > 0) atomicAdd(&counter, 1);
  values[i % 16] = i;
}

int main() {
  int* x = nullptr;
  cudaMallocManaged(&x, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) x[i] = i % 2;
  counter = 0;
  values[0] = 3;
  count<<<1, 32>>>(x, 32);
  cudaDeviceSynchronize();
  printf("%d %f\n", counter, values[0]);
  cudaFree(x);
  return counter == 16 ? 0 : 1;
}
