// File: graph.h
//
// Graphs: work with dependencies, from a capture or built node by node. An executable graph is a
// copy, in an order that respects the dependencies, with graphs inside graphs taken apart; a launch
// does the work in that order. Which nodes the program leaves unordered is kept in timelines, see
// stream.h: a chain of nodes needs one, parallel branches one each.

#ifndef ANDREA_SIMULATOR_RUNTIME_GRAPH_H_
#define ANDREA_SIMULATOR_RUNTIME_GRAPH_H_

#include <driver_types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/runtime/stream.h"
#include "simulator/runtime/work.h"

struct CUgraphNode_st {
  simulator::Work work;                       // what is done
  std::vector<CUgraphNode_st*> dependencies;  // that must be done before it
  CUgraph_st* graph = nullptr;                // that it belongs to
};

// A cudaGraph_t: works and their order.
struct CUgraph_st {
  CUgraph_st() = default;
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;
  ~CUgraph_st();

  // Adds a work that waits for these.
  CUgraphNode_st* add(const simulator::Work& work,
                      const std::vector<CUgraphNode_st*>& dependencies);
  // The same works, in the same order, as another graph.
  std::unique_ptr<CUgraph_st> clone() const;
  // Each node after those it depends on; nullopt where they depend on each other in a circle.
  std::optional<std::vector<const CUgraphNode_st*>> in_order() const;

  std::vector<CUgraphNode_st*> nodes;  // in the order in which they were made
};

// A cudaGraphExec_t: a graph in an order that a stream can work off.
struct CUgraphExec_st {
  // Of the branch that runs on the timeline of the stream into which the graph is launched.
  static constexpr unsigned kOfStream = ~0u;

  // One work, in its place.
  struct Step {
    simulator::Work work;                   // what is done
    std::vector<std::size_t> dependencies;  // earlier steps
    unsigned timeline = kOfStream;          // whose works it waits for
    const CUgraphNode_st* node = nullptr;   // from which it was made; never looked into
  };

  ~CUgraphExec_st();

  std::vector<Step> steps;  // in the order in which they are done
  simulator::Clock clock;   // of the launches so far
};

namespace simulator {

// nullptr where nodes depend on each other in a circle.
std::unique_ptr<CUgraphExec_st> instantiate(const CUgraph_st& graph);

// With the streams locked.
void begin_capture(CUstream_st& stream, cudaStreamCaptureMode mode);
// Takes every stream out of it. The graph is the caller's to take.
void end_capture(const std::shared_ptr<Capture>& capture);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_GRAPH_H_
