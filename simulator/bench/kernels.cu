// The kernels that the benchmark times, and the same work as plain loops. Prints a line for each
// figure: its name and nanoseconds, of which the fastest of several tries counts.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

constexpr int kTries = 5;
constexpr int kThreads = 256;
constexpr int kTile = 16;

__global__ void empty() {}

__global__ void barriers(int count) {
  for (int i = 0; i < count; ++i) __syncthreads();
}

__global__ void shuffles(float* out,  // [blocks, threads]
                         int count) {
  float value = threadIdx.x;
  for (int i = 0; i < count; ++i) value += __shfl_xor_sync(0xffffffffu, value, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void add(const float* a,  // [n]
                    const float* b,  // [n]
                    float* sum,      // [n]
                    int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

// Without tiles: every product reads two elements of the matrices.
__global__ void simple_matmul(const float* a,  // [n, n]
                              const float* b,  // [n, n]
                              float* product,  // [n, n]
                              int n) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  product[row * n + column] = sum;
}

__global__ void matmul(const float* a,  // [n, n]
                       const float* b,  // [n, n]
                       float* product,  // [n, n]
                       int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  product[row * n + column] = sum;
}

void matmul_by_loops(const std::vector<float>& a, const std::vector<float>& b,
                     std::vector<float>* product, int n) {
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
      (*product)[row * n + column] = sum;
    }
  }
}

// Prints the nanoseconds of one of `count` things that `work` does.
template <typename Work>
void measure(const char* name, double count, Work work) {
  double best = 0;
  for (int i = 0; i < kTries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    if (i == 0 || taken.count() < best) best = taken.count();
  }
  std::printf("%s %.6g\n", name, best / count);
}

float* device_copy(const std::vector<float>& values) {
  float* copy = nullptr;
  cudaMalloc(&copy, values.size() * sizeof(float));
  cudaMemcpy(copy, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return copy;
}

}  // namespace

int main() {
  constexpr int kBlocks = 4096;
  measure("thread", double{kBlocks} * kThreads, [] { empty<<<kBlocks, kThreads>>>(); });

  constexpr int kRounds = 100;
  constexpr int kFewBlocks = 64;
  measure("barrier", double{kFewBlocks} * kThreads * kRounds,
          [] { barriers<<<kFewBlocks, kThreads>>>(kRounds); });

  float* const out = device_copy(std::vector<float>(kFewBlocks * kThreads));
  measure("shuffle", double{kFewBlocks} * kThreads * kRounds,
          [&] { shuffles<<<kFewBlocks, kThreads>>>(out, kRounds); });

  constexpr int kElements = 1 << 20;
  const std::vector<float> values(kElements, 1.5f);
  std::vector<float> result(kElements);
  float* const a = device_copy(values);
  float* const b = device_copy(values);
  float* const sum = device_copy(values);
  measure("add", kElements, [&] { add<<<kElements / kThreads, kThreads>>>(a, b, sum, kElements); });
  measure("add_by_loop", kElements, [&] {
    for (int i = 0; i < kElements; ++i) result[i] = values[i] + values[kElements - 1 - i];
  });

  constexpr int kSize = 256;
  const double products = double{kSize} * kSize * kSize;
  measure("matmul", products, [&] {
    matmul<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(a, b, sum, kSize);
  });
  measure("simple_matmul", products, [&] {
    simple_matmul<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(a, b, sum, kSize);
  });
  measure("matmul_by_loop", products, [&] { matmul_by_loops(values, values, &result, kSize); });
  // So that the loops are not left out.
  return result[kSize] == 0 || cudaGetLastError() != cudaSuccess ? 1 : 0;
}
