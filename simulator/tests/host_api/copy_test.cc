#include <cstring>
#include <numeric>
#include <vector>

#include "simulator/tests/host_api/host_api.h"

namespace {

using CopyTest = HostApi;

__constant__ float coefficients[5];
__device__ int counter;
__device__ float table[2][3];

template <typename T>
T* device_memory(std::size_t count) {
  T* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, count * sizeof(T)), cudaSuccess);
  return pointer;
}

std::vector<int> numbers(std::size_t count) {
  std::vector<int> result(count);
  std::iota(result.begin(), result.end(), 1);
  return result;
}

TEST_F(CopyTest, EveryDirection) {
  const std::vector<int> source = numbers(1000);
  const std::size_t bytes = 1000 * sizeof(int);
  int* const first = device_memory<int>(1000);
  int* const second = device_memory<int>(1000);
  std::vector<int> back(1000);
  std::vector<int> copy(1000);
  EXPECT_EQ(cudaMemcpy(first, source.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(second, first, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), second, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, source);
  EXPECT_EQ(cudaMemcpy(copy.data(), source.data(), bytes, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(copy, source);
  std::fill(back.begin(), back.end(), 0);
  EXPECT_EQ(cudaMemcpy(back.data(), first, bytes, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back, source);
  EXPECT_EQ(cudaMemcpyPeer(second, 0, first, 0, bytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeer(second, 1, first, 0, bytes), cudaErrorInvalidDevice);
  EXPECT_TRUE(nothing_reported());
  cudaFree(first);
  cudaFree(second);
}

TEST_F(CopyTest, PinnedAndManagedMemoryIsBothSides) {
  int* pinned = nullptr;
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  for (const cudaMemcpyKind kind :
       {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
        cudaMemcpyDeviceToDevice, cudaMemcpyDefault}) {
    EXPECT_EQ(cudaMemcpy(pinned, managed, 64, kind), cudaSuccess) << kind;
    EXPECT_EQ(cudaMemcpyAsync(managed, pinned, 64, kind), cudaSuccess) << kind;
  }
  EXPECT_TRUE(nothing_reported());
  cudaFree(managed);
  cudaFreeHost(pinned);
}

TEST_F(CopyTest, AWrongDirectionIsTold) {
  int* const device = device_memory<int>(4);
  int host[4] = {};
  EXPECT_EQ(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "memory of the device as its destination", __LINE__ - 1));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "not the device's as its destination"));
  EXPECT_EQ(cudaMemcpy(host, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "not the device's as its source"));
  EXPECT_EQ(cudaMemcpy(device, host, 16, static_cast<cudaMemcpyKind>(7)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "null pointer"));
  EXPECT_EQ(cudaMemcpy(device, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  cudaFree(device);
}

TEST_F(CopyTest, ASizeBeyondTheAllocationIsTold) {
  int* const device = device_memory<int>(256);
  std::vector<int> host(1024);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 4096, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "writes 4096 bytes to an allocation of 1024 bytes", __LINE__ - 1));
  EXPECT_EQ(cudaMemcpy(host.data(), device + 128, 1024, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "reads 1024 bytes from byte 512 on of an allocation"));
  EXPECT_EQ(cudaMemset(device, 0, 1025), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "cudaMemset writes 1025 bytes"));
  EXPECT_EQ(cudaMemset(host.data(), 0, 16), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "not the device's"));
  cudaFree(device);
}

TEST_F(CopyTest, RowsAgainstPlainLoops) {
  constexpr std::size_t kWidth = 37;
  constexpr std::size_t kHeight = 11;
  std::vector<int> host(50 * kHeight);
  std::iota(host.begin(), host.end(), 0);
  int* device = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, kWidth * sizeof(int), kHeight), cudaSuccess);
  EXPECT_EQ(pitch, 512u);
  EXPECT_EQ(cudaMemcpy2D(device, pitch, host.data(), 50 * sizeof(int), kWidth * sizeof(int),
                         kHeight, cudaMemcpyHostToDevice),
            cudaSuccess);
  std::vector<int> back(kWidth * kHeight);
  EXPECT_EQ(cudaMemcpy2DAsync(back.data(), kWidth * sizeof(int), device, pitch,
                              kWidth * sizeof(int), kHeight, cudaMemcpyDeviceToHost),
            cudaSuccess);
  for (std::size_t row = 0; row < kHeight; ++row) {
    for (std::size_t column = 0; column < kWidth; ++column) {
      ASSERT_EQ(back[row * kWidth + column], static_cast<int>(row * 50 + column));
    }
  }
  EXPECT_EQ(cudaMemset2D(device, pitch, 0xff, 2 * sizeof(int), kHeight), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(back.data(), kWidth * sizeof(int), device, pitch, kWidth * sizeof(int),
                         kHeight, cudaMemcpyDeviceToHost),
            cudaSuccess);
  for (std::size_t row = 0; row < kHeight; ++row) {
    EXPECT_EQ(back[row * kWidth + 1], -1);
    EXPECT_EQ(back[row * kWidth + 2], static_cast<int>(row * 50 + 2));
  }
  EXPECT_TRUE(nothing_reported());
  EXPECT_EQ(cudaMemcpy2D(device, pitch, host.data(), 100, 101, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_TRUE(reported("copy", "pitch of only 100"));
  EXPECT_EQ(cudaMemcpy2D(device, pitch, host.data(), 100, 100, kHeight + 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "writes 5732 bytes to an allocation of 5632 bytes"));
  cudaFree(device);
}

TEST_F(CopyTest, SlicesAgainstPlainLoops) {
  const cudaExtent extent = make_cudaExtent(5 * sizeof(int), 4, 3);
  cudaPitchedPtr device{};
  ASSERT_EQ(cudaMalloc3D(&device, extent), cudaSuccess);
  std::vector<int> host = numbers(60);
  cudaMemcpy3DParms to{};
  to.srcPtr = make_cudaPitchedPtr(host.data(), 5 * sizeof(int), 5 * sizeof(int), 4);
  to.dstPtr = device;
  to.extent = extent;
  to.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&to), cudaSuccess);
  // The part that begins at (1, 1, 1).
  std::vector<int> back(3 * 2 * 2);
  cudaMemcpy3DParms from{};
  from.srcPtr = device;
  from.srcPos = make_cudaPos(sizeof(int), 1, 1);
  from.dstPtr = make_cudaPitchedPtr(back.data(), 3 * sizeof(int), 3 * sizeof(int), 2);
  from.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
  from.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&from), cudaSuccess);
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 2; ++y) {
      for (int x = 0; x < 3; ++x) {
        EXPECT_EQ(back[(z * 2 + y) * 3 + x], host[((z + 1) * 4 + y + 1) * 5 + x + 1]);
      }
    }
  }
  EXPECT_EQ(cudaMemset3D(device, 0, extent), cudaSuccess);
  EXPECT_TRUE(nothing_reported());
  cudaFree(device.ptr);
}

TEST_F(CopyTest, VariablesByName) {
  const float values[5] = {1, 2, 3, 4, 5};
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, values, sizeof(values)), cudaSuccess);
  const float last = 9;
  EXPECT_EQ(cudaMemcpyToSymbolAsync(coefficients, &last, sizeof(float), 4 * sizeof(float),
                                    cudaMemcpyHostToDevice, nullptr),
            cudaSuccess);
  float back[5] = {};
  EXPECT_EQ(cudaMemcpyFromSymbol(back, coefficients, sizeof(back)), cudaSuccess);
  EXPECT_EQ(back[3], 4);
  EXPECT_EQ(back[4], 9);
  std::size_t size = 0;
  EXPECT_EQ(cudaGetSymbolSize(&size, table), cudaSuccess);
  EXPECT_EQ(size, 24u);
  int* address = nullptr;
  EXPECT_EQ(cudaGetSymbolAddress(&address, counter), cudaSuccess);
  const int seven = 7;
  EXPECT_EQ(cudaMemcpy(address, &seven, sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(address, 0, sizeof(int)), cudaSuccess);
  EXPECT_TRUE(simulator::is_device_pointer(address));
  EXPECT_TRUE(nothing_reported());
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, values, sizeof(values), 4), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "20 bytes from byte 4 on of a variable of 20 bytes", __LINE__ - 1));
  EXPECT_EQ(cudaMemset(address, 0, 8), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("copy", "a __device__ variable of 4 bytes"));
  EXPECT_EQ(cudaMemcpyFromSymbol(back, coefficients, 4, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidMemcpyDirection);
}

}  // namespace
