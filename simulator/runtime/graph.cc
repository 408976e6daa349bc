#include "simulator/runtime/graph.h"

#include <algorithm>
#include <unordered_map>

CUgraph_st::~CUgraph_st() {
  for (const CUgraphNode_st* node : nodes) simulator::handles<CUgraphNode_st>().remove(node);
}

CUgraphNode_st* CUgraph_st::add(const simulator::Work& work,
                                const std::vector<CUgraphNode_st*>& dependencies) {
  auto node = std::make_unique<CUgraphNode_st>();
  node->work = simulator::keep(work);
  node->dependencies = dependencies;
  node->graph = this;
  nodes.push_back(simulator::handles<CUgraphNode_st>().add(std::move(node)));
  return nodes.back();
}

std::unique_ptr<CUgraph_st> CUgraph_st::clone() const {
  auto copy = std::make_unique<CUgraph_st>();
  std::unordered_map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const CUgraphNode_st* node : nodes) copies[node] = copy->add(node->work, {});
  for (const CUgraphNode_st* node : nodes) {
    for (const CUgraphNode_st* other : node->dependencies) {
      copies[node]->dependencies.push_back(copies[other]);
    }
  }
  return copy;
}

std::optional<std::vector<const CUgraphNode_st*>> CUgraph_st::in_order() const {
  std::vector<const CUgraphNode_st*> order;
  std::unordered_map<const CUgraphNode_st*, bool> done;
  bool progress = true;
  while (order.size() < nodes.size() && progress) {
    progress = false;
    for (const CUgraphNode_st* node : nodes) {
      if (done[node]) continue;
      const bool ready = std::all_of(node->dependencies.begin(), node->dependencies.end(),
                                     [&](const CUgraphNode_st* other) { return done[other]; });
      if (!ready) continue;
      done[node] = true;
      order.push_back(node);
      progress = true;
    }
  }
  if (order.size() < nodes.size()) return std::nullopt;
  return order;
}

CUgraphExec_st::~CUgraphExec_st() {
  const auto lock = simulator::lock_streams();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const unsigned timeline = steps[i].timeline;
    const bool first =
        std::none_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i),
                     [timeline](const Step& earlier) { return earlier.timeline == timeline; });
    if (timeline != kOfStream && first) simulator::give_back_timeline(timeline);
  }
}

namespace simulator {
namespace {

using Step = CUgraphExec_st::Step;

// Appends the graph's nodes, of which those without dependencies come after `before`. Returns the
// steps at the graph's end; nullopt where nodes depend on each other in a circle.
std::optional<std::vector<std::size_t>> append(const CUgraph_st& graph,
                                               const std::vector<std::size_t>& before,
                                               std::vector<Step>& steps) {
  const auto order = graph.in_order();
  if (!order) return std::nullopt;
  std::unordered_map<const CUgraphNode_st*, std::vector<std::size_t>> ends;
  std::unordered_map<const CUgraphNode_st*, bool> has_successor;
  for (const CUgraphNode_st* node : *order) {
    std::vector<std::size_t> dependencies;
    for (const CUgraphNode_st* other : node->dependencies) {
      has_successor[other] = true;
      dependencies.insert(dependencies.end(), ends[other].begin(), ends[other].end());
    }
    if (node->dependencies.empty()) dependencies = before;
    std::sort(dependencies.begin(), dependencies.end());
    dependencies.erase(std::unique(dependencies.begin(), dependencies.end()), dependencies.end());
    if (const auto* const child = std::get_if<GraphWork>(&node->work)) {
      const auto child_ends = append(*child->graph, dependencies, steps);
      if (!child_ends) return std::nullopt;
      ends[node] = *child_ends;
    } else {
      Step step;
      step.work = node->work;
      step.dependencies = std::move(dependencies);
      step.node = node;
      steps.push_back(std::move(step));
      ends[node] = {steps.size() - 1};
    }
  }
  if (order->empty()) return before;
  std::vector<std::size_t> result;
  for (const CUgraphNode_st* node : *order) {
    if (has_successor[node]) continue;
    result.insert(result.end(), ends[node].begin(), ends[node].end());
  }
  return result;
}

// A step goes on the timeline of a dependency that nothing has followed yet, else on one of its
// own.
void assign_timelines(std::vector<Step>& steps) {
  std::vector<bool> followed(steps.size(), false);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    const auto free = std::find_if(step.dependencies.begin(), step.dependencies.end(),
                                   [&](std::size_t other) { return !followed[other]; });
    if (free != step.dependencies.end()) {
      followed[*free] = true;
      step.timeline = steps[*free].timeline;
    } else if (i > 0) {
      step.timeline = take_timeline();
    }
  }
}

}  // namespace

std::unique_ptr<CUgraphExec_st> instantiate(const CUgraph_st& graph) {
  auto executable = std::make_unique<CUgraphExec_st>();
  if (!append(graph, {}, executable->steps)) return nullptr;
  const auto lock = lock_streams();
  assign_timelines(executable->steps);
  return executable;
}

}  // namespace simulator
