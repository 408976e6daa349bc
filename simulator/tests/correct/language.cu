// The language: parameters, types, functions, memory of every kind.

#include <thread>

#include "simulator/tests/correct/correct.h"

using simulator_test::counted;
using simulator_test::DeviceArray;
using simulator_test::equal;

// Some return early; the rest go on to the barrier.
__global__ void return_before_barrier(const int* in, int* out, int n) {
  __shared__ int values[64];
  const int i = threadIdx.x;
  if (i >= n) return;
  values[i] = in[i];
  __syncthreads();
  out[i] = values[n - 1 - i];
}

CORRECT(early_return_before_a_barrier) {
  const DeviceArray<int> in(counted<int>(40));
  const DeviceArray<int> out(40);
  return_before_barrier<<<1, 64>>>(in, out, 40);
  std::vector<int> expected;
  for (int i = 0; i < 40; ++i) expected.push_back(39 - i);
  return equal(out.values(), expected);
}

// A kernel may wait for the clock, and time itself by it.
__global__ void wait_for_clock(int* out) {
  const long long start = clock64();
  while (clock64() - start < 100000) {
  }
  __syncthreads();
  out[threadIdx.x] = clock64() > start;
}

CORRECT(clock_goes_on) {
  const DeviceArray<int> out(64);
  wait_for_clock<<<1, 64>>>(out);
  return equal(out.values(), std::vector<int>(64, 1));
}

__global__ void scale(float* values, int n, float factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    values[i] *= factor;
  }
}

CORRECT(grid_stride_loop) {
  bool right = true;
  for (const int threads : {1, 33, 97, 1000}) {
    const DeviceArray<float> values(counted<float>(1001));
    scale<<<3, threads>>>(values, 1001, 2.0f);
    right = equal(values.values(), counted<float>(1001, 2.0f)) && right;
  }
  return right;
}

// A struct with holes, copied whole.
struct Record {
  char kind;
  double weight;
  short count;
};

__global__ void copy_records(const Record* in, Record* out) {
  Record record = in[threadIdx.x];
  record.count += 1;
  out[31 - threadIdx.x] = record;
}

__global__ void make_records(Record* out) {
  const int i = threadIdx.x;
  out[i].kind = static_cast<char>(i);
  out[i].weight = i * 0.5;
  out[i].count = static_cast<short>(i * 2);
}

__global__ void weigh_records(const Record* in, double* out) {
  const Record record = in[threadIdx.x];
  out[threadIdx.x] = record.kind + record.weight + record.count;
}

CORRECT(struct_with_padding) {
  Record* d_made;
  Record* d_copied;
  cudaMalloc(&d_made, 32 * sizeof(Record));
  cudaMalloc(&d_copied, 32 * sizeof(Record));
  const DeviceArray<double> out(32);
  make_records<<<1, 32>>>(d_made);
  copy_records<<<1, 32>>>(d_made, d_copied);
  weigh_records<<<1, 32>>>(d_copied, out);
  cudaFree(d_made);
  cudaFree(d_copied);
  std::vector<double> expected;
  for (int i = 31; i >= 0; --i) expected.push_back(i * 3.5 + 1.0);
  return equal(out.values(), expected);
}

// A member that nobody writes goes along in copies, and nobody uses it.
struct Candidate {
  float score;
  int index;
  int spare;
};

__global__ void make_candidates(Candidate* out) {
  out[threadIdx.x].score = 1.0f / (1 + threadIdx.x);
  out[threadIdx.x].index = static_cast<int>(threadIdx.x);
}

__global__ void reverse_candidates(const Candidate* in, Candidate* out) {
  __shared__ Candidate row[32];
  row[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[31 - threadIdx.x];
}

__global__ void indices_of(const Candidate* in, int* out) {
  const Candidate candidate = in[threadIdx.x];
  out[threadIdx.x] = candidate.score > 0.0f ? candidate.index : -1;
}

CORRECT(member_that_nobody_uses) {
  Candidate* d_made;
  Candidate* d_copied;
  Candidate* d_reversed;
  cudaMalloc(&d_made, 32 * sizeof(Candidate));
  cudaMalloc(&d_copied, 32 * sizeof(Candidate));
  cudaMalloc(&d_reversed, 32 * sizeof(Candidate));
  const DeviceArray<int> out(32);
  make_candidates<<<1, 32>>>(d_made);
  cudaMemcpy(d_copied, d_made, 32 * sizeof(Candidate), cudaMemcpyDeviceToDevice);
  reverse_candidates<<<1, 32>>>(d_copied, d_reversed);
  indices_of<<<1, 32>>>(d_reversed, out);
  for (Candidate* const pointer : {d_made, d_copied, d_reversed}) cudaFree(pointer);
  std::vector<int> expected;
  for (int i = 31; i >= 0; --i) expected.push_back(i);
  return equal(out.values(), expected);
}

union Word {
  unsigned whole;
  unsigned char bytes[4];
  float real;
};

__global__ void swap_bytes(const unsigned* in, unsigned* out) {
  __shared__ Word words[32];
  words[threadIdx.x].whole = in[threadIdx.x];
  Word swapped;
  for (int i = 0; i < 4; ++i) swapped.bytes[i] = words[threadIdx.x].bytes[3 - i];
  out[threadIdx.x] = swapped.whole;
}

CORRECT(union_of_bytes) {
  const DeviceArray<unsigned> in(counted<unsigned>(32, 0x01020304u));
  const DeviceArray<unsigned> out(32);
  swap_bytes<<<1, 32>>>(in, out);
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < 32; ++i) expected.push_back(__builtin_bswap32(i * 0x01020304u));
  return equal(out.values(), expected);
}

__global__ void add_by_four(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * 4 + 3 < n) {
    const float4 x = reinterpret_cast<const float4*>(a)[i];
    const float4 y = reinterpret_cast<const float4*>(b)[i];
    reinterpret_cast<float4*>(out)[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  } else {
    for (int j = i * 4; j < n; ++j) out[j] = a[j] + b[j];
  }
}

CORRECT(vector_loads) {
  const DeviceArray<float> a(counted<float>(103));
  const DeviceArray<float> b(counted<float>(103, 3.0f));
  const DeviceArray<float> out(103);
  add_by_four<<<1, 32>>>(a, b, out, 103);
  return equal(out.values(), counted<float>(103, 4.0f));
}

__global__ void index_in_three_dimensions(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  const int width = gridDim.x * blockDim.x;
  const int height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = x + 10 * y + 100 * z;
}

CORRECT(blocks_in_three_dimensions) {
  const DeviceArray<int> out(6 * 10 * 8);
  index_in_three_dimensions<<<dim3(2, 2, 2), dim3(3, 5, 4)>>>(out);
  std::vector<int> expected;
  for (int i = 0; i < 6 * 10 * 8; ++i) {
    expected.push_back(i % 6 + 10 * (i / 6 % 10) + 100 * (i / 60));
  }
  return equal(out.values(), expected);
}

__constant__ float coefficients[4];
__device__ int calls;
__device__ float table[32];

__global__ void polynomial(const float* in, float* out) {
  const float x = in[threadIdx.x];
  float sum = 0.0f;
  for (int i = 3; i >= 0; --i) sum = sum * x + coefficients[i];
  out[threadIdx.x] = sum;
  table[threadIdx.x] = sum * 2.0f;
  atomicAdd(&calls, 1);
}

CORRECT(constant_and_device_variables) {
  const std::vector<float> numbers = {1.0f, 0.0f, 2.0f, 1.0f};
  cudaMemcpyToSymbol(coefficients, numbers.data(), 4 * sizeof(float));
  const int none = 0;
  cudaMemcpyToSymbol(calls, &none, sizeof none);
  const DeviceArray<float> in(counted<float>(32));
  const DeviceArray<float> out(32);
  polynomial<<<1, 32>>>(in, out);
  int count = 0;
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  // The address of a __device__ variable, as a kernel may have it.
  float* d_table = nullptr;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&d_table), table);
  scale<<<1, 32>>>(d_table, 32, 0.5f);
  std::vector<float> doubled(32);
  cudaMemcpyFromSymbol(doubled.data(), table, 32 * sizeof(float));
  std::vector<float> expected;
  for (int i = 0; i < 32; ++i) expected.push_back(1.0f + 2.0f * i * i + 1.0f * i * i * i);
  return equal(count, 32) && equal(out.values(), expected) && equal(doubled, expected);
}

__managed__ int total;
__managed__ float shares[4];

__global__ void add_up(const int* values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&total, values[i]);
}

// Both sides use it in turn, with a synchronisation between.
CORRECT(managed_memory) {
  int* values = nullptr;
  cudaMallocManaged(&values, 100 * sizeof(int));
  for (int i = 0; i < 100; ++i) values[i] = i;
  total = 1;
  add_up<<<1, 32>>>(values, 100);
  cudaDeviceSynchronize();
  total += 1;
  for (int i = 0; i < 4; ++i) shares[i] = 0.25f * i;
  scale<<<1, 4>>>(shares, 4, 4.0f);
  cudaDeviceSynchronize();
  cudaFree(values);
  return equal(total, 99 * 100 / 2 + 2) && equal(shares[3], 3.0f);
}

CORRECT(pinned_memory) {
  float* values = nullptr;
  cudaHostAlloc(&values, 64 * sizeof(float), cudaHostAllocMapped);
  for (int i = 0; i < 64; ++i) values[i] = static_cast<float>(i);
  float* d_values = nullptr;
  cudaHostGetDevicePointer(&d_values, values, 0);
  scale<<<1, 64>>>(d_values, 64, 3.0f);
  cudaDeviceSynchronize();
  const bool right = equal(std::vector<float>(values, values + 64), counted<float>(64, 3.0f));
  cudaFreeHost(values);
  return right;
}

// A parameter with constructors: copied byte by byte, once a launch.
class View {
 public:
  View(float* data, int size) : data_(data), size_(size) {}
  View(const View& other) : data_(other.data_), size_(other.size_) {}
  ~View() {}
  __device__ int size() const { return size_; }
  __device__ float& operator[](int i) const { return data_[i]; }

 private:
  float* data_;
  int size_;
};

__global__ void negate(View view) {
  if (static_cast<int>(threadIdx.x) < view.size()) view[threadIdx.x] = -view[threadIdx.x];
}

CORRECT(parameter_with_constructors) {
  const DeviceArray<float> values(counted<float>(20));
  negate<<<1, 32>>>(View(values, 20));
  return equal(values.values(), counted<float>(20, -1.0f));
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void fibonacci_numbers(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }

CORRECT(recursion) {
  const DeviceArray<int> out(10);
  fibonacci_numbers<<<1, 10>>>(out);
  return equal(out.values(), {0, 1, 1, 2, 3, 5, 8, 13, 21, 34});
}

using Operation = float (*)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ Operation operation = multiply;

__global__ void apply(float* values, int which) {
  const Operation chosen = which == 0 ? add : operation;
  values[threadIdx.x] = chosen(values[threadIdx.x], 10.0f);
}

CORRECT(pointers_to_functions) {
  const DeviceArray<float> values(counted<float>(32));
  apply<<<1, 32>>>(values, 0);
  apply<<<1, 32>>>(values, 1);
  std::vector<float> expected;
  for (int i = 0; i < 32; ++i) expected.push_back((static_cast<float>(i) + 10.0f) * 10.0f);
  return equal(values.values(), expected);
}

template <typename T, int kWidth>
__global__ void blur(const T* in, T* out, int n) {
  __shared__ T window[64 + 2 * kWidth];
  const int i = threadIdx.x;
  window[i + kWidth] = i < n ? in[i] : T(0);
  if (i < kWidth) {
    window[i] = T(0);
    window[i + 64 + kWidth] = T(0);
  }
  __syncthreads();
  T sum = T(0);
#pragma unroll
  for (int j = -kWidth; j <= kWidth; ++j) sum += window[i + kWidth + j];
  if (i < n) out[i] = sum;
}

CORRECT(template_with_a_halo) {
  const DeviceArray<int> in(std::vector<int>(50, 1));
  const DeviceArray<int> out(50);
  blur<int, 2><<<1, 64>>>(in, out, 50);
  std::vector<int> expected(50, 5);
  expected[0] = expected[49] = 3;
  expected[1] = expected[48] = 4;
  return equal(out.values(), expected);
}

template <typename Function>
__global__ void for_each(int* values, int n, Function function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = function(values[i]);
}

struct Power {
  int exponent;
  __device__ int operator()(int base) const {
    int result = 1;
    for (int i = 0; i < exponent; ++i) result *= base;
    return result;
  }
};

__global__ void device_lambda(int* values) {
  int bias = static_cast<int>(threadIdx.x);
  const auto shift = [&](int value) {
    bias += 1;
    return value + bias;
  };
  values[threadIdx.x] = shift(shift(values[threadIdx.x]));
}

CORRECT(function_objects_and_lambdas) {
  const DeviceArray<int> values(counted<int>(20));
  for_each<<<1, 32>>>(values.data(), 20, Power{2});
  device_lambda<<<1, 20>>>(values);
  std::vector<int> expected;
  for (int i = 0; i < 20; ++i) expected.push_back(i * i + 2 * i + 3);
  return equal(values.values(), expected);
}

__global__ void say(const char* const* unused) {
  if (threadIdx.x == 0 && unused == nullptr) {
    printf("block %d of %u says %s and %.2f\n", blockIdx.x, gridDim.x, "hello", 0.5);
  }
}

CORRECT(printf_in_a_kernel) {
  say<<<2, 32>>>(nullptr);
  return equal(cudaDeviceSynchronize(), cudaSuccess);
}

// A local array whose elements only the run tells, and its address in a function.
__device__ void insert(int* sorted, int size, int value) {
  int at = size;
  while (at > 0 && sorted[at - 1] > value) {
    sorted[at] = sorted[at - 1];
    --at;
  }
  sorted[at] = value;
}

__global__ void medians(const int* in, int* out) {
  int sorted[9];
  for (int i = 0; i < 9; ++i) insert(sorted, i, in[threadIdx.x * 9 + i]);
  out[threadIdx.x] = sorted[4];
}

CORRECT(local_arrays) {
  std::vector<int> values;
  for (int i = 0; i < 32 * 9; ++i) values.push_back(i / 9 * 100 + i * 5 % 9);
  const DeviceArray<int> in(values);
  const DeviceArray<int> out(32);
  medians<<<1, 32>>>(in, out);
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i) expected.push_back(i * 100 + 4);
  return equal(out.values(), expected);
}

__global__ void step(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  const float left = i > 0 ? in[i - 1] : 0.0f;
  const float right = i + 1 < n ? in[i + 1] : 0.0f;
  out[i] = left + right;
}

// What one launch writes the next may read: launches of a stream come one after the other.
CORRECT(ping_pong_between_launches) {
  std::vector<float> start(5, 0.0f);
  start[2] = 1.0f;
  const DeviceArray<float> first(start);
  const DeviceArray<float> second(5);
  float* from = first;
  float* to = second;
  for (int i = 0; i < 3; ++i) {
    step<<<1, 5>>>(from, to, 5);
    std::swap(from, to);
  }
  return equal(second.values(), {0.0f, 3.0f, 0.0f, 3.0f, 0.0f});
}

// Two streams; the second waits for the event that the first has recorded.
CORRECT(streams_with_events) {
  const DeviceArray<float> values(counted<float>(32));
  cudaStream_t first;
  cudaStream_t second;
  cudaEvent_t scaled;
  cudaStreamCreate(&first);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&scaled, cudaEventDisableTiming);
  std::vector<float> result(32);
  cudaDeviceSynchronize();
  scale<<<1, 32, 0, first>>>(values, 32, 2.0f);
  cudaEventRecord(scaled, first);
  cudaStreamWaitEvent(second, scaled, 0);
  scale<<<1, 32, 0, second>>>(values, 32, 3.0f);
  cudaMemcpyAsync(result.data(), values, 32 * sizeof(float), cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  cudaEventDestroy(scaled);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return equal(result, counted<float>(32, 6.0f));
}

// Another thread of the host launches kernels too.
CORRECT(launches_from_two_host_threads) {
  const DeviceArray<float> first(counted<float>(64));
  const DeviceArray<float> second(counted<float>(64));
  cudaDeviceSynchronize();
  std::thread other([&] {
    blur<float, 1><<<1, 64, 0, cudaStreamPerThread>>>(first, second, 64);
    cudaStreamSynchronize(cudaStreamPerThread);
  });
  other.join();
  std::vector<float> expected = counted<float>(64, 3.0f);
  expected[0] = 1.0f;
  expected[63] = 62.0f + 63.0f;
  return equal(second.values(), expected);
}

// The heap of a kernel: what one launch has taken another gives back.
struct Node {
  int value;
  Node* next;
};

__global__ void build_lists(Node** heads) {
  Node* head = nullptr;
  for (int i = 0; i < 3; ++i) {
    Node* const node = i == 0 ? static_cast<Node*>(malloc(sizeof(Node))) : new Node;
    node->value = static_cast<int>(threadIdx.x) + i;
    node->next = head;
    head = node;
  }
  heads[threadIdx.x] = head;
}

__global__ void sum_lists(Node** heads, int* sums) {
  int sum = 0;
  for (Node* node = heads[threadIdx.x]; node != nullptr;) {
    Node* const next = node->next;
    sum += node->value;
    if (next == nullptr) {
      free(node);
    } else {
      delete node;
    }
    node = next;
  }
  int* const scratch = new int[4];
  for (int i = 0; i < 4; ++i) scratch[i] = sum;
  sums[threadIdx.x] = scratch[threadIdx.x % 4];
  delete[] scratch;
}

CORRECT(heap_of_kernels) {
  Node** d_heads;
  cudaMalloc(&d_heads, 32 * sizeof(Node*));
  const DeviceArray<int> sums(32);
  build_lists<<<1, 32>>>(d_heads);
  sum_lists<<<1, 32>>>(d_heads, sums);
  cudaFree(d_heads);
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i) expected.push_back(3 * i + 3);
  return equal(sums.values(), expected);
}
