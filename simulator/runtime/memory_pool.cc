// Allocation in the order of a stream. Since work is done when it is asked for, memory can be given
// and taken back at once; a pool is nothing but its settings.

#include <cuda_runtime_api.h>

#include <map>

#include "simulator/runtime/allocation_calls.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/handles.h"
#include "simulator/runtime/memory.h"
#include "simulator/runtime/stream.h"

struct CUmemPoolHandle_st {
  std::map<cudaMemPoolAttr, int> reuse = {{cudaMemPoolReuseFollowEventDependencies, 1},
                                          {cudaMemPoolReuseAllowOpportunistic, 1},
                                          {cudaMemPoolReuseAllowInternalDependencies, 1}};
  unsigned long long release_threshold = 0;
};

namespace simulator {
namespace {

cudaMemPool_t default_pool() {
  static cudaMemPool_t const kPool =
      handles<CUmemPoolHandle_st>().add(std::make_unique<CUmemPoolHandle_st>());
  return kPool;
}

cudaMemPool_t& current_pool() {
  static cudaMemPool_t pool = default_pool();
  return pool;
}

bool is_pool(cudaMemPool_t pool) {
  return pool == default_pool() || handles<CUmemPoolHandle_st>().has(pool);
}

// The stream that takes part, or the error.
cudaError_t begin_in_stream(cudaStream_t handle, const char* function, __simulator::__Where where) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  const auto lock = lock_streams();
  const CUstream_st* const stream = find_stream(handle);
  if (stream == nullptr) return refuse_stream(function, where);
  if (stream->capture == nullptr) return cudaSuccess;
  return spoil_capture(*stream->capture, cudaErrorNotSupported, function, where);
}

}  // namespace
}  // namespace simulator

using __simulator::__Where;
using simulator::is_pool;
using simulator::result;

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream, __Where where) {
  if (const cudaError_t error = simulator::begin_in_stream(stream, "cudaMallocAsync", where)) {
    return error;
  }
  return simulator::allocate_for_call(pointer, bytes, simulator::MemoryKind::device, where);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream, __Where where) {
  if (!is_pool(pool)) return result(cudaErrorInvalidValue);
  return cudaMallocAsync(pointer, bytes, stream, where);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, __Where where) {
  if (const cudaError_t error = simulator::begin_in_stream(stream, "cudaFreeAsync", where)) {
    return error;
  }
  return simulator::free_for_call(pointer, false, "cudaFreeAsync", where);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return result(cudaErrorInvalidValue);
  if (device != 0) return result(cudaErrorInvalidDevice);
  *pool = simulator::default_pool();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return result(cudaErrorInvalidValue);
  if (device != 0) return result(cudaErrorInvalidDevice);
  *pool = simulator::current_pool();
  return cudaSuccess;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return result(cudaErrorInvalidDevice);
  if (!is_pool(pool)) return result(cudaErrorInvalidValue);
  simulator::current_pool() = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return result(cudaErrorInvalidValue);
  if (properties->allocType != cudaMemAllocationTypePinned ||
      properties->handleTypes != cudaMemHandleTypeNone) {
    return result(cudaErrorNotSupported);
  }
  if (properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0) {
    return result(cudaErrorInvalidDevice);
  }
  *pool = simulator::handles<CUmemPoolHandle_st>().add(std::make_unique<CUmemPoolHandle_st>());
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (!is_pool(pool) || pool == simulator::default_pool()) return result(cudaErrorInvalidValue);
  if (simulator::current_pool() == pool) simulator::current_pool() = simulator::default_pool();
  simulator::handles<CUmemPoolHandle_st>().remove(pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return result(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  if (!is_pool(pool) || value == nullptr) return result(cudaErrorInvalidValue);
  const auto reuse = pool->reuse.find(which);
  if (reuse != pool->reuse.end()) {
    reuse->second = *static_cast<const int*>(value);
    return cudaSuccess;
  }
  const auto bytes = *static_cast<const unsigned long long*>(value);
  switch (which) {
    case cudaMemPoolAttrReleaseThreshold:
      pool->release_threshold = bytes;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      if (bytes != 0) return result(cudaErrorInvalidValue);
      simulator::reset_peak_allocated_bytes();
      return cudaSuccess;
    default:
      return result(cudaErrorInvalidValue);
  }
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  if (!is_pool(pool) || value == nullptr) return result(cudaErrorInvalidValue);
  const auto reuse = pool->reuse.find(which);
  if (reuse != pool->reuse.end()) {
    *static_cast<int*>(value) = reuse->second;
    return cudaSuccess;
  }
  auto* const bytes = static_cast<unsigned long long*>(value);
  switch (which) {
    case cudaMemPoolAttrReleaseThreshold:
      *bytes = pool->release_threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      *bytes = simulator::allocated_bytes();
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      *bytes = simulator::peak_allocated_bytes();
      return cudaSuccess;
    default:
      return result(cudaErrorInvalidValue);
  }
}
