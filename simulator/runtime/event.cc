// Events: the clock that a stream had at a place, and the time of day.

#include <cuda_runtime_api.h>

#include <algorithm>

#include "simulator/runtime/report.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

constexpr unsigned kEventFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t refuse_event(const char* function, __simulator::__Where where) {
  Refusal refusal;
  refusal.error = cudaErrorInvalidResourceHandle;
  refusal.kind = "event";
  refusal.sentence = std::string(function) +
                     " is given an event that was destroyed, or that cudaEventCreate never made";
  refusal.did = "calls it";
  refusal.where = where;
  return refuse(refusal);
}

cudaError_t wait(cudaEvent_t event, const char* function, __simulator::__Where where) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  const auto lock = lock_streams();
  if (!handles<CUevent_st>().has(event)) return refuse_event(function, where);
  if (event->capture != nullptr) {
    return spoil_capture(*event->capture, cudaErrorCapturedEvent,
                         (std::string(function) + " of an event that was recorded in it").c_str(),
                         where);
  }
  host_joins(event->clock);
  return cudaSuccess;
}

// Seconds are measured, since programs divide by them; nobody should believe them.
void note_about_time(__simulator::__Where where) {
  Report note;
  note.kind = "time";
  note.error = false;
  note.sentence = "times measured under the simulator say nothing about a GPU";
  note.cause = "First measured at " + place(where) +
               ". The simulator runs kernels on the CPU; what it counts (memory traffic, bank "
               "conflicts, divergence) is what carries over.";
  publish(note);
}

// A stream that waits for an event of a capture becomes part of it.
cudaError_t join_capture(CUstream_st& stream, const CUevent_st& event, __simulator::__Where where) {
  if (event.capture->ended) {
    Refusal refusal;
    refusal.error = cudaErrorCapturedEvent;
    refusal.kind = "capture";
    refusal.sentence =
        "cudaStreamWaitEvent is given an event that was recorded in a capture that has ended";
    refusal.did = "calls it";
    refusal.where = where;
    return refuse(refusal);
  }
  if (stream.capture == nullptr) {
    if (stream.legacy()) {
      return spoil_capture(*event.capture, cudaErrorStreamCaptureImplicit,
                           "cudaStreamWaitEvent in the default stream", where);
    }
    stream.capture = event.capture;
    stream.ends.clear();
    event.capture->streams.push_back(&stream);
  } else if (stream.capture != event.capture) {
    return spoil_capture(*stream.capture, cudaErrorStreamCaptureMerge,
                         "cudaStreamWaitEvent for an event of another capture", where);
  }
  for (CUgraphNode_st* node : event.ends) {
    if (std::find(stream.ends.begin(), stream.ends.end(), node) == stream.ends.end()) {
      stream.ends.push_back(node);
    }
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace simulator

using __simulator::__Where;
using simulator::begin_call;
using simulator::handles;
using simulator::lock_streams;
using simulator::refuse_event;
using simulator::result;

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags, __Where where) {
  if (const cudaError_t error = begin_call("cudaEventCreate", where)) return error;
  if (event == nullptr || (flags & ~simulator::kEventFlags) != 0) {
    return result(cudaErrorInvalidValue);
  }
  if ((flags & cudaEventInterprocess) != 0) return result(cudaErrorNotSupported);
  auto made = std::make_unique<CUevent_st>();
  made->flags = flags;
  *event = handles<CUevent_st>().add(std::move(made));
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event, __Where where) {
  return cudaEventCreateWithFlags(event, cudaEventDefault, where);
}

cudaError_t cudaEventDestroy(cudaEvent_t event, __Where where) {
  if (const cudaError_t error = begin_call("cudaEventDestroy", where)) return error;
  if (handles<CUevent_st>().remove(event) == nullptr)
    return refuse_event("cudaEventDestroy", where);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle, __Where where) {
  if (const cudaError_t error = begin_call("cudaEventRecord", where)) return error;
  const auto lock = lock_streams();
  if (!handles<CUevent_st>().has(event)) return refuse_event("cudaEventRecord", where);
  CUstream_st* const stream = simulator::find_stream(handle);
  if (stream == nullptr) return simulator::refuse_stream("cudaEventRecord", where);
  event->recorded = true;
  event->capture = stream->capture;
  event->ends = stream->ends;
  if (stream->capture == nullptr) {
    event->clock = simulator::arrive(*stream);
    event->time = std::chrono::steady_clock::now();
  }
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags,
                                     __Where where) {
  if (flags != cudaEventRecordDefault) return result(cudaErrorNotSupported);
  return cudaEventRecord(event, stream, where);
}

cudaError_t cudaEventQuery(cudaEvent_t event, __Where where) {
  return simulator::wait(event, "cudaEventQuery", where);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event, __Where where) {
  return simulator::wait(event, "cudaEventSynchronize", where);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end,
                                 __Where where) {
  if (const cudaError_t error = begin_call("cudaEventElapsedTime", where)) return error;
  if (milliseconds == nullptr) return result(cudaErrorInvalidValue);
  const auto lock = lock_streams();
  for (const cudaEvent_t event : {start, end}) {
    if (!handles<CUevent_st>().has(event)) return refuse_event("cudaEventElapsedTime", where);
    if ((event->flags & cudaEventDisableTiming) != 0 || !event->recorded ||
        event->capture != nullptr) {
      simulator::Refusal refusal;
      refusal.error = cudaErrorInvalidResourceHandle;
      refusal.kind = "event";
      refusal.sentence =
          (event->flags & cudaEventDisableTiming) != 0
              ? "cudaEventElapsedTime is given an event made with cudaEventDisableTiming"
              : "cudaEventElapsedTime is given an event that was never recorded in a stream";
      refusal.did = "calls it";
      refusal.where = where;
      return refuse(refusal);
    }
  }
  simulator::note_about_time(where);
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int flags,
                                __Where where) {
  if (const cudaError_t error = begin_call("cudaStreamWaitEvent", where)) return error;
  if (flags != cudaEventWaitDefault) return result(cudaErrorNotSupported);
  const auto lock = lock_streams();
  if (!handles<CUevent_st>().has(event)) return refuse_event("cudaStreamWaitEvent", where);
  CUstream_st* const stream = simulator::find_stream(handle);
  if (stream == nullptr) return simulator::refuse_stream("cudaStreamWaitEvent", where);
  if (!event->recorded) return cudaSuccess;
  if (event->capture != nullptr) return simulator::join_capture(*stream, *event, where);
  if (stream->capture != nullptr) {
    return simulator::spoil_capture(*stream->capture, cudaErrorStreamCaptureIsolation,
                                    "cudaStreamWaitEvent for an event recorded outside of it",
                                    where);
  }
  simulator::join(stream->clock, event->clock);
  return cudaSuccess;
}
