// The calls of the API that allocate memory of the device and ask about memory.

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>

#include "simulator/runtime/allocation_calls.h"
#include "simulator/runtime/copy.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/memory.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

// A row of a pitched allocation begins at a multiple of this.
constexpr std::size_t kPitchAlignment = 512;

// Where each address was freed that has not been given out again.
struct FreedLines {
  std::mutex mutex;
  std::map<const void*, __simulator::__Where> lines;
};

FreedLines& freed_lines() {
  static FreedLines* const kLines = new FreedLines;
  return *kLines;
}

cudaError_t refuse_free(const void* pointer, bool host_kind, const char* function,
                        __simulator::__Where where) {
  Refusal refusal;
  refusal.kind = "free";
  refusal.did = "frees it";
  refusal.where = where;
  const std::string start = std::string(function) + " is given ";
  const std::optional<Allocation> allocation = find_allocation(pointer);
  const std::lock_guard<std::mutex> lock(freed_lines().mutex);
  const auto freed = freed_lines().lines.find(pointer);
  if (freed != freed_lines().lines.end()) {
    refusal.sentence = start + "memory that was freed already, at " + place(freed->second);
    refusal.cause =
        "Let one place own the memory and free it; a pointer that is set to nullptr after cudaFree "
        "may be "
        "freed again without harm.";
  } else if (allocation && !allocation->freed &&
             allocation->address != reinterpret_cast<std::uintptr_t>(pointer)) {
    refusal.sentence = start + "a pointer into an allocation, not to its start";
    refusal.cause = "The memory was allocated at " + place(allocation->where) +
                    "; it is freed by the pointer that the allocation gave.";
  } else if (allocation && !allocation->freed) {
    refusal.sentence =
        start + (host_kind ? "memory of the device" : "memory of the host that CUDA allocated");
    refusal.cause =
        "It was allocated at " + place(allocation->where) + ". " +
        (host_kind ? "What cudaMalloc and cudaMallocManaged give is freed by cudaFree."
                   : "What cudaMallocHost and cudaHostAlloc give is freed by cudaFreeHost.");
  } else {
    refusal.sentence = start + "a pointer that CUDA did not allocate";
    refusal.cause = "What malloc and new give is freed by free and delete.";
  }
  return refuse(refusal);
}

cudaError_t check_range(const void* pointer, std::size_t bytes) {
  const Place place = place_of(pointer);
  if (place.side == Side::host || bytes == 0 || place.offset + bytes > place.bytes) {
    return result(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

// Advice and prefetching change nothing here but the order.
cudaError_t prefetch(const void* pointer, std::size_t bytes, cudaStream_t stream,
                     __simulator::__Where where) {
  if (const cudaError_t error = begin_call("cudaMemPrefetchAsync", where)) return error;
  if (const cudaError_t error = check_range(pointer, bytes)) return error;
  if (place_of(pointer).side != Side::managed) return result(cudaErrorInvalidValue);
  return enqueue(stream, EmptyWork{}, "cudaMemPrefetchAsync", where);
}

cudaError_t advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                   __simulator::__Where where) {
  if (const cudaError_t error = begin_call("cudaMemAdvise", where)) return error;
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
    return result(cudaErrorInvalidValue);
  }
  return check_range(pointer, bytes);
}

bool is_known_device(int device) { return device == 0 || device == cudaCpuDeviceId; }

bool is_known_location(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice ? location.id == 0
                                                    : location.type != cudaMemLocationTypeInvalid;
}

}  // namespace

cudaError_t allocate_for_call(void** pointer, std::size_t bytes, MemoryKind kind,
                              __simulator::__Where where) {
  if (pointer == nullptr) return result(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = allocate(bytes, kind, where);
  if (*pointer == nullptr) return result(cudaErrorMemoryAllocation);
  const std::lock_guard<std::mutex> lock(freed_lines().mutex);
  freed_lines().lines.erase(*pointer);
  return cudaSuccess;
}

cudaError_t free_for_call(void* pointer, bool host_kind, const char* function,
                          __simulator::__Where where) {
  if (pointer == nullptr) return cudaSuccess;
  if (deallocate(pointer, host_kind, where) != Freed::done) {
    return refuse_free(pointer, host_kind, function, where);
  }
  const std::lock_guard<std::mutex> lock(freed_lines().mutex);
  freed_lines().lines[pointer] = where;
  return cudaSuccess;
}

bool is_device_pointer(const void* pointer) {
  const Side side = place_of(pointer).side;
  return side == Side::device || side == Side::managed;
}

}  // namespace simulator

using __simulator::__Where;
using simulator::allocate_for_call;
using simulator::begin_unsafe_call;
using simulator::free_for_call;
using simulator::MemoryKind;
using simulator::result;

cudaError_t cudaMalloc(void** pointer, size_t bytes, __Where where) {
  if (const cudaError_t error = begin_unsafe_call("cudaMalloc", where)) return error;
  return allocate_for_call(pointer, bytes, MemoryKind::device, where);
}

cudaError_t cudaFree(void* pointer, __Where where) {
  if (const cudaError_t error = begin_unsafe_call("cudaFree", where)) return error;
  simulator::host_waits_for_everything();
  return free_for_call(pointer, false, "cudaFree", where);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags, __Where where) {
  if (const cudaError_t error = begin_unsafe_call("cudaMallocManaged", where)) return error;
  if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
    return result(cudaErrorInvalidValue);
  }
  return allocate_for_call(pointer, bytes, MemoryKind::managed, where);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height,
                            __Where where) {
  if (const cudaError_t error = begin_unsafe_call("cudaMallocPitch", where)) return error;
  if (pitch == nullptr) return result(cudaErrorInvalidValue);
  const std::size_t row = (width + simulator::kPitchAlignment - 1) / simulator::kPitchAlignment *
                          simulator::kPitchAlignment;
  if (row < width || (height != 0 && row > ~std::size_t{0} / height)) {
    return result(cudaErrorMemoryAllocation);
  }
  *pitch = row;
  return allocate_for_call(pointer, row * height, MemoryKind::device, where);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, __Where where) {
  if (pointer == nullptr) return result(cudaErrorInvalidValue);
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  if (extent.depth != 0 && extent.height > ~std::size_t{0} / extent.depth) {
    return result(cudaErrorMemoryAllocation);
  }
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth,
                         where);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (const cudaError_t error = simulator::begin_call("cudaMemGetInfo")) return error;
  const simulator::MemoryAmount amount = simulator::memory_amount();
  if (free != nullptr) *free = amount.free;
  if (total != nullptr) *total = amount.total;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return result(cudaErrorInvalidValue);
  void* const address = const_cast<void*>(pointer);
  switch (simulator::place_of(pointer).side) {
    case simulator::Side::device:
      *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
      break;
    case simulator::Side::managed:
      *attributes = {cudaMemoryTypeManaged, 0, address, address};
      break;
    case simulator::Side::pinned:
      *attributes = {cudaMemoryTypeHost, 0, address, address};
      break;
    case simulator::Side::host:
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
      break;
  }
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream, __Where where) {
  if (flags != 0) return result(cudaErrorInvalidValue);
  if (!simulator::is_known_location(location)) return result(cudaErrorInvalidDevice);
  return simulator::prefetch(pointer, bytes, stream, where);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream,
                                 __Where where) {
  if (!simulator::is_known_device(device)) return result(cudaErrorInvalidDevice);
  return simulator::prefetch(pointer, bytes, stream, where);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location, __Where where) {
  if (!simulator::is_known_location(location)) return result(cudaErrorInvalidDevice);
  return simulator::advise(pointer, bytes, advice, where);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device,
                          __Where where) {
  if (!simulator::is_known_device(device)) return result(cudaErrorInvalidDevice);
  return simulator::advise(pointer, bytes, advice, where);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes, unsigned int,
                                     __Where where) {
  const simulator::Place place = simulator::place_of(pointer);
  if (place.side != simulator::Side::managed || place.offset != 0 ||
      (bytes != 0 && bytes != place.bytes)) {
    return result(cudaErrorInvalidValue);
  }
  return enqueue(stream, simulator::EmptyWork{}, "cudaStreamAttachMemAsync", where);
}
