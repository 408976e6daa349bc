// The calls of the API that copy and fill.

#include <cuda_runtime_api.h>

#include "simulator/runtime/copy.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

cudaError_t copy(const CopyWork& work, cudaMemcpyKind kind, cudaStream_t stream,
                 const char* function, __simulator::__Where where, HostWaits host_waits) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  if (const cudaError_t error = check(work, kind, function, where)) return error;
  return enqueue(stream, work, function, where, host_waits);
}

// As cudaMemcpy: the host waits, unless both sides are the device's.
cudaError_t copy_now(const CopyWork& work, cudaMemcpyKind kind, const char* function,
                     __simulator::__Where where) {
  if (const cudaError_t error = begin_unsafe_call(function, where)) return error;
  const bool inside =
      place_of(work.to).side == Side::device && place_of(work.from).side == Side::device;
  return copy(work, kind, nullptr, function, where, inside ? HostWaits::no : HostWaits::always);
}

// As cudaMemcpyAsync: a copy to memory that is not pinned is done when the call returns.
cudaError_t copy_async(const CopyWork& work, cudaMemcpyKind kind, cudaStream_t stream,
                       const char* function, __simulator::__Where where) {
  const bool to_pageable = place_of(work.to).side == Side::host;
  return copy(work, kind, stream, function, where,
              to_pageable ? HostWaits::unless_captured : HostWaits::no);
}

cudaError_t fill(const FillWork& work, cudaStream_t stream, const char* function,
                 __simulator::__Where where, HostWaits host_waits = HostWaits::no) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  if (const cudaError_t error = check(work, function, where)) return error;
  return enqueue(stream, work, function, where, host_waits);
}

// As cudaMemset: the host waits where it can reach the memory itself.
cudaError_t fill_now(const FillWork& work, const char* function, __simulator::__Where where) {
  const bool inside = place_of(work.to).side == Side::device;
  return fill(work, nullptr, function, where, inside ? HostWaits::no : HostWaits::unless_captured);
}

CopyWork copy_2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t width, std::size_t height) {
  CopyWork copy = copy_of(to, from, width);
  copy.to_pitch.row = to_pitch;
  copy.from_pitch.row = from_pitch;
  copy.shape.height = height;
  return copy;
}

FillWork fill_2d(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  FillWork fill = fill_of(to, value, width);
  fill.pitch.row = pitch;
  fill.shape.height = height;
  return fill;
}

FillWork fill_3d(const cudaPitchedPtr& to, int value, const cudaExtent& extent) {
  FillWork fill = fill_2d(to.ptr, to.pitch, value, extent.width, extent.height);
  fill.pitch.slice = to.pitch * to.ysize;
  fill.shape.depth = extent.depth;
  return fill;
}

}  // namespace
}  // namespace simulator

using __simulator::__Where;
using simulator::copy_2d;
using simulator::copy_async;
using simulator::copy_now;
using simulator::copy_of;
using simulator::fill;
using simulator::fill_2d;
using simulator::fill_3d;
using simulator::fill_now;
using simulator::fill_of;
using simulator::result;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                       __Where where) {
  return copy_now(copy_of(to, from, bytes), kind, "cudaMemcpy", where);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream, __Where where) {
  return copy_async(copy_of(to, from, bytes), kind, stream, "cudaMemcpyAsync", where);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes,
                           __Where where) {
  if (to_device != 0 || from_device != 0) return result(cudaErrorInvalidDevice);
  return copy_now(copy_of(to, from, bytes), cudaMemcpyDeviceToDevice, "cudaMemcpyPeer", where);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream, __Where where) {
  if (to_device != 0 || from_device != 0) return result(cudaErrorInvalidDevice);
  return copy_async(copy_of(to, from, bytes), cudaMemcpyDeviceToDevice, stream,
                    "cudaMemcpyPeerAsync", where);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind, __Where where) {
  return copy_now(copy_2d(to, to_pitch, from, from_pitch, width, height), kind, "cudaMemcpy2D",
                  where);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                              __Where where) {
  return copy_async(copy_2d(to, to_pitch, from, from_pitch, width, height), kind, stream,
                    "cudaMemcpy2DAsync", where);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, __Where where) {
  simulator::CopyWork copy;
  if (const cudaError_t error = read_parameters(parameters, &copy)) return error;
  return copy_now(copy, parameters->kind, "cudaMemcpy3D", where);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream,
                              __Where where) {
  simulator::CopyWork copy;
  if (const cudaError_t error = read_parameters(parameters, &copy)) return error;
  return copy_async(copy, parameters->kind, stream, "cudaMemcpy3DAsync", where);
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes, __Where where) {
  return fill_now(fill_of(pointer, value, bytes), "cudaMemset", where);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream,
                            __Where where) {
  return fill(fill_of(pointer, value, bytes), stream, "cudaMemsetAsync", where);
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height,
                         __Where where) {
  return fill_now(fill_2d(pointer, pitch, value, width, height), "cudaMemset2D", where);
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, __Where where) {
  return fill(fill_2d(pointer, pitch, value, width, height), stream, "cudaMemset2DAsync", where);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, __Where where) {
  return fill_now(fill_3d(pointer, value, extent), "cudaMemset3D", where);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream, __Where where) {
  return fill(fill_3d(pointer, value, extent), stream, "cudaMemset3DAsync", where);
}
