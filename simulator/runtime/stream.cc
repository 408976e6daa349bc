#include "simulator/runtime/stream.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "simulator/runtime/graph.h"
#include "simulator/runtime/memory.h"
#include "simulator/runtime/observer.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {
namespace {

struct State {
  std::recursive_mutex mutex;
  CUstream_st legacy;
  std::set<CUstream_st*> streams;  // all but the legacy one
  std::vector<std::shared_ptr<Capture>> captures;
  Clock host;
  Clock ended;                              // of streams that were destroyed, whose work may go on
  Clock ended_blocking;                     // of those of them for which the legacy stream waits
  std::vector<std::uint64_t> positions{0};  // the last one of each timeline
  std::vector<unsigned> free_timelines;
  std::uint64_t operations = 0;
  std::uint64_t numbers = 0;  // of streams and captures
};

State& state() {
  static State* const kState = new State;
  return *kState;
}

thread_local const Operation* running = nullptr;
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

std::uint64_t at(const Clock& clock, unsigned timeline) {
  return timeline < clock.size() ? clock[timeline] : 0;
}

// The default stream of one thread of the host.
struct ThreadStream {
  CUstream_st stream;
  ThreadStream() {
    const auto lock = lock_streams();
    add_stream(stream);
  }
  ~ThreadStream() {
    const auto lock = lock_streams();
    remove_stream(stream);
  }
};

// A capture of a blocking stream that work in the legacy stream would have to wait for.
Capture* implicit_capture() {
  for (CUstream_st* stream : state().streams) {
    if (stream->capture != nullptr && stream->blocking()) return stream->capture.get();
  }
  return nullptr;
}

cudaError_t record(CUstream_st& stream, const Work& work, const char* function,
                   __simulator::__Where where, HostWaits host_waits) {
  Capture& capture = *stream.capture;
  if (capture.invalidated) return result(cudaErrorStreamCaptureInvalidated);
  if (host_waits == HostWaits::always) {
    return spoil_capture(capture, cudaErrorStreamCaptureUnsupported, function, where);
  }
  CUgraphNode_st* const node = capture.graph->add(work, stream.ends);
  stream.ends = {node};
  return cudaSuccess;
}

}  // namespace

void join(Clock& into, const Clock& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

bool ordered(const Operation& earlier, const Operation& later) {
  return at(later.clock, earlier.timeline) >= earlier.position && earlier.number != later.number;
}

bool host_has_seen(const Operation& operation) {
  const auto lock = lock_streams();
  return at(state().host, operation.timeline) >= operation.position;
}

const Operation* running_operation() { return running; }

unsigned take_timeline() {
  State& s = state();
  if (s.free_timelines.empty()) {
    s.positions.push_back(0);
    return static_cast<unsigned>(s.positions.size() - 1);
  }
  const unsigned timeline = s.free_timelines.back();
  s.free_timelines.pop_back();
  return timeline;
}

void give_back_timeline(unsigned timeline) { state().free_timelines.push_back(timeline); }

void add_stream(CUstream_st& stream) {
  stream.timeline = take_timeline();
  stream.number = ++state().numbers;
  stream.clock.resize(stream.timeline + 1);
  stream.clock[stream.timeline] = state().positions[stream.timeline];
  state().streams.insert(&stream);
}

void remove_stream(CUstream_st& stream) {
  join(state().ended, stream.clock);
  if (stream.blocking()) join(state().ended_blocking, stream.clock);
  state().streams.erase(&stream);
  give_back_timeline(stream.timeline);
}

std::unique_lock<std::recursive_mutex> lock_streams() {
  return std::unique_lock<std::recursive_mutex>(state().mutex);
}

bool streams_made() {
  const auto lock = lock_streams();
  return state().numbers > 0;
}

CUstream_st* find_stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &state().legacy;
  if (handle == cudaStreamPerThread) {
    static thread_local ThreadStream own;
    return &own.stream;
  }
  return handles<CUstream_st>().has(handle) ? handle : nullptr;
}

cudaError_t refuse_stream(const char* function, __simulator::__Where where) {
  Refusal refusal;
  refusal.error = cudaErrorInvalidResourceHandle;
  refusal.kind = "stream";
  refusal.sentence = std::string(function) +
                     " is given a stream that was destroyed, or that cudaStreamCreate never made";
  refusal.did = "calls it";
  refusal.where = where;
  return refuse(refusal);
}

cudaError_t spoil_capture(Capture& capture, cudaError_t error, const char* function,
                          __simulator::__Where where) {
  capture.invalidated = true;
  Refusal refusal;
  refusal.error = error;
  refusal.kind = "capture";
  refusal.sentence = std::string(function) + " is not allowed while a stream is being captured";
  refusal.did = "calls it";
  refusal.where = where;
  refusal.cause =
      "Between cudaStreamBeginCapture and cudaStreamEndCapture work is recorded, not done: nothing "
      "can "
      "wait for it or copy its results, and memory must be allocated before. The capture is "
      "spoilt.";
  return refuse(refusal);
}

cudaError_t begin_unsafe_call(const char* function, __simulator::__Where where) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  const auto lock = lock_streams();
  if (thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  for (const std::shared_ptr<Capture>& capture : state().captures) {
    const bool forbids = capture->mode == cudaStreamCaptureModeGlobal ||
                         (capture->mode == cudaStreamCaptureModeThreadLocal &&
                          capture->thread == std::this_thread::get_id());
    if (!forbids) continue;
    return spoil_capture(*capture, cudaErrorStreamCaptureUnsupported, function, where);
  }
  return cudaSuccess;
}

cudaStreamCaptureMode exchange_thread_mode(cudaStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

Clock& arrive(CUstream_st& stream) {
  if (stream.legacy()) {
    join(stream.clock, state().ended_blocking);
    for (const CUstream_st* other : state().streams) {
      if (other->blocking()) join(stream.clock, other->clock);
    }
  } else if (stream.blocking()) {
    join(stream.clock, state().legacy.clock);
  }
  join(stream.clock, state().host);
  return stream.clock;
}

void host_joins(const Clock& clock) { join(state().host, clock); }

void host_waits_for_everything() {
  const auto lock = lock_streams();
  host_joins(state().legacy.clock);
  host_joins(state().ended);
  for (const CUstream_st* stream : state().streams) host_joins(stream->clock);
}

Operation begin_operation(unsigned timeline, Clock& clock) {
  State& s = state();
  if (clock.size() <= timeline) clock.resize(timeline + 1);
  Operation operation;
  operation.number = ++s.operations;
  operation.timeline = timeline;
  operation.position = ++s.positions[timeline];
  clock[timeline] = operation.position;
  operation.clock = clock;
  return operation;
}

cudaError_t run_operation(const Operation& operation, const Work& work) {
  const Operation* const before = running;
  running = &operation;
  const cudaError_t error = run(work);
  running = before;
  return launch_result(error);
}

cudaError_t enqueue(cudaStream_t handle, const Work& work, const char* function,
                    __simulator::__Where where, HostWaits host_waits) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  Operation operation;
  {
    const auto lock = lock_streams();
    CUstream_st* const stream = find_stream(handle);
    if (stream == nullptr) return refuse_stream(function, where);
    if (stream->capture != nullptr) return record(*stream, work, function, where, host_waits);
    if (stream->legacy() && !state().captures.empty()) {
      Capture* const capture = implicit_capture();
      if (capture != nullptr) {
        return spoil_capture(*capture, cudaErrorStreamCaptureImplicit,
                             (std::string(function) + " in the default stream").c_str(), where);
      }
    }
    operation = begin_operation(stream->timeline, arrive(*stream));
    operation.where = where;
    operation.function = function;
    if (where.__file == nullptr && observer() != nullptr) operation.calls = calls_in_progress();
  }
  const cudaError_t error = run_operation(operation, work);
  if (host_waits != HostWaits::no) {
    const auto lock = lock_streams();
    host_joins(operation.clock);
  }
  return error;
}

void begin_capture(CUstream_st& stream, cudaStreamCaptureMode mode) {
  auto capture = std::make_shared<Capture>();
  capture->graph = std::make_unique<CUgraph_st>();
  capture->origin = &stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->number = ++state().numbers;
  capture->streams = {&stream};
  stream.capture = capture;
  stream.ends.clear();
  state().captures.push_back(std::move(capture));
}

void end_capture(const std::shared_ptr<Capture>& capture) {
  capture->ended = true;
  for (CUstream_st* stream : capture->streams) {
    stream->capture = nullptr;
    stream->ends.clear();
  }
  std::erase(state().captures, capture);
}

}  // namespace simulator
