// File: stream.h
//
// Streams, and which work comes before which.
//
// All work is done at once, in the thread of the host that asks for it, while the call lasts. That
// is one of the orders that CUDA allows, but a program must be right in all of them, so the order
// that it can rely on is kept beside the one that happens. Each piece of work is an Operation with
// a vector clock: for every timeline (a stream, or a parallel branch of a graph), how many of its
// operations surely are done when this one is. What makes an operation come after others:
//
//   - its stream did them before; cudaStreamWaitEvent joins in what the event had seen;
//   - legacy default stream: comes after all work of the blocking streams, and they after it;
//     streams made with cudaStreamNonBlocking take no part;
//   - whatever the host had waited for when it asked for the operation. The host's knowledge is one
//     clock for all of its threads, joined by every call that waits: synchronize, a query (which
//     here always finds the work done), cudaFree, a cudaMemcpy from or to the host;
//   - in a graph: its dependencies, what its stream did before, and the graph's earlier launches.
//
// In a capture nothing is done: work becomes nodes of a graph (graph.h).

#ifndef ANDREA_SIMULATOR_RUNTIME_STREAM_H_
#define ANDREA_SIMULATOR_RUNTIME_STREAM_H_

#include <driver_types.h>
#include <simulator/synchronization.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "simulator/runtime/error.h"
#include "simulator/runtime/handles.h"
#include "simulator/runtime/work.h"

namespace simulator {

// By timeline; what lies behind the end is 0.
using Clock = std::vector<std::uint64_t>;
void join(Clock& into, const Clock& other);

struct Operation {
  std::uint64_t number = 0;      // in the order in which they ran, counted from 1
  unsigned timeline = 0;         // 0 is the legacy default stream
  std::uint64_t position = 0;    // on its timeline, counted from 1
  Clock clock;                   // its own position included
  __simulator::__Where where{};  // the call that asked for it
  const char* function = "";     // its name
  // Where that is not known, as of a library: the calls that led to it, if somebody observes.
  std::vector<std::uintptr_t> calls;
};

// Whether the program sees to it that `earlier` is done before `later` begins.
bool ordered(const Operation& earlier, const Operation& later);
// Whether the host has waited for it.
bool host_has_seen(const Operation& operation);
// The operation whose kernel, copy or function runs on the calling thread; for the observer.
// nullptr where none runs.
const Operation* running_operation();

// Work that is being recorded into a graph, from one stream (the origin) and those that joined it
// by waiting for its events.
struct Capture {
  std::unique_ptr<CUgraph_st> graph;                         // what has been captured
  CUstream_st* origin = nullptr;                             // the stream that it began with
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;  // what other threads may do meanwhile
  std::thread::id thread;                                    // that began it
  std::uint64_t number = 0;                                  // which capture this is
  bool invalidated = false;           // a call that no graph can have was made
  bool ended = false;                 // nothing joins any more
  std::vector<CUstream_st*> streams;  // those that have joined
};

// A timeline is given back when its stream or graph ends, so that clocks stay short.
unsigned take_timeline();
void give_back_timeline(unsigned timeline);

}  // namespace simulator

// A cudaStream_t.
struct CUstream_st {
  unsigned timeline = 0;               // its own; 0 is the default stream's
  unsigned flags = cudaStreamDefault;  // as it was made with
  int priority = 0;                    // kept, and of no effect
  std::uint64_t number = 0;            // of its latest work
  simulator::Clock clock;              // what its next work comes after

  std::shared_ptr<simulator::Capture> capture;  // nullptr: not being captured
  std::vector<CUgraphNode_st*> ends;            // on which the next node of the capture depends

  bool legacy() const { return timeline == 0; }  // whether it is the default stream
  // Whether it waits for the default stream.
  bool blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
};

// A cudaEvent_t.
struct CUevent_st {
  unsigned flags = cudaEventDefault;            // as it was made with
  bool recorded = false;                        // else it is no work's end yet
  simulator::Clock clock;                       // what comes before it
  std::chrono::steady_clock::time_point time;   // of the latest record
  std::shared_ptr<simulator::Capture> capture;  // the event marks a place in this capture
  std::vector<CUgraphNode_st*> ends;            // of a capture, where it was recorded in one
};

namespace simulator {

// Whether the host waits for the work. A call that always does (cudaMemcpy) cannot be captured.
enum class HostWaits { no, unless_captured, always };

// Does the work as the stream's next, or records it. `function` names the call in reports.
cudaError_t enqueue(cudaStream_t stream, const Work& work, const char* function,
                    __simulator::__Where where, HostWaits host_waits = HostWaits::no);

// Whether the program has had another than the default stream, so that work may lack an order.
bool streams_made();

// The stream that a handle means: nullptr, 1 and 2 are the default streams. nullptr where the
// handle is no stream.
CUstream_st* find_stream(cudaStream_t handle);
cudaError_t refuse_stream(const char* function, __simulator::__Where where);

// Calls that wait or allocate are not allowed while work is being captured, and spoil the capture.
// cudaSuccess where nothing is being captured that forbids them.
cudaError_t begin_unsafe_call(const char* function, __simulator::__Where where);
cudaError_t spoil_capture(Capture& capture, cudaError_t error, const char* function,
                          __simulator::__Where where);

// How the calling thread takes captures by others; returns how it did before.
cudaStreamCaptureMode exchange_thread_mode(cudaStreamCaptureMode mode);

// All that follows on the host comes after all work so far.
void host_waits_for_everything();

// With the streams locked: a stream begins and ends to take part in the order.
void add_stream(CUstream_st& stream);
void remove_stream(CUstream_st& stream);

// Guards the clocks and captures of all streams and events.
std::unique_lock<std::recursive_mutex> lock_streams();

// With the streams locked: what the stream's next operation comes after.
Clock& arrive(CUstream_st& stream);
void host_joins(const Clock& clock);

// With the streams locked: begins an operation on the timeline, whose clock is advanced.
Operation begin_operation(unsigned timeline, Clock& clock);
cudaError_t run_operation(const Operation& operation, const Work& work);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_STREAM_H_
