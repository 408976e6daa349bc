// The calls of the API that make, end and ask about streams.

#include <cuda_runtime_api.h>

#include <algorithm>

#include "simulator/runtime/device.h"
#include "simulator/runtime/graph.h"
#include "simulator/runtime/memory.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

// A greater priority is a smaller number, as in CUDA.
constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;

// Waits, which means here: the host now knows what the stream knows.
cudaError_t wait(cudaStream_t handle, const char* function, __simulator::__Where where) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  const auto lock = lock_streams();
  CUstream_st* const stream = find_stream(handle);
  if (stream == nullptr) return refuse_stream(function, where);
  if (stream->capture != nullptr) {
    return spoil_capture(*stream->capture, cudaErrorStreamCaptureUnsupported, function, where);
  }
  host_joins(stream->legacy() ? arrive(*stream) : stream->clock);
  return cudaSuccess;
}

cudaError_t wait_for_everything(const char* function, __simulator::__Where where) {
  if (const cudaError_t error = begin_unsafe_call(function, where)) return error;
  host_waits_for_everything();
  return cudaSuccess;
}

template <typename T>
cudaError_t give(cudaStream_t handle, T* to, T (*value)(const CUstream_st&), const char* function,
                 __simulator::__Where where) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  const CUstream_st* const stream = find_stream(handle);
  if (stream == nullptr) return refuse_stream(function, where);
  if (to == nullptr) return result(cudaErrorInvalidValue);
  *to = value(*stream);
  return cudaSuccess;
}

}  // namespace
}  // namespace simulator

using __simulator::__Where;
using simulator::begin_call;
using simulator::enqueue;
using simulator::find_stream;
using simulator::lock_streams;
using simulator::refuse_stream;
using simulator::result;

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = simulator::kLeastPriority;
  if (greatest != nullptr) *greatest = simulator::kGreatestPriority;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority,
                                         __Where where) {
  if (const cudaError_t error = begin_call("cudaStreamCreate", where)) return error;
  if (stream == nullptr || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking)) != 0) {
    return result(cudaErrorInvalidValue);
  }
  auto made = std::make_unique<CUstream_st>();
  made->flags = flags;
  made->priority =
      std::min(simulator::kLeastPriority, std::max(simulator::kGreatestPriority, priority));
  const auto lock = lock_streams();
  simulator::add_stream(*made);
  *stream = simulator::handles<CUstream_st>().add(std::move(made));
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream, __Where where) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0, where);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags, __Where where) {
  return cudaStreamCreateWithPriority(stream, flags, 0, where);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle, __Where where) {
  if (const cudaError_t error = begin_call("cudaStreamDestroy", where)) return error;
  const auto lock = lock_streams();
  const std::unique_ptr<CUstream_st> stream = simulator::handles<CUstream_st>().remove(handle);
  if (stream == nullptr) return refuse_stream("cudaStreamDestroy", where);
  if (stream->capture != nullptr) {
    std::erase(stream->capture->streams, stream.get());
    stream->capture->invalidated = true;
    if (stream->capture->origin == stream.get()) simulator::end_capture(stream->capture);
  }
  simulator::remove_stream(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream, __Where where) {
  return simulator::wait(stream, "cudaStreamSynchronize", where);
}

cudaError_t cudaStreamQuery(cudaStream_t stream, __Where where) {
  return simulator::wait(stream, "cudaStreamQuery", where);
}

cudaError_t cudaDeviceSynchronize(__Where where) {
  return simulator::wait_for_everything("cudaDeviceSynchronize", where);
}

cudaError_t cudaThreadSynchronize(__Where where) {
  return simulator::wait_for_everything("cudaThreadSynchronize", where);
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags, __Where where) {
  return simulator::give<unsigned>(
      handle, flags, [](const CUstream_st& stream) { return stream.flags; }, "cudaStreamGetFlags",
      where);
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority, __Where where) {
  return simulator::give<int>(
      handle, priority, [](const CUstream_st& stream) { return stream.priority; },
      "cudaStreamGetPriority", where);
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id, __Where where) {
  return simulator::give<unsigned long long>(
      handle, id, [](const CUstream_st& stream) -> unsigned long long { return stream.number; },
      "cudaStreamGetId", where);
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device, __Where where) {
  return simulator::give<int>(
      handle, device, [](const CUstream_st&) { return 0; }, "cudaStreamGetDevice", where);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data,
                               __Where where) {
  if (function == nullptr) return result(cudaErrorInvalidValue);
  return enqueue(stream, simulator::HostWork{[=] { function(user_data); }}, "cudaLaunchHostFunc",
                 where);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags, __Where where) {
  if (callback == nullptr || flags != 0) return result(cudaErrorInvalidValue);
  const CUstream_st* const found = find_stream(stream);
  if (found != nullptr && found->capture != nullptr) {
    return simulator::spoil_capture(*found->capture, cudaErrorStreamCaptureUnsupported,
                                    "cudaStreamAddCallback", where);
  }
  return enqueue(stream, simulator::HostWork{[=] { callback(stream, cudaSuccess, user_data); }},
                 "cudaStreamAddCallback", where);
}
