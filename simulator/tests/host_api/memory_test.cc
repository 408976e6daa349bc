#include "simulator/runtime/memory.h"

#include <cstdint>

#include "simulator/tests/host_api/host_api.h"

namespace {

using MemoryTest = HostApi;

TEST_F(MemoryTest, AllocationsAreAlignedAndCounted) {
  const std::size_t before = simulator::allocated_bytes();
  float* typed = nullptr;
  void* plain = nullptr;
  EXPECT_EQ(cudaMalloc(&typed, 100), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&plain, 100), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(typed) % 256, 0u);
  EXPECT_EQ(simulator::allocated_bytes(), before + 200);
  EXPECT_EQ(cudaFree(typed), cudaSuccess);
  EXPECT_EQ(cudaFree(plain), cudaSuccess);
  EXPECT_EQ(simulator::allocated_bytes(), before);
}

TEST_F(MemoryTest, PinnedMemoryIsNoneOfTheDevices) {
  const std::size_t before = simulator::allocated_bytes();
  char* pinned = nullptr;
  EXPECT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  EXPECT_EQ(simulator::allocated_bytes(), before);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(simulator::allocated_bytes(), before);
}

TEST_F(MemoryTest, NothingAndTooMuch) {
  void* pointer = &pointer;
  EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, std::size_t{1} << 60), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(static_cast<void**>(nullptr), 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&pointer, 0), cudaErrorInvalidValue);
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_GT(free, 0u);
  EXPECT_LE(free, total);
}

TEST_F(MemoryTest, AFreeThatIsWrongIsTold) {
  char* device = nullptr;
  char* pinned = nullptr;
  char host = 0;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  EXPECT_EQ(cudaFree(&host), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("free", "CUDA did not allocate", __LINE__ - 1));
  EXPECT_EQ(cudaFree(device + 8), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("free", "not to its start"));
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("free", "memory of the host that CUDA allocated"));
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("free", "memory of the device"));
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  const std::string line = "memory_test.cc:" + std::to_string(__LINE__ - 1);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("free", "freed already, at ", __LINE__ - 1));
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_NE(simulator::published().front().sentence.find(line), std::string::npos);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, PinnedAndRegisteredMemoryOfTheHost) {
  int* pinned = nullptr;
  int* seen = nullptr;
  unsigned flags = 0;
  EXPECT_EQ(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined),
            cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, pinned, 0), cudaSuccess);
  EXPECT_EQ(seen, pinned);
  EXPECT_EQ(cudaHostGetFlags(&flags, pinned), cudaSuccess);
  EXPECT_NE(flags & cudaHostAllocWriteCombined, 0u);
  EXPECT_EQ(cudaHostAlloc(&seen, 64, 0x100), cudaErrorInvalidValue);
  alignas(64) int own[16] = {};
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, own, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(own + 2, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, own + 3, 0), cudaSuccess);
  EXPECT_EQ(seen, own + 3);
  EXPECT_FALSE(simulator::is_device_pointer(own));
  EXPECT_EQ(cudaHostUnregister(own), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(MemoryTest, PointersKnowWhatTheyAre) {
  int* device = nullptr;
  int* managed = nullptr;
  int* pinned = nullptr;
  int host = 0;
  ASSERT_EQ(cudaMalloc(&device, 8), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 8), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 8), cudaSuccess);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, device + 1), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.hostPointer, nullptr);
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes.devicePointer, pinned);
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, &host), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_TRUE(simulator::is_device_pointer(device));
  EXPECT_TRUE(simulator::is_device_pointer(managed));
  EXPECT_FALSE(simulator::is_device_pointer(pinned));
  EXPECT_FALSE(simulator::is_device_pointer(nullptr));
  cudaFree(device);
  cudaFree(managed);
  cudaFreeHost(pinned);
}

TEST_F(MemoryTest, AdviceAndPrefetchingInBothForms) {
  int* managed = nullptr;
  int* device = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
  const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, cudaCpuDeviceId, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, gpu, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, cpu, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 65, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(device, 64, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, cpu), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, managed), cudaSuccess);
  cudaFree(managed);
  cudaFree(device);
}

TEST_F(MemoryTest, AllocationInTheOrderOfAStream) {
  cudaStream_t stream = nullptr;
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  unsigned long long threshold = ~0ull;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  threshold = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  EXPECT_EQ(threshold, ~0ull);
  int* pointer = nullptr;
  EXPECT_EQ(cudaMallocAsync(&pointer, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(pointer, 0, 64, stream), cudaSuccess);
  unsigned long long used = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_GE(used, 64u);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("free", "cudaFreeAsync", __LINE__ - 1));
  EXPECT_EQ(cudaMallocFromPoolAsync(&pointer, 64, pool, stream), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
  cudaStreamDestroy(stream);
}

}  // namespace
