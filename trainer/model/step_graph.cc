#include "trainer/model/step_graph.h"

#include "kernels/cuda_check.h"

namespace andrea {

void StepGraph::enqueue(const StepPlan& plan) {
  if (plan_ != plan) {
    forget();
    plan_ = plan;
    learner_.enqueue_step(plan);
    return;
  }
  if (executable_ == nullptr) record(plan);
  CUDA_CHECK(cudaGraphLaunch(executable_, learner_.stream()));
}

void StepGraph::record(const StepPlan& plan) {
  cudaGraph_t graph = nullptr;
  CUDA_CHECK(cudaStreamBeginCapture(learner_.stream(), cudaStreamCaptureModeThreadLocal));
  learner_.enqueue_step(plan);
  CUDA_CHECK(cudaStreamEndCapture(learner_.stream(), &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable_, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

void StepGraph::forget() {
  if (executable_ == nullptr) return;
  (void)cudaStreamSynchronize(learner_.stream());
  (void)cudaGraphExecDestroy(executable_);
  executable_ = nullptr;
}

}  // namespace andrea
