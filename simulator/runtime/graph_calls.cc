// The calls of the API that build graphs node by node, and ask about them.

#include <cuda_runtime_api.h>

#include <algorithm>

#include "simulator/runtime/copy.h"
#include "simulator/runtime/graph.h"
#include "simulator/runtime/kernel_launch.h"
#include "simulator/runtime/node_work.h"

namespace simulator {
namespace {

bool is_graph(cudaGraph_t graph) { return handles<CUgraph_st>().has(graph); }
bool is_node(cudaGraphNode_t node) { return handles<CUgraphNode_st>().has(node); }

cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                std::size_t count, const Work& work) {
  if (node == nullptr || !is_graph(graph) || (dependencies == nullptr && count != 0)) {
    return result(cudaErrorInvalidValue);
  }
  const std::vector<cudaGraphNode_t> nodes(dependencies, dependencies + count);
  for (const cudaGraphNode_t other : nodes) {
    if (!is_node(other) || other->graph != graph) return result(cudaErrorInvalidValue);
  }
  *node = graph->add(work, nodes);
  return cudaSuccess;
}

// As the calls that list things have it: without a place for them, only how many there are.
cudaError_t give(const std::vector<cudaGraphNode_t>& nodes, cudaGraphNode_t* to,
                 std::size_t* count) {
  if (count == nullptr) return result(cudaErrorInvalidValue);
  if (to != nullptr) {
    const std::size_t room = *count;
    for (std::size_t i = 0; i < room; ++i) to[i] = i < nodes.size() ? nodes[i] : nullptr;
    *count = std::min(room, nodes.size());
  } else {
    *count = nodes.size();
  }
  return cudaSuccess;
}

struct NodeType {
  cudaGraphNodeType operator()(const KernelWork&) const { return cudaGraphNodeTypeKernel; }
  cudaGraphNodeType operator()(const CopyWork&) const { return cudaGraphNodeTypeMemcpy; }
  cudaGraphNodeType operator()(const FillWork&) const { return cudaGraphNodeTypeMemset; }
  cudaGraphNodeType operator()(const HostWork&) const { return cudaGraphNodeTypeHost; }
  cudaGraphNodeType operator()(const EmptyWork&) const { return cudaGraphNodeTypeEmpty; }
  cudaGraphNodeType operator()(const LibraryWork&) const { return cudaGraphNodeTypeKernel; }
  cudaGraphNodeType operator()(const GraphWork&) const { return cudaGraphNodeTypeGraph; }
};

cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                             const cudaGraphNode_t* to, std::size_t count) {
  if (!is_graph(graph) || (count != 0 && (from == nullptr || to == nullptr))) {
    return result(cudaErrorInvalidValue);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_node(from[i]) || !is_node(to[i]) || from[i]->graph != graph || to[i]->graph != graph ||
        from[i] == to[i]) {
      return result(cudaErrorInvalidValue);
    }
    to[i]->dependencies.push_back(from[i]);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t read_node(const cudaMemsetParams* parameters, const char* function,
                      __simulator::__Where where, FillWork* fill) {
  if (parameters == nullptr) return result(cudaErrorInvalidValue);
  const unsigned element = parameters->elementSize;
  if (element != 1 && element != 2 && element != 4) return result(cudaErrorInvalidValue);
  fill->to = parameters->dst;
  fill->pitch.row = parameters->pitch;
  fill->value = parameters->value;
  fill->element_bytes = element;
  fill->shape.width = parameters->width * element;
  fill->shape.height = parameters->height;
  return check(*fill, function, where);
}

}  // namespace simulator

using __simulator::__Where;
using simulator::add;
using simulator::begin_call;
using simulator::handles;
using simulator::is_graph;
using simulator::is_node;
using simulator::result;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (const cudaError_t error = begin_call("cudaGraphCreate")) return error;
  if (graph == nullptr || flags != 0) return result(cudaErrorInvalidValue);
  *graph = handles<CUgraph_st>().add(std::make_unique<CUgraph_st>());
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphDestroy", where)) return error;
  return result(handles<CUgraph_st>().remove(graph) == nullptr ? cudaErrorInvalidValue
                                                               : cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphClone", where)) return error;
  if (clone == nullptr || !is_graph(graph)) return result(cudaErrorInvalidValue);
  *clone = handles<CUgraph_st>().add(graph->clone());
  return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count,
                                  __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphAddEmptyNode", where)) return error;
  return add(node, graph, dependencies, count, simulator::EmptyWork{});
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphAddKernelNode", where)) return error;
  if (parameters == nullptr) return result(cudaErrorInvalidValue);
  simulator::KernelWork work;
  if (const cudaError_t error = read_launch(*parameters, "cudaGraphAddKernelNode", where, &work)) {
    return error;
  }
  return add(node, graph, dependencies, count, work);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphAddMemcpyNode", where)) return error;
  simulator::CopyWork copy;
  if (const cudaError_t error = read_parameters(parameters, &copy)) return error;
  if (const cudaError_t error = check(copy, parameters->kind, "cudaGraphAddMemcpyNode", where)) {
    return error;
  }
  return add(node, graph, dependencies, count, copy);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind,
                                     __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphAddMemcpyNode1D", where)) return error;
  const simulator::CopyWork copy = simulator::copy_of(to, from, bytes);
  if (const cudaError_t error = check(copy, kind, "cudaGraphAddMemcpyNode1D", where)) return error;
  return add(node, graph, dependencies, count, copy);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphAddMemsetNode", where)) return error;
  simulator::FillWork fill;
  if (const cudaError_t error = read_node(parameters, "cudaGraphAddMemsetNode", where, &fill)) {
    return error;
  }
  return add(node, graph, dependencies, count, fill);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphAddHostNode", where)) return error;
  if (parameters == nullptr || parameters->fn == nullptr) return result(cudaErrorInvalidValue);
  const cudaHostNodeParams host = *parameters;
  return add(node, graph, dependencies, count,
             simulator::HostWork{[host] { host.fn(host.userData); }});
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphAddChildGraphNode", where)) return error;
  if (!is_graph(child)) return result(cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, simulator::GraphWork{child->clone()});
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                     size_t count, __Where where) {
  if (const cudaError_t error = begin_call("cudaGraphAddDependencies", where)) return error;
  for (std::size_t i = 0; edges != nullptr && i < count; ++i) {
    if (edges[i].from_port != 0 || edges[i].to_port != 0 || edges[i].type != 0) {
      return result(cudaErrorNotSupported);
    }
  }
  return simulator::add_dependencies(graph, from, to, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count, __Where where) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count, where);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (!is_node(node) || type == nullptr) return result(cudaErrorInvalidValue);
  *type = std::visit(simulator::NodeType{}, node->work);
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!is_graph(graph)) return result(cudaErrorInvalidValue);
  return simulator::give(graph->nodes, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!is_graph(graph)) return result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> roots;
  std::copy_if(graph->nodes.begin(), graph->nodes.end(), std::back_inserter(roots),
               [](const CUgraphNode_st* node) { return node->dependencies.empty(); });
  return simulator::give(roots, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count) {
  if (!is_graph(graph) || count == nullptr || (from == nullptr) != (to == nullptr)) {
    return result(cudaErrorInvalidValue);
  }
  std::vector<cudaGraphNode_t> starts;
  std::vector<cudaGraphNode_t> ends;
  for (const cudaGraphNode_t node : graph->nodes) {
    for (const cudaGraphNode_t other : node->dependencies) {
      starts.push_back(other);
      ends.push_back(node);
    }
  }
  for (std::size_t i = 0; edges != nullptr && i < std::min(*count, starts.size()); ++i) {
    edges[i] = {};
  }
  std::size_t room = *count;
  if (const cudaError_t error = simulator::give(starts, from, &room)) return error;
  return simulator::give(ends, to, count);
}
