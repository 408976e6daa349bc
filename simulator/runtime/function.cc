// What a program asks and sets about its kernels, and occupancy.

#include <cuda_runtime_api.h>

#include <algorithm>

#include "simulator/runtime/device.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/kernel_symbol.h"
#include "simulator/runtime/launch_limits.h"

namespace simulator {
namespace {

constexpr int kAssumedRegisters = 32;  // see device.h

cudaError_t refuse_shared_size(const void* kernel, int bytes, std::size_t most,
                               __simulator::__Where where) {
  Refusal refusal;
  refusal.kind = "launch";
  refusal.sentence = "cudaFuncSetAttribute asks for " + std::to_string(bytes) +
                     " bytes of dynamic shared memory for " + kernel_symbol(kernel).name + ": " +
                     std::to_string(most) + " are the most";
  refusal.did = "calls it";
  refusal.where = where;
  refusal.kernel = kernel_symbol(kernel).name;
  return refuse(refusal);
}

}  // namespace
}  // namespace simulator

using __simulator::__Where;
using simulator::begin_call;
using simulator::gpu;
using simulator::kernel_symbol;
using simulator::result;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  if (const cudaError_t error = begin_call("cudaFuncGetAttributes")) return error;
  if (attributes == nullptr) return result(cudaErrorInvalidValue);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->sharedSizeBytes = kernel_symbol(kernel).static_shared_bytes;
  attributes->maxThreadsPerBlock = static_cast<int>(gpu().threads_in_block);
  attributes->numRegs = simulator::kAssumedRegisters;
  attributes->ptxVersion = gpu().major * 10 + gpu().minor;
  attributes->binaryVersion = gpu().major * 10 + gpu().minor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(simulator::dynamic_shared_limit(kernel));
  attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  return cudaSuccess;
}

cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  if (name == nullptr) return result(cudaErrorInvalidValue);
  const simulator::KernelSymbol& symbol = kernel_symbol(kernel);
  if (symbol.name.empty()) return result(cudaErrorInvalidDeviceFunction);
  *name = symbol.name.c_str();
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute which, int value,
                                 __Where where) {
  if (const cudaError_t error = begin_call("cudaFuncSetAttribute", where)) return error;
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  switch (which) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize: {
      const std::size_t fixed = kernel_symbol(kernel).static_shared_bytes;
      const std::size_t all = gpu().shared_in_block_opt_in;
      const std::size_t most = all - std::min(all, fixed);
      if (value < 0 || static_cast<std::size_t>(value) > most) {
        return simulator::refuse_shared_size(kernel, value, most, where);
      }
      simulator::set_dynamic_shared_limit(kernel, static_cast<std::size_t>(value));
      return cudaSuccess;
    }
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      return result(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
    default:
      return result(cudaErrorNotSupported);  // the rest is about clusters
  }
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
  return result(kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess);
}

cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) {
  return result(kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_size, size_t shared_bytes) {
  if (const cudaError_t error = begin_call("cudaOccupancyMaxActiveBlocksPerMultiprocessor")) {
    return error;
  }
  if (blocks == nullptr || block_size <= 0) return result(cudaErrorInvalidValue);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  const std::size_t fixed = kernel_symbol(kernel).static_shared_bytes;
  *blocks = shared_bytes > simulator::dynamic_shared_limit(kernel)
                ? 0
                : simulator::resident_blocks(gpu(), static_cast<unsigned>(block_size),
                                             fixed + shared_bytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* kernel,
                                                      int blocks, int block_size) {
  if (const cudaError_t error = begin_call("cudaOccupancyAvailableDynamicSMemPerBlock")) {
    return error;
  }
  if (shared_bytes == nullptr || blocks <= 0 || block_size <= 0) {
    return result(cudaErrorInvalidValue);
  }
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  const simulator::Gpu& g = gpu();
  if (blocks > simulator::resident_blocks(g, static_cast<unsigned>(block_size), 0)) {
    return result(cudaErrorInvalidValue);
  }
  const std::size_t share = g.shared_on_multiprocessor / static_cast<std::size_t>(blocks) /
                            g.shared_granularity * g.shared_granularity;
  const std::size_t taken = g.shared_reserved_in_block + kernel_symbol(kernel).static_shared_bytes;
  *shared_bytes = std::min(share - std::min(share, taken), simulator::dynamic_shared_limit(kernel));
  return cudaSuccess;
}
