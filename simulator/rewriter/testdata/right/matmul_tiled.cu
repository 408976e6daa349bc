// Matrix product with tiles in shared memory.

constexpr int kTile = 16;
const float kAlpha = 2.5f;

__global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float a[kTile][kTile], b[kTile][kTile + 1];
  int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < N / kTile; ++t) {
    a[threadIdx.y][threadIdx.x] = A[row * N + t * kTile + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(t * kTile + threadIdx.y) * N + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + column] = kAlpha * sum;
}

void launch(const float* A, const float* B, float* C, int N) {
  dim3 block(kTile, kTile), grid{unsigned(N / kTile), unsigned(N / kTile)};
  matmul<<<grid, block>>>(A, B, C, N);
}
