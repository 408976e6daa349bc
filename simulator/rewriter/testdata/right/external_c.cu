// C linkage, prototypes and old style.

#include <stdio.h>
#include <stdlib.h>

extern "C" {
__global__ void axpy(float a, const float* x, float* y, int n);
void run(float* x, float* y, int n);
}
extern "C" __device__ float twice(float a) { return 2 * a; }

float *host_x, *host_y;
static int blocks(int n) { return (n + 127) / 128; }

__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = twice(a) * x[i] + y[i];
}

void run(float* x, float* y, int n) {
  axpy<<<blocks(n), 128>>>(2.0f, x, y, n);
  cudaDeviceSynchronize();
}

int main(void) {
  int n = 100;
  float *x, *y;
  host_x = (float*)malloc(n * sizeof(float));
  host_y = (float*)malloc(n * sizeof(float));
  cudaMalloc((void**)&x, n * sizeof(float));
  cudaMalloc((void**)&y, n * sizeof(float));
  cudaMemcpy(x, host_x, n * sizeof(float), cudaMemcpyHostToDevice);
  run(x, y, n);
  cudaMemcpy(host_y, y, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", host_y[0]);
  free(host_x);
  free(host_y);
  return 0;
}
