#include "simulator/runtime/device.h"

#include <cstring>

#include "simulator/tests/host_api/host_api.h"

namespace device_test {

__global__ void plain(float*) {}
__global__ void with_tiles(float* out) {
  __shared__ float a[1024];
  __shared__ float b[1024];
  a[threadIdx.x] = b[1023 - threadIdx.x] = *out;
  __syncthreads();
  out[threadIdx.x] = a[1023 - threadIdx.x] + b[threadIdx.x];
}

}  // namespace device_test

namespace {

using namespace device_test;
using DeviceTest = HostApi;

int blocks_of(void (*kernel)(float*), int threads, std::size_t shared) {
  int blocks = -1;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared),
            cudaSuccess);
  return blocks;
}

// By the occupancy calculator's rules for compute capability 9.0: 64 warps, 32 blocks, 228 KB of
// shared memory in units of 128 bytes, of which the system takes 1 KB a block.
TEST_F(DeviceTest, OccupancyByThreadsAndBlocks) {
  EXPECT_EQ(blocks_of(plain, 1024, 0), 2);
  EXPECT_EQ(blocks_of(plain, 768, 0), 2);  // 24 warps: 2 * 24 <= 64
  EXPECT_EQ(blocks_of(plain, 256, 0), 8);
  EXPECT_EQ(blocks_of(plain, 129, 0), 12);  // 5 warps
  EXPECT_EQ(blocks_of(plain, 64, 0), 32);
  EXPECT_EQ(blocks_of(plain, 32, 0), 32);
  EXPECT_EQ(blocks_of(plain, 1, 0), 32);
  EXPECT_EQ(blocks_of(plain, 1025, 0), 0);
}

TEST_F(DeviceTest, OccupancyBySharedMemory) {
  EXPECT_EQ(blocks_of(plain, 128, 48 * 1024), 4);   // 228 / 49
  EXPECT_EQ(blocks_of(plain, 128, 16 * 1024), 13);  // 228 / 17
  EXPECT_EQ(blocks_of(plain, 128, 6272), 16);       // 228 KB / (6272 + 1024) = 32, by warps 16
  EXPECT_EQ(blocks_of(plain, 32, 6272), 32);
  EXPECT_EQ(blocks_of(plain, 32, 6273), 31);            // the next 128 bytes
  EXPECT_EQ(blocks_of(plain, 128, 48 * 1024 + 1), 0);   // not asked for
  EXPECT_EQ(blocks_of(with_tiles, 128, 8 * 1024), 13);  // 8 KB of its own: 228 / 17
  ASSERT_EQ(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024),
            cudaSuccess);
  EXPECT_EQ(blocks_of(plain, 128, 227 * 1024), 1);
  EXPECT_EQ(blocks_of(plain, 128, 113 * 1024), 2);
  EXPECT_EQ(blocks_of(plain, 128, 113 * 1024 + 1), 1);
  ASSERT_EQ(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024),
            cudaSuccess);
  std::size_t bytes = 0;
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 8, 128), cudaSuccess);
  EXPECT_EQ(bytes, 228u * 1024 / 8 - 1024);
}

TEST_F(DeviceTest, TheBlockSizeThatFillsAMultiprocessor) {
  int grid = 0;
  int block = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * 16);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 300), cudaSuccess);
  EXPECT_EQ(block, 256);  // 300 threads: 6 blocks, 1800; 288: 7, 2016; 256: 8, 2048
  EXPECT_EQ(grid, 8 * 16);
  // 64 bytes a thread.
  EXPECT_EQ(
      cudaOccupancyMaxPotentialBlockSizeVariableSMem(
          &grid, &block, plain, [](int threads) { return static_cast<std::size_t>(threads) * 64; }),
      cudaSuccess);
  EXPECT_EQ(block, 512);  // 1024: 64 KB, not asked for; 768: 2 blocks; 672: 3; 512: 4, all threads
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 49 * 1024),
            cudaErrorInvalidValue);
}

TEST_F(DeviceTest, ThereIsOneAndItSaysThatItIsSimulated) {
  int count = 0;
  cudaDeviceProp properties;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_NE(std::strstr(properties.name, "Simulated"), nullptr);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.multiProcessorCount, 16);
  // The H100's 3.35 TB/s.
  EXPECT_NEAR(2.0 * properties.memoryClockRate * (properties.memoryBusWidth / 8) / 1e9, 3.35, 0.01);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
            cudaSuccess);
  EXPECT_EQ(value, 227 * 1024);
  for (int which = 1; which < cudaDevAttrMax; ++which) {
    EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(which), 0), cudaSuccess);
  }
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&value, 0, 0), cudaSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cudaRuntimeGetVersion(&value), cudaSuccess);
  EXPECT_EQ(value, CUDART_VERSION);
}

TEST_F(DeviceTest, LimitsAreKeptUntilReset) {
  std::size_t value = 0;
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 1u << 26);
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1), cudaErrorUnsupportedLimit);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 8u << 20);
}

}  // namespace
