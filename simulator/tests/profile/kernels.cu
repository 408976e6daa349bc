#include <vector>

#include "simulator/tests/profile/kernels.h"

namespace profile_test {
namespace {

// Device memory that is filled, so that the checker has nothing to say of it.
template <typename T>
class Filled {
 public:
  explicit Filled(int count) {
    cudaMalloc(&pointer_, static_cast<std::size_t>(count) * sizeof(T));
    cudaMemset(pointer_, 0, static_cast<std::size_t>(count) * sizeof(T));
  }
  Filled(const Filled&) = delete;
  Filled& operator=(const Filled&) = delete;
  ~Filled() { cudaFree(pointer_); }
  operator T*() const { return pointer_; }

 private:
  T* pointer_ = nullptr;
};

constexpr int kTile = 32;
constexpr int kRows = 8;

}  // namespace

__global__ void add(float* c, const float* a, const float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vector_add(int n, int threads) {
  const Filled<float> a(n), b(n), c(n);
  add<<<(n + threads - 1) / threads, threads>>>(c, a, b, n);
}

__global__ void read_strided(float* out, const float* in, int stride) {
  out[threadIdx.x] = in[threadIdx.x * stride];
}

void strided_read(int stride) {
  const Filled<float> in(32 * stride), out(32);
  read_strided<<<1, 32>>>(out, in, stride);
}

void misaligned_read() {
  const Filled<float> in(33), out(32);
  read_strided<<<1, 32>>>(out, in + 1, 1);
}

__global__ void copy4(float4* out, const float4* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

void float4_copy(int n) {
  const Filled<float4> in(n), out(n);
  copy4<<<n / 64, 64>>>(out, in);
}

__global__ void transpose_naive(float* out, const float* in, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const int row = blockIdx.y * kTile + y;
    out[x * n + row] = in[row * n + x];
  }
}

__global__ void transpose_tiled(float* out, const float* in, int n) {
  __shared__ float tile[kTile][kTile];
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    tile[y][threadIdx.x] = in[(blockIdx.y * kTile + y) * n + blockIdx.x * kTile + threadIdx.x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    out[(blockIdx.x * kTile + y) * n + blockIdx.y * kTile + threadIdx.x] = tile[threadIdx.x][y];
  }
}

__global__ void transpose_padded(float* out, const float* in, int n) {
  __shared__ float tile[kTile][kTile + 1];
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    tile[y][threadIdx.x] = in[(blockIdx.y * kTile + y) * n + blockIdx.x * kTile + threadIdx.x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    out[(blockIdx.x * kTile + y) * n + blockIdx.y * kTile + threadIdx.x] = tile[threadIdx.x][y];
  }
}

void transpose(Transpose how, int n) {
  const Filled<float> in(n * n), out(n * n);
  const dim3 grid(n / kTile, n / kTile), block(kTile, kRows);
  if (how == Transpose::naive) transpose_naive<<<grid, block>>>(out, in, n);
  if (how == Transpose::tiled) transpose_tiled<<<grid, block>>>(out, in, n);
  if (how == Transpose::padded) transpose_padded<<<grid, block>>>(out, in, n);
}

__global__ void multiply_naive(float* c, const float* a, const float* b, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

void matmul_naive(int n) {
  const Filled<float> a(n * n), b(n * n), c(n * n);
  multiply_naive<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n);
}

__global__ void multiply_tiled(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][16];
  const int column = blockIdx.x * 16 + threadIdx.x;
  const int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int start = 0; start < n; start += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

void matmul_tiled(int n) {
  const Filled<float> a(n * n), b(n * n), c(n * n);
  multiply_tiled<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n);
}

__global__ void read_shared_float2(float* out, int stride) {
  __shared__ float2 values[128];
  for (int i = threadIdx.x; i < 128; i += 32) values[i] = make_float2(i, i);
  __syncwarp();
  const float2 value = values[threadIdx.x * stride];
  out[threadIdx.x] = value.x + value.y;
}

void shared_float2() {
  const Filled<float> out(32);
  read_shared_float2<<<1, 32>>>(out, 1);
}

void shared_float2_strided() {
  const Filled<float> out(32);
  read_shared_float2<<<1, 32>>>(out, 4);
}

__global__ void read_shared_float4(float* out) {
  __shared__ float4 values[32];
  values[threadIdx.x] = make_float4(threadIdx.x, 0, 0, 0);
  __syncwarp();
  const float4 value = values[31 - threadIdx.x];
  out[threadIdx.x] = value.x;
}

void shared_float4() {
  const Filled<float> out(32);
  read_shared_float4<<<1, 32>>>(out);
}

__global__ void broadcast(float* out) {
  __shared__ float values[64];
  values[threadIdx.x] = threadIdx.x;
  values[threadIdx.x + 32] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = values[threadIdx.x / 16 * 32];
}

void half_warp_broadcast() {
  const Filled<float> out(32);
  broadcast<<<1, 32>>>(out);
}

__global__ void count(int* total) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  atomicAdd(total, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

void atomics_on_one_address() {
  const Filled<int> total(1);
  count<<<1, 64>>>(total);
}

__global__ void add_floats(float* totals) { atomicAdd(totals + threadIdx.x, 1.0f); }

void atomic_float() {
  const Filled<float> totals(32);
  add_floats<<<1, 32>>>(totals);
}

__global__ void branch(float* out, const float* in) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = in[threadIdx.x];
  } else {
    out[threadIdx.x] = in[threadIdx.x + 32];
    out[threadIdx.x] += 1;
  }
}

void divergent() {
  const Filled<float> in(64), out(32);
  branch<<<1, 32>>>(out, in);
}

__global__ void loop_in_odd_lanes(int* out, int rounds) {
  int value = threadIdx.x;
  if (threadIdx.x % 2 == 1) {
    for (int i = 0; i < rounds; ++i) value = value * value + i;
  }
  out[threadIdx.x] = value;
}

void odd_lanes_count() {
  const Filled<int> out(32);
  loop_in_odd_lanes<<<1, 32>>>(out, 10);
}

__global__ void double_rows(float* out, const float* in, int width) {
  out[threadIdx.y * width + threadIdx.x] = 2 * in[threadIdx.y * width + threadIdx.x];
}

void rows_of(int width, int height) {
  const Filled<float> in(64 * height), out(64 * height);
  double_rows<<<1, dim3(width, height)>>>(out, in, 64);
}

__global__ void unequal_loops(float* out, const float* in) {
  float sum = 0;
  for (int k = 0; k < static_cast<int>(threadIdx.x); ++k) sum += in[k];
  __syncthreads();
  for (int k = 0; k < 4; ++k) sum += in[k];
  out[threadIdx.x] = sum;
}

void matched_after_barrier() {
  const Filled<float> in(32), out(32);
  unequal_loops<<<1, 32>>>(out, in);
}

__global__ void barrier_of(int staying) {
  if (static_cast<int>(threadIdx.x) >= staying) return;
  __syncthreads();
}

void leave_before_barrier(int staying) { barrier_of<<<1, 48>>>(staying); }

__noinline__ __device__ void fill(int* values, int from) {
  for (int i = 0; i < 16; ++i) values[i] = from + i;
}

__global__ void use_array(int* out) {
  int values[16];
  fill(values, threadIdx.x);
  out[threadIdx.x] = values[out[threadIdx.x]];
}

void local_array() {
  const Filled<int> out(32);
  use_array<<<1, 32>>>(out);
}

struct Triple {
  double values[3];
};

__global__ void copy_struct(Triple* out, const Triple* in) { out[threadIdx.x] = in[threadIdx.x]; }

void copies_struct() {
  const Filled<Triple> in(32), out(32);
  copy_struct<<<1, 32>>>(out, in);
}

__constant__ float factor = 3;

__global__ void use_constant(float* out) { out[threadIdx.x] = factor; }

void reads_constant() {
  const Filled<float> out(32);
  use_constant<<<1, 32>>>(out);
}

__device__ int calls;

__global__ void count_calls() { atomicAdd(&calls, 1); }

void counts_in_device_variable() { count_calls<<<1, 32>>>(); }

__global__ void go_through(float* out, const float* in, int rounds) {
  float sum = 0;
  for (int k = 0; k < rounds; ++k) sum += in[k * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

void long_loop(int rounds) {
  const Filled<float> in(rounds * 32), out(32);
  go_through<<<1, 32>>>(out, in, rounds);
}

namespace {
int* kept = nullptr;
}

__global__ void write_ones(int* out) { out[threadIdx.x] = 1; }

__global__ void read_all(int* sum, const int* in) { atomicAdd(sum, in[threadIdx.x]); }

void initialise(int n) {
  cudaMalloc(&kept, n * sizeof(int));
  write_ones<<<1, n>>>(kept);
}

int use_initialised(int n) {
  const Filled<int> sum(1);
  read_all<<<1, n>>>(sum, kept);
  int result = 0;
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(kept);
  return result;
}

template <int kTimes>
__global__ void scale(float* values) {
  values[threadIdx.x] *= kTimes;
}

void templated() {
  const Filled<float> values(32);
  scale<2><<<1, 32>>>(values);
  scale<3><<<2, 32>>>(values);
}

}  // namespace profile_test
