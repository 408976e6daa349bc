// What a program may ask about the device, from the table of device.cc and, for what no kernel here
// can notice, the real GPU's values.

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

#include "simulator/runtime/device.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/memory.h"

namespace simulator {
namespace {

cudaDeviceProp make_properties() {
  const Gpu& gpu = simulator::gpu();
  cudaDeviceProp p;
  std::memset(&p, 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "%s", gpu.name);
  p.totalGlobalMem = memory_amount().total;
  p.sharedMemPerBlock = gpu.shared_in_block;
  p.regsPerBlock = static_cast<int>(gpu.registers_on_multiprocessor);
  p.warpSize = static_cast<int>(gpu.warp_size);
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = static_cast<int>(gpu.threads_in_block);
  p.maxThreadsDim[0] = static_cast<int>(gpu.block.x);
  p.maxThreadsDim[1] = static_cast<int>(gpu.block.y);
  p.maxThreadsDim[2] = static_cast<int>(gpu.block.z);
  p.maxGridSize[0] = static_cast<int>(gpu.grid.x);
  p.maxGridSize[1] = static_cast<int>(gpu.grid.y);
  p.maxGridSize[2] = static_cast<int>(gpu.grid.z);
  p.totalConstMem = gpu.constant_bytes;
  p.major = gpu.major;
  p.minor = gpu.minor;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = gpu.multiprocessors;
  p.canMapHostMemory = 1;
  p.surfaceAlignment = 512;
  p.concurrentKernels = 1;
  p.ECCEnabled = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = gpu.memory_bus_bits;
  p.l2CacheSize = static_cast<int>(gpu.l2_bytes);
  p.persistingL2CacheMaxSize = static_cast<int>(gpu.l2_bytes * 5 / 8);
  p.maxThreadsPerMultiProcessor = static_cast<int>(gpu.threads_on_multiprocessor);
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = gpu.shared_on_multiprocessor;
  p.regsPerMultiprocessor = static_cast<int>(gpu.registers_on_multiprocessor);
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = gpu.shared_in_block_opt_in;
  p.maxBlocksPerMultiProcessor = static_cast<int>(gpu.blocks_on_multiprocessor);
  p.accessPolicyMaxWindowSize = 134213632;
  p.reservedSharedMemPerBlock = gpu.shared_reserved_in_block;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.unifiedFunctionPointers = 1;
  p.hostNumaId = -1;
  p.deviceNumaId = -1;
  p.clockRate = gpu.clock_khz;
  p.memoryClockRate = gpu.memory_clock_khz;
  p.deviceOverlap = 1;
  p.computeMode = cudaComputeModeDefault;
  p.singleToDoublePrecisionPerfRatio = 2;
  return p;
}

const cudaDeviceProp& properties() {
  static const cudaDeviceProp kProperties = make_properties();
  return kProperties;
}

// Attributes of what the simulator has not (textures, surfaces, clusters, sharing) are 0.
int attribute(cudaDeviceAttr which) {
  const cudaDeviceProp& p = properties();
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxPitch:
      return static_cast<int>(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrClockRate:
      return p.clockRate;
    case cudaDevAttrTextureAlignment:
      return static_cast<int>(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return static_cast<int>(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment:
      return static_cast<int>(p.surfaceAlignment);
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrComputeMode:
      return p.computeMode;
    case cudaDevAttrAsyncEngineCount:
      return p.asyncEngineCount;
    case cudaDevAttrMemoryClockRate:
      return p.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth:
      return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return p.singleToDoublePrecisionPerfRatio;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrMaxPersistingL2CacheSize:
      return p.persistingL2CacheMaxSize;
    case cudaDevAttrMaxAccessPolicyWindowSize:
      return p.accessPolicyMaxWindowSize;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(p.reservedSharedMemPerBlock);
    case cudaDevAttrHostNumaId:
      return p.hostNumaId;
    case cudaDevAttrNumaId:
      return p.deviceNumaId;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported:
      return 1;
    default:
      return 0;
  }
}

}  // namespace
}  // namespace simulator

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return simulator::result(cudaErrorInvalidValue);
  if (device != 0) return simulator::result(cudaErrorInvalidDevice);
  *properties = simulator::properties();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  if (value == nullptr || which <= 0 || which >= cudaDevAttrMax) {
    return simulator::result(cudaErrorInvalidValue);
  }
  if (device != 0) return simulator::result(cudaErrorInvalidDevice);
  *value = simulator::attribute(which);
  return cudaSuccess;
}
