// The calls of the API that make graphs executable, launch them and change what they will do.

#include <cuda_runtime_api.h>

#include "simulator/runtime/copy.h"
#include "simulator/runtime/graph.h"
#include "simulator/runtime/kernel_launch.h"
#include "simulator/runtime/node_work.h"

namespace simulator {
namespace {

using Step = CUgraphExec_st::Step;

bool is_executable(cudaGraphExec_t executable) { return handles<CUgraphExec_st>().has(executable); }

cudaError_t refuse_graph(cudaError_t error, const char* function, const std::string& what,
                         __simulator::__Where where) {
  Refusal refusal;
  refusal.error = error;
  refusal.kind = "graph";
  refusal.sentence = std::string(function) + ' ' + what;
  refusal.did = "calls it";
  refusal.where = where;
  return refuse(refusal);
}

// Does the steps in order. Each comes after its dependencies, after what the stream did before, and
// after earlier launches of this graph.
cudaError_t launch(CUgraphExec_st& executable, CUstream_st& stream) {
  Clock start;
  {
    const auto lock = lock_streams();
    start = arrive(stream);
    join(start, executable.clock);
  }
  std::vector<Clock> clocks(executable.steps.size());
  Clock end = start;
  cudaError_t error = cudaSuccess;
  for (std::size_t i = 0; i < executable.steps.size() && error == cudaSuccess; ++i) {
    const Step& step = executable.steps[i];
    clocks[i] = start;
    for (const std::size_t other : step.dependencies) join(clocks[i], clocks[other]);
    Operation operation;
    {
      const auto lock = lock_streams();
      const unsigned timeline =
          step.timeline == CUgraphExec_st::kOfStream ? stream.timeline : step.timeline;
      operation = begin_operation(timeline, clocks[i]);
    }
    error = run_operation(operation, step.work);
    join(end, clocks[i]);
  }
  const auto lock = lock_streams();
  join(stream.clock, end);
  executable.clock = end;
  return error;
}

cudaError_t make_executable(cudaGraphExec_t* executable, cudaGraph_t graph, const char* function,
                            __simulator::__Where where) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  if (executable == nullptr || !handles<CUgraph_st>().has(graph)) {
    return result(cudaErrorInvalidValue);
  }
  std::unique_ptr<CUgraphExec_st> made = instantiate(*graph);
  if (made == nullptr) {
    return refuse_graph(cudaErrorInvalidValue, function,
                        "is given a graph whose nodes depend on each other in a circle", where);
  }
  *executable = handles<CUgraphExec_st>().add(std::move(made));
  return cudaSuccess;
}

// The step that was made from the node; nullptr where there is none.
Step* find_step(cudaGraphExec_t executable, cudaGraphNode_t node) {
  if (!is_executable(executable)) return nullptr;
  for (Step& step : executable->steps) {
    if (step.node == node) return &step;
  }
  return nullptr;
}

template <typename T>
cudaError_t set_work(cudaGraphExec_t executable, cudaGraphNode_t node, const T& work) {
  Step* const step = find_step(executable, node);
  if (step == nullptr || !std::holds_alternative<T>(step->work)) {
    return result(cudaErrorInvalidValue);
  }
  step->work = keep(work);
  return cudaSuccess;
}

cudaGraphExecUpdateResult update(CUgraphExec_st& executable, const CUgraph_st& graph) {
  const std::unique_ptr<CUgraphExec_st> next = instantiate(graph);
  if (next == nullptr) return cudaGraphExecUpdateError;
  if (next->steps.size() != executable.steps.size()) {
    return cudaGraphExecUpdateErrorTopologyChanged;
  }
  for (std::size_t i = 0; i < next->steps.size(); ++i) {
    const Step& from = executable.steps[i];
    const Step& to = next->steps[i];
    if (from.dependencies != to.dependencies) return cudaGraphExecUpdateErrorTopologyChanged;
    if (from.work.index() != to.work.index()) return cudaGraphExecUpdateErrorNodeTypeChanged;
  }
  // Nodes by which the program changes the executable stay those that it was made from.
  for (std::size_t i = 0; i < next->steps.size(); ++i) {
    executable.steps[i].work = next->steps[i].work;
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace
}  // namespace simulator

using __simulator::__Where;
using simulator::begin_call;
using simulator::handles;
using simulator::is_executable;
using simulator::lock_streams;
using simulator::result;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long,
                                 __Where where) {
  return simulator::make_executable(executable, graph, "cudaGraphInstantiate", where);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 cudaGraphNode_t* error_node, char* log, size_t log_bytes,
                                 __Where where) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) *log = '\0';
  return simulator::make_executable(executable, graph, "cudaGraphInstantiate", where);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long, __Where where) {
  return simulator::make_executable(executable, graph, "cudaGraphInstantiateWithFlags", where);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream, __Where where) {
  if (!is_executable(executable)) return result(cudaErrorInvalidValue);
  return enqueue(stream, simulator::EmptyWork{}, "cudaGraphUpload", where);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t handle, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphLaunch", where)) return error;
  if (!is_executable(executable)) {
    return simulator::refuse_graph(cudaErrorInvalidValue, "cudaGraphLaunch",
                                   "is given a graph that was destroyed, or never instantiated",
                                   where);
  }
  CUstream_st* stream = nullptr;
  {
    const auto lock = lock_streams();
    stream = simulator::find_stream(handle);
    if (stream == nullptr) return simulator::refuse_stream("cudaGraphLaunch", where);
    if (stream->capture != nullptr) {
      return simulator::spoil_capture(*stream->capture, cudaErrorNotSupported, "cudaGraphLaunch",
                                      where);
    }
  }
  return simulator::launch(*executable, *stream);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphExecDestroy", where)) return error;
  return result(handles<CUgraphExec_st>().remove(executable) == nullptr ? cudaErrorInvalidValue
                                                                        : cudaSuccess);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphExecUpdate", where)) return error;
  if (!is_executable(executable) || !handles<CUgraph_st>().has(graph)) {
    return result(cudaErrorInvalidValue);
  }
  const cudaGraphExecUpdateResult outcome = simulator::update(*executable, *graph);
  if (info != nullptr) *info = {outcome, nullptr, nullptr};
  return result(outcome == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                      : cudaErrorGraphExecUpdateFailure);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* outcome,
                                __Where where) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info, where);
  if (error_node != nullptr) *error_node = nullptr;
  if (outcome != nullptr) *outcome = info.result;
  return error;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters,
                                             __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphExecKernelNodeSetParams", where)) return error;
  if (parameters == nullptr) return result(cudaErrorInvalidValue);
  simulator::KernelWork work;
  if (const cudaError_t error =
          read_launch(*parameters, "cudaGraphExecKernelNodeSetParams", where, &work)) {
    return error;
  }
  return simulator::set_work(executable, node, work);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, size_t bytes,
                                               cudaMemcpyKind kind, __Where where) {
  constexpr char kFunction[] = "cudaGraphExecMemcpyNodeSetParams1D";
  if (const cudaError_t error = begin_call(kFunction, where)) return error;
  const simulator::CopyWork copy = simulator::copy_of(to, from, bytes);
  if (const cudaError_t error = check(copy, kind, kFunction, where)) return error;
  return simulator::set_work(executable, node, copy);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters, __Where where) {
  constexpr char kFunction[] = "cudaGraphExecMemsetNodeSetParams";
  if (const cudaError_t error = begin_call(kFunction, where)) return error;
  simulator::FillWork fill;
  if (const cudaError_t error = read_node(parameters, kFunction, where, &fill)) return error;
  return simulator::set_work(executable, node, fill);
}
