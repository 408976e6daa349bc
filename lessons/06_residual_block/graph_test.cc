// 06.9: a block's forward pass, recorded once and replayed on other inputs.

#include <string>
#include <vector>

#include "lessons/06_residual_block/block_case.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/replayed_block.h"
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
    lesson06::Replayed replayed{};
    trial.run(
        [&](const Launch& launch) {
          replayed = lesson06::replay_block(it.shape, it.F, it.parameters, it.x_device,
                                            second_device, y_first, y_second, launch);
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
      trial.looks_like("not_replayed", name, [&]() -> Matrix<double> {
        return (replayed.is_recorded ? 0 : 1) * exact.at(name);
      });
    }
    trial.require(replayed.calls == 1, "calls", {{"count", std::to_string(replayed.calls)}});
    trial.require(!replayed.done_while_recording, "done_while_recording");
    trial.require(replayed.operations >= 10, "operations",
                  {{"count", std::to_string(replayed.operations)}});
  }));
}

}  // namespace
}  // namespace andrea
