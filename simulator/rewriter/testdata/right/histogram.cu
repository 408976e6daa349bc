// A histogram by atomics in shared memory.

#include <cstdio>
#include <cstring>

#define BINS 256
#define DIVIDE_UP(a, b) (((a) + (b)-1) / (b))

static unsigned int host_bins[BINS];
int verbose = 0;

__global__ void histogram(const unsigned char* x, unsigned int* bins, int n) {
  __shared__ unsigned int local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&local[x[i]], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(bins + i, local[i]);
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "-v") == 0) verbose = 1;
  const int n = 1 << 20;
  unsigned char* x;
  unsigned int* bins;
  cudaMalloc((void**)&x, n);
  cudaMalloc((void**)&bins, sizeof(host_bins));
  cudaMemset(bins, 0, sizeof(host_bins));
  histogram<<<DIVIDE_UP(n, 256 * 16), 256>>>(x, bins, n);
  cudaMemcpy(host_bins, bins, sizeof(host_bins), cudaMemcpyDeviceToHost);
  for (int i = 0; verbose && i < BINS; ++i) printf("%d: %u\n", i, host_bins[i]);
  return 0;
}
