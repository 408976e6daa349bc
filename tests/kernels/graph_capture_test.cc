// Operations are recorded into a CUDA graph, and done when it is launched.

#include <gtest/gtest.h>

#include <vector>

#include "kernels/adamw.h"
#include "kernels/cuda_check.h"
#include "kernels/linear.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

constexpr int kRows = 5;
constexpr int kIn = 33;
constexpr int kOut = 17;

// A layer's gradients, added to those of before, and a step by them: each launch changes what the
// next one begins with.
class Step {
 public:
  explicit Step(RandomInputs random)
      : x_("x", {kRows, kIn}, random.numbers(kRows * kIn)),
        dy_("dy", {kRows, kOut}, random.numbers(kRows * kOut)),
        weight_("weight", {kIn, kOut}, random.numbers(kIn * kOut)),
        dweight_("dweight", {kIn, kOut}, std::vector<float>(kIn * kOut)),
        first_("first moments", {kIn, kOut}, std::vector<float>(kIn * kOut)),
        second_("second moments", {kIn, kOut}, std::vector<float>(kIn * kOut)),
        scalars_("scalars", {1}, {{.learning_rate = 0.01f}}),
        workspace_(linear_scratch_bytes(kRows, kIn, kOut)) {}

  void operator()(cudaStream_t stream) {
    Launch launch = workspace_.launch();
    launch.stream = stream;
    const AdamWOptions options;  // gone before the graph is launched
    linear_backward(dy_.data(), x_.data(), weight_.data(), nullptr, dweight_.data(), nullptr, kRows,
                    kIn, kOut, Accumulate::add, launch);
    adamw(weight_.data(), dweight_.data(), first_.data(), second_.data(), kIn * kOut, kIn * kOut,
          options, scalars_.data(), launch);
  }

  const GuardedTensor<float>& weight() const { return weight_; }

 private:
  GuardedTensor<const float> x_;
  GuardedTensor<const float> dy_;
  GuardedTensor<float> weight_;
  GuardedTensor<float> dweight_;
  GuardedTensor<float> first_;
  GuardedTensor<float> second_;
  GuardedTensor<const StepScalars> scalars_;
  Workspace workspace_;
};

TEST(GraphCaptureTest, AGraphLaunchedTwiceIsTwoCalls) {
  const RandomInputs random;
  Step called(random);
  Step captured(random);
  called(nullptr);
  called(nullptr);

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  captured(stream);
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  EXPECT_TRUE(bits_equal(captured.weight().contents(), captured.weight().before()));

  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphLaunch(executable, stream));
  CUDA_CHECK(cudaGraphLaunch(executable, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  EXPECT_TRUE(bits_equal(captured.weight().contents(), called.weight().contents()));

  CUDA_CHECK(cudaGraphExecDestroy(executable));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaStreamDestroy(stream));
}

}  // namespace
}  // namespace andrea
