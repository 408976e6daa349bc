#include "simulator/runtime/copy.h"

#include <cstdint>
#include <map>
#include <mutex>

#include "simulator/runtime/allocation_calls.h"
#include "simulator/runtime/error.h"

namespace simulator {
namespace {

struct Variables {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> sizes;  // by address
};

Variables& variables() {
  static Variables* const kVariables = new Variables;
  return *kVariables;
}

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    default:
      return "cudaMemcpyDefault";
  }
}

// From the first byte that is touched to behind the last one.
std::size_t extent(const Pitch& pitch, const Shape& shape) {
  return (shape.depth - 1) * pitch.slice + (shape.height - 1) * pitch.row + shape.width;
}

bool is_empty(const Shape& shape) {
  return shape.width == 0 || shape.height == 0 || shape.depth == 0;
}

struct Call {
  const char* function;
  __simulator::__Where where;
};

cudaError_t refuse_memory(const Call& call, const std::string& what, const std::string& cause) {
  Refusal refusal;
  refusal.kind = "copy";
  refusal.sentence = std::string(call.function) + ' ' + what;
  refusal.did = "calls it";
  refusal.where = call.where;
  refusal.cause = cause;
  return refuse(refusal);
}

std::string describe(const Place& place) {
  if (place.variable) return "a __device__ variable of " + std::to_string(place.bytes) + " bytes";
  return "an allocation of " + std::to_string(place.bytes) + " bytes, made at " +
         simulator::place(place.allocation.where);
}

cudaError_t check_range(const Call& call, const void* pointer, const Place& place,
                        const Pitch& pitch, const Shape& shape, bool writes) {
  const std::string verb = writes ? "writes " : "reads ";
  if (pointer == nullptr) {
    return refuse_memory(call, verb + (writes ? "to" : "from") + " a null pointer",
                         "Was the memory never allocated, or did its allocation fail?");
  }
  if (place.allocation.freed) {
    return refuse_memory(
        call, verb + "memory that was freed at " + simulator::place(place.allocation.freed_where),
        "It was allocated at " + simulator::place(place.allocation.where) + ".");
  }
  if (place.bytes == 0) return cudaSuccess;
  const std::size_t bytes = extent(pitch, shape);
  if (place.offset <= place.bytes && bytes <= place.bytes - place.offset) return cudaSuccess;
  const std::string from =
      place.offset == 0 ? "" : " from byte " + std::to_string(place.offset) + " on";
  return refuse_memory(
      call,
      verb + std::to_string(bytes) + " bytes" + from + (writes ? " to " : " of ") + describe(place),
      "Sizes are in bytes: count * sizeof(element), in the allocation as in the copy.");
}

cudaError_t refuse_side(const Call& call, cudaMemcpyKind kind, const char* which, bool is_device) {
  return refuse_memory(
      call,
      std::string("with ") + name_of(kind) + " is given " +
          (is_device ? "memory of the device" : "memory that is not the device's") + " as its " +
          which,
      is_device
          ? "Host memory is what malloc, new and arrays give. Are the arguments swapped? The "
            "destination comes first."
          : "Memory of the device is what cudaMalloc gives, until it is freed. Are the arguments "
            "swapped? The destination comes first.");
}

cudaError_t check_direction(const Call& call, cudaMemcpyKind kind, const Place& to,
                            const Place& from) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return result(cudaErrorInvalidMemcpyDirection);
  }
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  // Pinned and managed memory is both sides'.
  if (to.side == (to_device ? Side::host : Side::device)) {
    return refuse_side(call, kind, "destination", !to_device);
  }
  if (from.side == (from_device ? Side::host : Side::device)) {
    return refuse_side(call, kind, "source", !from_device);
  }
  return cudaSuccess;
}

}  // namespace

Place place_of(const void* pointer) {
  Place place;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  std::optional<Allocation> allocation = find_allocation(pointer);
  if (!allocation) allocation = find_registered(pointer);
  if (allocation) {
    place.allocation = *allocation;
    place.bytes = allocation->bytes;
    place.offset = address - allocation->address;
    place.side = allocation->kind == MemoryKind::device    ? Side::device
                 : allocation->kind == MemoryKind::managed ? Side::managed
                                                           : Side::pinned;
    return place;
  }
  const std::lock_guard<std::mutex> lock(variables().mutex);
  auto found = variables().sizes.upper_bound(address);
  if (found == variables().sizes.begin()) return place;
  --found;
  if (address - found->first >= found->second) return place;
  place.side = Side::device;
  place.bytes = found->second;
  place.offset = address - found->first;
  place.variable = true;
  return place;
}

void add_device_variable(const void* pointer, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(variables().mutex);
  variables().sizes[reinterpret_cast<std::uintptr_t>(pointer)] = bytes;
}

CopyWork copy_of(void* to, const void* from, std::size_t bytes) {
  CopyWork copy;
  copy.to = to;
  copy.from = from;
  copy.shape.width = bytes;
  return copy;
}

FillWork fill_of(void* to, int value, std::size_t bytes) {
  FillWork fill;
  fill.to = to;
  fill.value = static_cast<unsigned char>(value);
  fill.shape.width = bytes;
  return fill;
}

cudaError_t check(const CopyWork& copy, cudaMemcpyKind kind, const char* function,
                  __simulator::__Where where) {
  if (is_empty(copy.shape)) return cudaSuccess;
  const Call call{function, where};
  const Place to = place_of(copy.to);
  const Place from = place_of(copy.from);
  for (const Pitch* pitch : {&copy.to_pitch, &copy.from_pitch}) {
    if (copy.shape.height <= 1 || pitch->row >= copy.shape.width) continue;
    refuse_memory(call,
                  "is given rows of " + std::to_string(copy.shape.width) +
                      " bytes and a pitch of only " + std::to_string(pitch->row),
                  "A pitch is the distance from one row's start to the next, in bytes.");
    return result(cudaErrorInvalidPitchValue);
  }
  if (copy.to != nullptr && copy.from != nullptr) {
    if (const cudaError_t error = check_direction(call, kind, to, from)) return error;
  }
  if (const cudaError_t error =
          check_range(call, copy.from, from, copy.from_pitch, copy.shape, false)) {
    return error;
  }
  return check_range(call, copy.to, to, copy.to_pitch, copy.shape, true);
}

cudaError_t check(const FillWork& fill, const char* function, __simulator::__Where where) {
  if (is_empty(fill.shape)) return cudaSuccess;
  const Call call{function, where};
  const Place to = place_of(fill.to);
  if (fill.shape.height > 1 && fill.pitch.row < fill.shape.width) {
    refuse_memory(call,
                  "is given rows of " + std::to_string(fill.shape.width) +
                      " bytes and a pitch of only " + std::to_string(fill.pitch.row),
                  "A pitch is the distance from one row's start to the next, in bytes.");
    return result(cudaErrorInvalidPitchValue);
  }
  if (fill.to != nullptr && to.side == Side::host) {
    return refuse_memory(
        call, "is given memory that is not the device's",
        "It fills what cudaMalloc gave, until that is freed; for host memory there is "
        "memset.");
  }
  return check_range(call, fill.to, to, fill.pitch, fill.shape, true);
}

cudaError_t read_parameters(const cudaMemcpy3DParms* parameters, CopyWork* copy) {
  if (parameters == nullptr) return result(cudaErrorInvalidValue);
  const cudaMemcpy3DParms& p = *parameters;
  if (p.srcArray != nullptr || p.dstArray != nullptr) return result(cudaErrorNotSupported);
  const auto start = [](const cudaPitchedPtr& pointer, const cudaPos& position) {
    return static_cast<char*>(pointer.ptr) +
           (position.z * pointer.ysize + position.y) * pointer.pitch + position.x;
  };
  copy->to = start(p.dstPtr, p.dstPos);
  copy->from = start(p.srcPtr, p.srcPos);
  copy->to_pitch = {p.dstPtr.pitch, p.dstPtr.pitch * p.dstPtr.ysize};
  copy->from_pitch = {p.srcPtr.pitch, p.srcPtr.pitch * p.srcPtr.ysize};
  copy->shape = {p.extent.width, p.extent.height, p.extent.depth};
  return cudaSuccess;
}

}  // namespace simulator
