// The calls of the API that begin, end and ask about captures, and cudaDeviceReset, which ends all.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <set>

#include "simulator/runtime/device.h"
#include "simulator/runtime/graph.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

// Whether every node of the capture comes before the end of its origin.
bool all_joined(const Capture& capture) {
  std::set<const CUgraphNode_st*> before;
  std::vector<const CUgraphNode_st*> open(capture.origin->ends.begin(), capture.origin->ends.end());
  while (!open.empty()) {
    const CUgraphNode_st* const node = open.back();
    open.pop_back();
    if (!before.insert(node).second) continue;
    open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return std::all_of(
      capture.streams.begin(), capture.streams.end(), [&](const CUstream_st* stream) {
        return std::all_of(stream->ends.begin(), stream->ends.end(),
                           [&](const CUgraphNode_st* node) { return before.count(node) != 0; });
      });
}

cudaError_t refuse_capture(cudaError_t error, const char* function, const std::string& what,
                           const std::string& cause, __simulator::__Where where) {
  Refusal refusal;
  refusal.error = error;
  refusal.kind = "capture";
  refusal.sentence = std::string(function) + ' ' + what;
  refusal.did = "calls it";
  refusal.where = where;
  refusal.cause = cause;
  return refuse(refusal);
}

}  // namespace
}  // namespace simulator

using __simulator::__Where;
using simulator::begin_call;
using simulator::Capture;
using simulator::find_stream;
using simulator::lock_streams;
using simulator::refuse_capture;
using simulator::refuse_stream;
using simulator::result;

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode, __Where where) {
  if (const cudaError_t error = begin_call("cudaStreamBeginCapture", where)) return error;
  const auto lock = lock_streams();
  CUstream_st* const stream = find_stream(handle);
  if (stream == nullptr) return refuse_stream("cudaStreamBeginCapture", where);
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return result(cudaErrorInvalidValue);
  }
  if (stream->legacy()) {
    return refuse_capture(cudaErrorStreamCaptureUnsupported, "cudaStreamBeginCapture",
                          "is given the default stream, which cannot be captured",
                          "Make a stream with cudaStreamCreate and give it to the launches and "
                          "copies that are to be captured.",
                          where);
  }
  if (stream->capture != nullptr) {
    return refuse_capture(cudaErrorIllegalState, "cudaStreamBeginCapture",
                          "is given a stream that is being captured already", "", where);
  }
  simulator::begin_capture(*stream, mode);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph, __Where where) {
  if (const cudaError_t error = begin_call("cudaStreamEndCapture", where)) return error;
  const auto lock = lock_streams();
  CUstream_st* const stream = find_stream(handle);
  if (stream == nullptr) return refuse_stream("cudaStreamEndCapture", where);
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture == nullptr) {
    return refuse_capture(cudaErrorIllegalState, "cudaStreamEndCapture",
                          "is given a stream that is not being captured", "", where);
  }
  if (capture->origin != stream) {
    capture->invalidated = true;
    return refuse_capture(cudaErrorStreamCaptureUnmatched, "cudaStreamEndCapture",
                          "is given another stream than cudaStreamBeginCapture was", "", where);
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    return result(cudaErrorStreamCaptureWrongThread);
  }
  const bool joined = simulator::all_joined(*capture);
  simulator::end_capture(capture);
  if (capture->invalidated) return result(cudaErrorStreamCaptureInvalidated);
  if (!joined) {
    return refuse_capture(
        cudaErrorStreamCaptureUnjoined, "cudaStreamEndCapture",
        "is called while another stream of the capture has work that nothing waits for",
        "Record an event in that stream and let the first stream wait for it, before the end.",
        where);
  }
  *graph = simulator::handles<CUgraph_st>().add(std::move(capture->graph));
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count,
                                     __Where where) {
  if (const cudaError_t error = begin_call("cudaStreamGetCaptureInfo", where)) return error;
  const auto lock = lock_streams();
  const CUstream_st* const stream = find_stream(handle);
  if (stream == nullptr) return refuse_stream("cudaStreamGetCaptureInfo", where);
  if (status == nullptr) return result(cudaErrorInvalidValue);
  const Capture* const capture = stream->capture.get();
  *status = capture == nullptr     ? cudaStreamCaptureStatusNone
            : capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  if (id != nullptr) *id = capture->number;
  if (graph != nullptr) *graph = capture->graph.get();
  if (dependencies != nullptr) *dependencies = stream->ends.data();
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = stream->ends.size();
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                  __Where where) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  where);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (mode == nullptr) return result(cudaErrorInvalidValue);
  *mode = simulator::exchange_thread_mode(*mode);
  return cudaSuccess;
}

cudaError_t cudaDeviceReset(__Where) {
  simulator::host_waits_for_everything();
  simulator::reset_device_settings();
  simulator::forget_sticky_error();
  return cudaSuccess;
}

cudaError_t cudaThreadExit(__Where where) { return cudaDeviceReset(where); }
