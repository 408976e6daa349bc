// c = a + b, of as many elements as the first argument says. The exit status is the second one.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fill.cuh"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULT
  c[i] = a[i] + b[i];
#else
  if (i < n) c[i] = a[i] + b[i];
#endif
}

int main(int count, char** words) {
  const int n = count > 1 ? std::atoi(words[1]) : 1000;
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  fill_with(a, n, 1);
  fill_with(b, n, 2);
  add<<<(n + 127) / 128, 128>>>(a, b, c, n);
  std::vector<float> result(n);
  cudaMemcpy(result.data(), c, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (const float value : result) sum += value;
  std::printf("%s sums to %g\n", words[0], sum);
  return count > 2 ? std::atoi(words[2]) : 0;
}
