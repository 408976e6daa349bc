// File: step_graph.h
//
// A learner's whole step as one CUDA graph. A step is some hundred short kernels; to launch each of
// them costs the host more time than some of them run. A graph is launched at once.
//
//   StepGraph graph(learner);
//   learner.begin(scalars);
//   graph.enqueue(plan);

#ifndef ANDREA_TRAINER_MODEL_STEP_GRAPH_H_
#define ANDREA_TRAINER_MODEL_STEP_GRAPH_H_

#include <cuda_runtime.h>

#include <optional>

#include "trainer/model/learner.h"

namespace andrea {

class StepGraph {
 public:
  // The learner must outlive the graph.
  explicit StepGraph(Learner& learner) : learner_(learner) {}
  ~StepGraph() { forget(); }
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  // Enqueues learner.enqueue_step(plan), where all but the first step with a plan come out of a
  // recorded graph. The first is called plainly: libraries may allocate and measure then, which a
  // recording forbids. Precondition: !plan.look_at_norm, for a graph has nobody to look.
  void enqueue(const StepPlan& plan);

 private:
  void record(const StepPlan& plan);
  void forget();

  Learner& learner_;
  std::optional<StepPlan> plan_;  // the one that was called plainly, and is recorded
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_STEP_GRAPH_H_
