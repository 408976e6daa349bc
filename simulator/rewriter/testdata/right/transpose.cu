// Transposes, with a table of kernels to time.

#include <cstdio>

const int TILE = 32, ROWS = 8;

__global__ void naive(float* out, const float* in, int n) {
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) out[x * n + y + j] = in[(y + j) * n + x];
}

__global__ void tiled(float* out, const float* in, int n) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

struct Candidate {
  const char* name;
  void (*kernel)(float*, const float*, int);
} candidates[] = {{"naive", naive}, {"tiled", tiled}};

int main() {
  int n = 1024;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
  for (const Candidate& candidate : candidates) {
    candidate.kernel<<<grid, block>>>(out, in, n);
    printf("%s\n", candidate.name);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
