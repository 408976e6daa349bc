// __device__ and __constant__ variables by name. To g++ they are the program's own global
// variables, so an address of the device is the variable's own.

#include <cuda_runtime_api.h>

#include "simulator/runtime/copy.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

cudaError_t check_size(const char* function, __simulator::__Where where, std::size_t size,
                       std::size_t bytes, std::size_t offset, bool writes) {
  if (offset <= size && bytes <= size - offset) return cudaSuccess;
  Refusal refusal;
  refusal.kind = "copy";
  refusal.sentence = std::string(function) + (writes ? " writes " : " reads ") +
                     std::to_string(bytes) + " bytes from byte " + std::to_string(offset) +
                     " on of a variable of " + std::to_string(size) + " bytes";
  refusal.did = "calls it";
  refusal.where = where;
  refusal.cause = "Sizes and offsets are in bytes: count * sizeof(element).";
  return refuse(refusal);
}

// The variable's side is known; the other one must fit the kind.
cudaError_t copy(const CopyWork& work, cudaMemcpyKind kind, const char* function,
                 cudaStream_t stream, bool host_waits, __simulator::__Where where) {
  if (const cudaError_t error = check(work, kind, function, where)) return error;
  const bool to_pageable = place_of(work.to).side == Side::host;
  return enqueue(stream, work, function, where,
                 host_waits    ? HostWaits::always
                 : to_pageable ? HostWaits::unless_captured
                               : HostWaits::no);
}

}  // namespace
}  // namespace simulator

namespace __simulator {

cudaError_t __copy_to_symbol(const void* symbol, size_t size, const void* from, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                             bool host_waits, __Where where) {
  const char* const function = host_waits ? "cudaMemcpyToSymbol" : "cudaMemcpyToSymbolAsync";
  if (const cudaError_t error = simulator::begin_call(function, where)) return error;
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) {
    return simulator::result(cudaErrorInvalidMemcpyDirection);
  }
  if (const cudaError_t error = simulator::check_size(function, where, size, bytes, offset, true)) {
    return error;
  }
  simulator::add_device_variable(symbol, size);
  void* const to = static_cast<char*>(const_cast<void*>(symbol)) + offset;
  return simulator::copy(simulator::copy_of(to, from, bytes), kind, function, stream, host_waits,
                         where);
}

cudaError_t __copy_from_symbol(void* to, const void* symbol, size_t size, size_t bytes,
                               size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                               bool host_waits, __Where where) {
  const char* const function = host_waits ? "cudaMemcpyFromSymbol" : "cudaMemcpyFromSymbolAsync";
  if (const cudaError_t error = simulator::begin_call(function, where)) return error;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) {
    return simulator::result(cudaErrorInvalidMemcpyDirection);
  }
  if (const cudaError_t error =
          simulator::check_size(function, where, size, bytes, offset, false)) {
    return error;
  }
  simulator::add_device_variable(symbol, size);
  const void* const from = static_cast<const char*>(symbol) + offset;
  return simulator::copy(simulator::copy_of(to, from, bytes), kind, function, stream, host_waits,
                         where);
}

cudaError_t __symbol_address(void** pointer, const void* symbol, size_t size) {
  if (const cudaError_t error = simulator::begin_call("cudaGetSymbolAddress")) return error;
  if (pointer == nullptr) return simulator::result(cudaErrorInvalidValue);
  simulator::add_device_variable(symbol, size);
  *pointer = const_cast<void*>(symbol);
  return cudaSuccess;
}

cudaError_t __symbol_size(size_t* bytes, size_t size) {
  if (bytes == nullptr) return simulator::result(cudaErrorInvalidValue);
  *bytes = size;
  return cudaSuccess;
}

}  // namespace __simulator
