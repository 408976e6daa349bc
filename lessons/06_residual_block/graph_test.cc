// 06.9: a block's forward pass, recorded once and replayed on other inputs.

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/attention.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "lessons/06_residual_block/block_case.h"
#include "lessons/06_residual_block/further.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes06::Tensors;
using reference::Matrix;

TEST(Lesson06, Exercise9) {
  const std::vector<std::vector<int>> sizes = {
      {1, 2, 1, 3, 4, 1}, {2, 5, 3, 2, 7, 1}, {1, 33, 2, 4, 9, 0}};
  EXPECT_TRUE(exercise("06.9", kBlockSizeNames, sizes, [](Trial& trial) {
    const auto all = trial.sizes<6>();
    const BlockCase it(trial, {all.begin(), all.end()});
    const auto second = it.random_rows(trial, it.C);
    const float* second_device = trial.input("second x", it.axes(it.C), second);
    float* y_first = trial.output("first y", it.axes(it.C));
    float* y_second = trial.output("second y", it.axes(it.C));
    DeviceBuffer<float> x(it.x_values), y(std::int64_t{it.N} * it.C);
    const std::int64_t count = y.size();
    DeviceBuffer<float> norm(count), qkv(3 * count), attended(count), middle(count);
    DeviceBuffer<float> expanded(std::int64_t{it.N} * it.F), activated(std::int64_t{it.N} * it.F);

    // The ten operations of a block, the sums by further.h's own `add`.
    int calls = 0;
    const auto block = [&](const Launch& launch) {
      ++calls;
      const auto& p = it.parameters;
      const int N = it.N, C = it.C, F = it.F;
      layer_norm_forward(x.data(), p.norm1_gain, p.norm1_bias, norm.data(), nullptr, N, C, launch);
      linear_forward(norm.data(), p.qkv_weight, p.qkv_bias, qkv.data(), N, C, 3 * C, launch);
      attention_forward(qkv.data(), attended.data(), nullptr, it.shape, launch);
      linear_forward(attended.data(), p.out_weight, p.out_bias, middle.data(), N, C, C, launch);
      lesson06::add(x.data(), middle.data(), middle.data(), count, launch);
      layer_norm_forward(middle.data(), p.norm2_gain, p.norm2_bias, norm.data(), nullptr, N, C,
                         launch);
      linear_forward(norm.data(), p.expand_weight, p.expand_bias, expanded.data(), N, C, F, launch);
      activation_forward(Activation::gelu, expanded.data(), activated.data(), N, F, launch);
      linear_forward(activated.data(), p.contract_weight, p.contract_bias, y.data(), N, F, C,
                     launch);
      lesson06::add(middle.data(), y.data(), y.data(), count, launch);
    };

    bool done_while_recording = false, is_recorded = false;
    std::size_t operations = 0;
    trial.run(
        [&](const Launch& launch) {
          const auto copy = [&](const float* from, float* to, cudaStream_t stream) {
            CUDA_CHECK(cudaMemcpyAsync(to, from, x.bytes(), cudaMemcpyDeviceToDevice, stream));
          };
          Launch on_stream = launch;
          CUDA_CHECK(cudaStreamCreate(&on_stream.stream));
          lesson06::RecordedWork recorded = lesson06::record(block, on_stream);
          CUDA_CHECK(cudaStreamSynchronize(on_stream.stream));
          const std::vector<float> at_first = y.to_host();
          done_while_recording = std::any_of(at_first.begin(), at_first.end(),
                                             [](float number) { return number != 0; });
          is_recorded = recorded.executable != nullptr;
          if (recorded.graph != nullptr) {
            CUDA_CHECK(cudaGraphGetNodes(recorded.graph, nullptr, &operations));
          }
          y.clear();
          lesson06::replay(recorded, on_stream);
          copy(y.data(), y_first, on_stream.stream);
          copy(second_device, x.data(), on_stream.stream);
          lesson06::replay(recorded, on_stream);
          copy(y.data(), y_second, on_stream.stream);
          CUDA_CHECK(cudaStreamSynchronize(on_stream.stream));
          if (recorded.executable != nullptr) {
            CUDA_CHECK(cudaGraphExecDestroy(recorded.executable));
          }
          if (recorded.graph != nullptr) CUDA_CHECK(cudaGraphDestroy(recorded.graph));
          CUDA_CHECK(cudaStreamDestroy(on_stream.stream));
        },
        it.scratch_bytes());

    const auto y_of = [&]<typename Scalar>(const std::vector<float>& from, Scalar) {
      const reference::BlockWeights<Scalar> w = it.weights<Scalar>();
      reference::BlockStates<Scalar> s;
      reference::attention_sublayer(w, it.shape, it.rows<Scalar>(from), s);
      reference::mlp_sublayer(w, Activation::gelu, s);
      return s.y;
    };
    const auto both = [&]<typename Scalar>(Scalar scalar) {
      return Tensors<Scalar>{{"first y", y_of(it.x_values, scalar)},
                             {"second y", y_of(second, scalar)}};
    };
    const Tensors<double> exact = both(double{});
    expect_all(trial, {"first y", "second y"}, exact, both(float{}));
    // Where there is a graph; else nobody has begun.
    for (const char* const name : {"first y", "second y"}) {
      trial.looks_like("not_replayed", name,
                       [&]() -> Matrix<double> { return (is_recorded ? 0 : 1) * exact.at(name); });
    }
    trial.require(calls == 1, "calls", {{"count", std::to_string(calls)}});
    trial.require(!done_while_recording, "done_while_recording");
    trial.require(operations >= 10, "operations", {{"count", std::to_string(operations)}});
  }));
}

}  // namespace
}  // namespace andrea
