#include "simulator/runtime/device.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "simulator/runtime/error.h"

namespace simulator {
namespace {

constexpr Gpu kH100 = {
    "Simulated NVIDIA H100 (on the CPU)",
    9,                           // major
    0,                           // minor
    16,                          // multiprocessors; see device.h
    32,                          // warp_size
    1024,                        // threads_in_block
    {1024, 1024, 64},            // block
    {2147483647, 65535, 65535},  // grid
    2048,                        // threads_on_multiprocessor
    32,                          // blocks_on_multiprocessor
    65536,                       // registers_on_multiprocessor
    48 * 1024,                   // shared_in_block
    227 * 1024,                  // shared_in_block_opt_in
    228 * 1024,                  // shared_on_multiprocessor
    1024,                        // shared_reserved_in_block
    128,                         // shared_granularity
    64 * 1024,                   // constant_bytes
    std::size_t{50} << 20,       // l2_bytes
    1980000,                     // clock_khz
    2619000,                     // memory_clock_khz
    5120,                        // memory_bus_bits
};

constexpr int kVersion = 13000;

// What a program sets and may ask for again. It changes nothing else.
struct Settings {
  std::mutex mutex;
  std::map<cudaLimit, std::size_t> limits;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig banks = cudaSharedMemBankSizeFourByte;
  unsigned flags = cudaDeviceScheduleAuto;

  Settings() { reset(); }

  void reset() {
    limits = {{cudaLimitStackSize, 1024},
              {cudaLimitPrintfFifoSize, std::size_t{1} << 20},
              {cudaLimitMallocHeapSize, std::size_t{8} << 20},
              {cudaLimitDevRuntimeSyncDepth, 2},
              {cudaLimitDevRuntimePendingLaunchCount, 2048},
              {cudaLimitMaxL2FetchGranularity, 64},
              {cudaLimitPersistingL2CacheSize, 0}};
    cache = cudaFuncCachePreferNone;
    banks = cudaSharedMemBankSizeFourByte;
    flags = cudaDeviceScheduleAuto;
  }
};

Settings& settings() {
  static Settings* const kSettings = new Settings;
  return *kSettings;
}

template <typename T>
cudaError_t give(T* to, T value) {
  if (to == nullptr) return result(cudaErrorInvalidValue);
  *to = value;
  return cudaSuccess;
}

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

}  // namespace

const Gpu& gpu() { return kH100; }

int resident_blocks(const Gpu& gpu, unsigned threads_in_block, std::size_t shared_bytes) {
  if (threads_in_block == 0 || threads_in_block > gpu.threads_in_block) return 0;
  if (shared_bytes > gpu.shared_in_block_opt_in) return 0;
  const std::size_t shared =
      round_up(shared_bytes + gpu.shared_reserved_in_block, gpu.shared_granularity);
  const std::size_t by_threads =
      gpu.threads_on_multiprocessor / round_up(threads_in_block, gpu.warp_size);
  const std::size_t by_shared = gpu.shared_on_multiprocessor / shared;
  return static_cast<int>(
      std::min({std::size_t{gpu.blocks_on_multiprocessor}, by_threads, by_shared}));
}

void reset_device_settings() {
  const std::lock_guard<std::mutex> lock(settings().mutex);
  settings().reset();
}

}  // namespace simulator

using simulator::begin_call;
using simulator::give;
using simulator::result;
using simulator::settings;

cudaError_t cudaRuntimeGetVersion(int* version) { return give(version, simulator::kVersion); }
cudaError_t cudaDriverGetVersion(int* version) { return give(version, simulator::kVersion); }
cudaError_t cudaGetDeviceCount(int* count) { return give(count, 1); }
cudaError_t cudaGetDevice(int* device) { return give(device, 0); }

cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t error = begin_call("cudaSetDevice")) return error;
  return result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }

cudaError_t cudaSetValidDevices(int* devices, int count) {
  for (int i = 0; i < count; ++i) {
    if (devices == nullptr || devices[i] != 0) return result(cudaErrorInvalidDevice);
  }
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  if (wanted == nullptr) return result(cudaErrorInvalidValue);
  return give(device, 0);
}

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return result(cudaErrorInvalidDevice);  // takes two devices
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (device != 0 || peer != 0) return result(cudaErrorInvalidDevice);
  return give(can, 0);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return result(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return result(cudaErrorInvalidDevice); }

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (text == nullptr || length < 13) return result(cudaErrorInvalidValue);
  if (device != 0) return result(cudaErrorInvalidDevice);
  std::snprintf(text, static_cast<std::size_t>(length), "0000:00:00.0");
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (text == nullptr || std::strcmp(text, "0000:00:00.0") != 0) {
    return result(cudaErrorInvalidDevice);
  }
  return give(device, 0);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  if ((flags & ~static_cast<unsigned>(cudaDeviceMask)) != 0) return result(cudaErrorInvalidValue);
  settings().flags = flags;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) { return give(flags, settings().flags); }

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (const cudaError_t error = begin_call("cudaDeviceSetLimit")) return error;
  const std::lock_guard<std::mutex> lock(settings().mutex);
  const auto found = settings().limits.find(limit);
  if (found == settings().limits.end()) return result(cudaErrorUnsupportedLimit);
  found->second = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  const std::lock_guard<std::mutex> lock(settings().mutex);
  const auto found = settings().limits.find(limit);
  if (found == settings().limits.end()) return result(cudaErrorUnsupportedLimit);
  return give(value, found->second);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache configuration) {
  settings().cache = configuration;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* configuration) {
  return give(configuration, settings().cache);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return cudaSuccess;  // banks of four bytes, whatever is asked for, as on every GPU since Maxwell
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* configuration) {
  return give(configuration, settings().banks);
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
