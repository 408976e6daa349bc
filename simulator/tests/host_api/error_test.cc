#include <thread>

#include "simulator/tests/host_api/host_api.h"

namespace {

using ErrorTest = HostApi;

__global__ void trapping() { __trap(); }
__global__ void writing(int* to) { *to = 7; }

TEST_F(ErrorTest, LastErrorIsClearedByGetAndLeftByPeek) {
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ErrorTest, SuccessLeavesAnEarlierError) {
  int count = 0;
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(ErrorTest, EachThreadOfTheHostHasItsOwn) {
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  cudaError_t of_other = cudaErrorUnknown;
  std::thread([&] { of_other = cudaGetLastError(); }).join();
  EXPECT_EQ(of_other, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(ErrorTest, AFaultInAKernelIsStickyUntilReset) {
  int* pointer = nullptr;
  ASSERT_EQ(cudaMalloc(&pointer, sizeof(int)), cudaSuccess);
  LAUNCH((trapping), (1, 1));
  EXPECT_TRUE(reported("trap", "__trap"));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  int* other = nullptr;
  EXPECT_EQ(cudaMalloc(&other, 4), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaMemset(pointer, 0, 4), cudaErrorLaunchFailure);
  cudaError_t of_other = cudaSuccess;
  std::thread([&] { of_other = cudaDeviceSynchronize(); }).join();
  EXPECT_EQ(of_other, cudaErrorLaunchFailure);
  LAUNCH((writing), (1, 1), pointer);  // does not run
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST_F(ErrorTest, EveryErrorHasANameAndAText) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
  EXPECT_EQ(static_cast<int>(cudaErrorIllegalAddress), 700);
  EXPECT_EQ(static_cast<int>(cudaErrorAssert), 710);
  EXPECT_EQ(static_cast<int>(cudaErrorNotReady), 600);
}

__global__ void calling_the_host(void** pointer) { cudaMalloc(pointer, 4); }

TEST_F(ErrorTest, ACallOfTheHostInAKernelEndsTheLaunch) {
  void** pointer = nullptr;
  ASSERT_EQ(cudaMallocManaged(&pointer, sizeof(void*)), cudaSuccess);
  LAUNCH((calling_the_host), (1, 1), pointer);
  EXPECT_TRUE(reported("host-call", "cudaMalloc"));
  EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
  cudaDeviceReset();
  cudaFree(pointer);
}

__global__ void launching() { LAUNCH((trapping), (1, 1)); }

TEST_F(ErrorTest, ALaunchInAKernelIsRefusedByNameAndLine) {
  LAUNCH((launching), (2, 3));
  EXPECT_TRUE(reported("dynamic-parallelism", "trapping", __LINE__ - 4));
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

}  // namespace
