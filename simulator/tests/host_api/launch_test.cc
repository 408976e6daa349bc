#include <cstdint>
#include <numeric>

#include "simulator/runtime/kernel_symbol.h"
#include "simulator/tests/host_api/host_api.h"

// Not in an unnamed namespace: their symbols are part of what is tested.
namespace launch_test {

__global__ void count(int* counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

template <typename T>
__global__ void scale(T* values, T factor, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<unsigned>(n)) values[i] *= factor;
}

// More parameters than there are registers, of every size.
__global__ void store(double* out, signed char a, unsigned char b, short c, unsigned short d, int e,
                      unsigned f, long long g, unsigned long long h, bool i, float f0, double f1,
                      float f2, float f3, float f4, float f5, float f6, double f7, float f8,
                      double f9, const int* j) {
  const double all[] = {double(a), double(b), double(c), double(d), double(e), double(f), double(g),
                        double(h), double(i), f0,        f1,        f2,        f3,        f4,
                        f5,        f6,        f7,        f8,        f9,        double(*j)};
  for (int k = 0; k < 20; ++k) out[k] = all[k];
}

__global__ void with_tile(float* out) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

struct Pair {
  int first;
  int second;
};
__global__ void with_struct(int* out, Pair pair) { *out = pair.first * 100 + pair.second; }

__global__ void meeting(int* out) {
  __atomic_fetch_add(out, 1, __ATOMIC_RELAXED);
  __simulator::__grid_barrier({__FILE__, __LINE__});
  if (*out != static_cast<int>(gridDim.x * blockDim.x)) __trap();
}

}  // namespace launch_test

namespace {

using namespace launch_test;

class LaunchTest : public HostApi {
 protected:
  void SetUp() override {
    HostApi::SetUp();
    ASSERT_EQ(cudaMallocManaged(&counter_, sizeof(int)), cudaSuccess);
    *counter_ = 0;
  }
  void TearDown() override {
    cudaFree(counter_);
    HostApi::TearDown();
  }

  int* counter_ = nullptr;
};

TEST_F(LaunchTest, RunsEveryThread) {
  LAUNCH((count), (dim3(3, 2, 2), dim3(8, 4, 2)), counter_);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(*counter_, 12 * 64);
}

TEST_F(LaunchTest, SizesAtTheLimitRun) {
  LAUNCH((count), (1, 1024), counter_);
  LAUNCH((count), (1, dim3(1, 1, 64)), counter_);
  LAUNCH((count), (1, 32, 48 * 1024), counter_);
  LAUNCH((count), (dim3(1, 65535, 1), 1), counter_);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(*counter_, 1024 + 64 + 32 + 65535);
  EXPECT_TRUE(nothing_reported());
}

TEST_F(LaunchTest, TooManyThreads) {
  LAUNCH((count), (1, 2000), counter_);
  EXPECT_TRUE(reported("launch", "2000 threads: 1024 are the most", __LINE__ - 1));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  LAUNCH((count), (1, dim3(64, 32)), counter_);
  EXPECT_TRUE(reported("launch", "2048 threads"));
  LAUNCH((count), (1, dim3(1, 1, 65)), counter_);
  EXPECT_TRUE(reported("launch", "(1024, 1024, 64) are the most"));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(*counter_, 0);
}

TEST_F(LaunchTest, GridsOfNoneAndOfTooMany) {
  const int n = 100;
  LAUNCH((count), (n / 256, 256), counter_);
  EXPECT_TRUE(reported("launch", "it has none", __LINE__ - 1));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  LAUNCH((count), (1, 0), counter_);
  EXPECT_TRUE(reported("launch", "it has none"));
  LAUNCH((count), (dim3(1, 65536, 1), 1), counter_);
  EXPECT_TRUE(reported("launch", "65535"));
  LAUNCH((count), (dim3(static_cast<unsigned>(-1)), 1), counter_);
  EXPECT_TRUE(reported("launch", "4294967295"));
  EXPECT_EQ(*counter_, 0);
}

TEST_F(LaunchTest, SharedMemoryMustBeAskedFor) {
  LAUNCH((count), (1, 1, 64 * 1024), counter_);
  EXPECT_TRUE(reported("launch", "65536 bytes of dynamic shared memory: 49152 are the most"));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024),
            cudaSuccess);
  LAUNCH((count), (1, 1, 64 * 1024), counter_);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(*counter_, 1);
  EXPECT_EQ(cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 * 1024),
            cudaErrorInvalidValue);
  EXPECT_TRUE(reported("launch", "307200"));
  EXPECT_EQ(cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024),
            cudaSuccess);
}

TEST_F(LaunchTest, StaticSharedMemoryIsKnownAndCounts) {
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, with_tile), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 4096u);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 48 * 1024 - 4096);
  float* out = nullptr;
  ASSERT_EQ(cudaMallocManaged(&out, 1024 * sizeof(float)), cudaSuccess);
  LAUNCH((with_tile), (1, 1024, 48 * 1024), out);
  EXPECT_TRUE(reported("launch", "beside its 4096 of static shared memory"));
  LAUNCH((with_tile), (1, 1024, 44 * 1024), out);
  EXPECT_EQ(out[0], 1023);
  cudaFree(out);
}

TEST_F(LaunchTest, AKernelByItsNameOrCastToVoid) {
  int* counter = counter_;
  void* arguments[] = {&counter};
  EXPECT_EQ(cudaLaunchKernel(count, dim3(2), dim3(4), arguments), cudaSuccess);
  EXPECT_EQ(
      cudaLaunchKernel(reinterpret_cast<void*>(count), dim3(2), dim3(4), arguments, 0, nullptr),
      cudaSuccess);
  EXPECT_EQ(*counter_, 16);
}

TEST_F(LaunchTest, EveryNumberReachesAKernelThatWasCast) {
  double* out = nullptr;
  int* last = nullptr;
  ASSERT_EQ(cudaMallocManaged(&out, 20 * sizeof(double)), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&last, sizeof(int)), cudaSuccess);
  *last = 20;
  signed char a = -1;
  unsigned char b = 250;
  short c = -30000;
  unsigned short d = 60000;
  int e = -5;
  unsigned f = 4000000000u;
  long long g = -7;
  unsigned long long h = 8;
  bool i = true;
  float f0 = 10.5f, f2 = 12.5f, f3 = 13.5f, f4 = 14.5f, f5 = 15.5f, f6 = 16.5f, f8 = 18.5f;
  double f1 = 11.25, f7 = 17.25, f9 = 19.25;
  void* arguments[] = {&out, &a,  &b,  &c,  &d,  &e,  &f,  &g,  &h,  &i,   &f0,
                       &f1,  &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &last};
  ASSERT_EQ(
      cudaLaunchKernel(reinterpret_cast<void*>(store), dim3(1), dim3(1), arguments, 0, nullptr),
      cudaSuccess);
  const double expected[] = {-1,    250,  -30000, 60000, -5,   4000000000.0, -7,   8,
                             1,     10.5, 11.25,  12.5,  13.5, 14.5,         15.5, 16.5,
                             17.25, 18.5, 19.25,  20};
  for (int k = 0; k < 20; ++k) EXPECT_EQ(out[k], expected[k]) << k;
  cudaFree(out);
  cudaFree(last);
}

TEST_F(LaunchTest, AStructNeedsTheKernelItself) {
  int* out = counter_;
  Pair pair{3, 4};
  void* arguments[] = {&out, &pair};
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<void*>(with_struct), dim3(1), dim3(1), arguments, 0,
                             nullptr),
            cudaErrorNotSupported);
  EXPECT_TRUE(reported("launch", "Pair"));
  EXPECT_EQ(cudaLaunchKernel(with_struct, dim3(1), dim3(1), arguments), cudaSuccess);
  EXPECT_EQ(*counter_, 304);
}

TEST_F(LaunchTest, WhatIsNoKernelIsRefused) {
  int variable = 0;
  void* arguments[] = {nullptr};
  EXPECT_EQ(
      cudaLaunchKernel(static_cast<void*>(&variable), dim3(1), dim3(1), arguments, 0, nullptr),
      cudaErrorInvalidDeviceFunction);
  EXPECT_TRUE(reported("launch", "no kernel begins"));
}

TEST_F(LaunchTest, LaunchKernelExConvertsItsArguments) {
  float* values = nullptr;
  ASSERT_EQ(cudaMallocManaged(&values, 4 * sizeof(float)), cudaSuccess);
  std::iota(values, values + 4, 1.0f);
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = 2;
  configuration.blockDim = 2;
  EXPECT_EQ(cudaLaunchKernelEx(&configuration, scale<float>, values, 2, 4u), cudaSuccess);
  EXPECT_EQ(values[3], 8);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelEx(&configuration, scale<float>, values, 2.0f, 4),
            cudaErrorNotSupported);
  EXPECT_TRUE(reported("launch", "clusters", __LINE__ - 2));
  EXPECT_EQ(values[3], 8);
  cudaFree(values);
}

TEST_F(LaunchTest, CooperativeGridsMustFit) {
  int* counter = counter_;
  void* arguments[] = {&counter};
  EXPECT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(meeting), dim3(8), dim3(64),
                                        arguments, 0, nullptr),
            cudaSuccess);
  EXPECT_EQ(*counter_, 512);
  // 2 blocks of 1024 threads on each of 16 multiprocessors.
  EXPECT_EQ(cudaLaunchCooperativeKernel(meeting, dim3(33), dim3(1024), arguments),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_TRUE(reported("launch", "33 blocks that wait for each other: 32"));
}

TEST_F(LaunchTest, ADestroyedStream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  LAUNCH((count), (1, 1, 0, stream), counter_);
  EXPECT_TRUE(reported("stream", "destroyed", __LINE__ - 1));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(*counter_, 0);
}

TEST(KernelSymbol, IsTakenApart) {
  const auto parse = [](const char* text) { return simulator::parse_symbol(text); };
  EXPECT_EQ(parse("add(float*, int, float const*)").name, "add");
  EXPECT_EQ(parse("add(float*, int, float const*)").parameters,
            (std::vector<std::string>{"float*", "int", "float const*"}));
  EXPECT_TRUE(parse("nothing()").parameters.empty());
  EXPECT_TRUE(parse("nothing()").parameters_known);
  EXPECT_FALSE(parse("plain_c").parameters_known);
  EXPECT_EQ(parse("void n::scale<float, 4>(float*, float)").name, "n::scale<float, 4>");
  EXPECT_EQ(
      parse("void (anonymous namespace)::k<std::pair<int, int> >(std::pair<int, int>*, int)").name,
      "(anonymous namespace)::k<std::pair<int, int> >");
  EXPECT_EQ(parse("call(void (*)(int, int), std::array<int, 3ul>)").parameters,
            (std::vector<std::string>{"void (*)(int, int)", "std::array<int, 3ul>"}));
}

}  // namespace
