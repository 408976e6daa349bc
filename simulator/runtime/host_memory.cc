// The calls of the API for memory of the host that the device may reach.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "simulator/runtime/allocation_calls.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

constexpr unsigned kAllocationFlags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kRegistrationFlags = cudaHostRegisterPortable | cudaHostRegisterMapped |
                                        cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

struct Entry {
  Allocation allocation;
  unsigned flags = 0;
};

struct HostMemory {
  std::mutex mutex;
  std::map<std::uintptr_t, Entry> registered;  // by address
  std::map<const void*, unsigned> flags;       // of what cudaHostAlloc gave
};

HostMemory& host_memory() {
  static HostMemory* const kMemory = new HostMemory;
  return *kMemory;
}

// With the mutex held.
const Entry* find_entry(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  auto found = host_memory().registered.upper_bound(address);
  if (found == host_memory().registered.begin()) return nullptr;
  --found;
  return address - found->first < found->second.allocation.bytes ? &found->second : nullptr;
}

bool is_pinned(const void* pointer) {
  const std::optional<Allocation> allocation = find_allocation(pointer);
  return allocation && !allocation->freed && allocation->kind == MemoryKind::pinned;
}

}  // namespace

std::optional<Allocation> find_registered(const void* pointer) {
  const std::lock_guard<std::mutex> lock(host_memory().mutex);
  const Entry* const entry = find_entry(pointer);
  if (entry == nullptr) return std::nullopt;
  return entry->allocation;
}

}  // namespace simulator

using __simulator::__Where;
using simulator::begin_unsafe_call;
using simulator::host_memory;
using simulator::result;

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags, __Where where) {
  if (const cudaError_t error = begin_unsafe_call("cudaHostAlloc", where)) return error;
  if ((flags & ~simulator::kAllocationFlags) != 0) return result(cudaErrorInvalidValue);
  if (const cudaError_t error =
          simulator::allocate_for_call(pointer, bytes, simulator::MemoryKind::pinned, where)) {
    return error;
  }
  const std::lock_guard<std::mutex> lock(host_memory().mutex);
  host_memory().flags[*pointer] = flags | cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes, __Where where) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault, where);
}

cudaError_t cudaFreeHost(void* pointer, __Where where) {
  if (const cudaError_t error = begin_unsafe_call("cudaFreeHost", where)) return error;
  simulator::host_waits_for_everything();
  return simulator::free_for_call(pointer, true, "cudaFreeHost", where);
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags, __Where where) {
  if (const cudaError_t error = begin_unsafe_call("cudaHostRegister", where)) return error;
  if (pointer == nullptr || bytes == 0 || (flags & ~simulator::kRegistrationFlags) != 0) {
    return result(cudaErrorInvalidValue);
  }
  const std::lock_guard<std::mutex> lock(host_memory().mutex);
  const void* const last = static_cast<const char*>(pointer) + bytes - 1;
  if (simulator::find_entry(pointer) != nullptr || simulator::find_entry(last) != nullptr ||
      simulator::is_pinned(pointer)) {
    return result(cudaErrorHostMemoryAlreadyRegistered);
  }
  simulator::Entry entry;
  entry.allocation.address = reinterpret_cast<std::uintptr_t>(pointer);
  entry.allocation.bytes = bytes;
  entry.allocation.kind = simulator::MemoryKind::pinned;
  entry.allocation.where = where;
  entry.flags = flags;
  host_memory().registered[entry.allocation.address] = entry;
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer, __Where where) {
  if (const cudaError_t error = begin_unsafe_call("cudaHostUnregister", where)) return error;
  simulator::host_waits_for_everything();
  const std::lock_guard<std::mutex> lock(host_memory().mutex);
  if (host_memory().registered.erase(reinterpret_cast<std::uintptr_t>(pointer)) == 0) {
    return result(cudaErrorHostMemoryNotRegistered);
  }
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags,
                                     __Where where) {
  if (const cudaError_t error = simulator::begin_call("cudaHostGetDevicePointer", where)) {
    return error;
  }
  if (device_pointer == nullptr || flags != 0) return result(cudaErrorInvalidValue);
  *device_pointer = nullptr;
  if (!simulator::is_pinned(host_pointer) && !simulator::find_registered(host_pointer)) {
    return result(cudaErrorInvalidValue);
  }
  *device_pointer = host_pointer;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  if (flags == nullptr) return result(cudaErrorInvalidValue);
  const bool pinned = simulator::is_pinned(pointer);
  const std::lock_guard<std::mutex> lock(host_memory().mutex);
  if (pinned) {
    const auto found = host_memory().flags.find(pointer);
    if (found == host_memory().flags.end()) return result(cudaErrorInvalidValue);
    *flags = found->second;
    return cudaSuccess;
  }
  const simulator::Entry* const entry = simulator::find_entry(pointer);
  if (entry == nullptr) return result(cudaErrorInvalidValue);
  *flags = entry->flags;
  return cudaSuccess;
}
