// kernels/block.h, of the sublayers together: with and without saved states, and over what came in.

#include <string>
#include <vector>

#include "kernels/block.h"
#include "lessons/06_residual_block/block_case.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/sublayer_case.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes06::Tensors;
using reference::Matrix;

TEST(Lesson06, Whole) {
  EXPECT_TRUE(whole("06.6", "kernels/block.h", kBackwardNames, backward_sizes(), [](Trial& trial) {
    const BlockCase it(trial, forward_sizes(trial));
    const bool add = trial.sizes<7>()[6] != 0;
    const auto dy = it.random_rows(trial, it.C);
    float* y = trial.output("y", it.axes(it.C));
    float* y_over_x = trial.prefilled("y over x", it.axes(it.C), it.x_values);
    float* dx_over_dy = trial.prefilled("dx over dy", it.axes(it.C), dy);
    void* saved = saved_output(trial, "saved", block_saved_bytes(it.config, it.B, it.T));
    BlockTensors<float> gradients{};
    const Accumulate accumulate = add ? Accumulate::add : Accumulate::overwrite;
    for (std::size_t i = 0; i < kBlockTensors; ++i) {
      if (!it.has(i)) continue;
      tensor_of(gradients, i) =
          trial.gradient("d" + it.tensors[i].name, it.tensors[i].axes, accumulate);
    }
    trial.run(
        [&](const Launch& launch) {
          block_forward(it.config, it.parameters, y_over_x, y_over_x, nullptr, it.B, it.T, launch);
          block_forward(it.config, it.parameters, it.x_device, y, saved, it.B, it.T, launch);
          block_backward(it.config, it.parameters, dx_over_dy, it.x_device, saved, dx_over_dy,
                         gradients, it.B, it.T, accumulate, launch);
        },
        block_scratch_bytes(it.config, it.B, it.T));

    const auto right = [&]<typename Scalar>(Scalar) {
      const reference::BlockWeights<Scalar> w = it.weights<Scalar>();
      const Matrix<Scalar> stream = it.x<Scalar>();
      reference::BlockStates<Scalar> s;
      reference::attention_sublayer(w, it.shape, stream, s);
      reference::mlp_sublayer(w, Activation::gelu, s);
      const auto mlp =
          reference::mlp_sublayer_backward(w, Activation::gelu, it.rows<Scalar>(dy), s);
      const auto attention =
          reference::attention_sublayer_backward(w, it.shape, mlp.dmiddle, stream, s);
      Tensors<Scalar> all = mistakes06::mlp_gradients(mlp);
      all.merge(mistakes06::attention_gradients(attention));
      all["y"] = all["y over x"] = s.y;
      all["dx over dy"] = attention.dx;
      return all;
    };
    std::vector<std::string> names = {"y", "y over x"};
    for (std::size_t i = kBlockTensors; i-- > 0;) {
      if (it.has(i)) names.push_back("d" + it.tensors[i].name);
    }
    names.push_back("dx over dy");
    expect_all(trial, names, right(double{}), right(float{}));

    const auto refuses = [&](const auto& change) {
      ModelConfig other = it.config;
      change(other);
      return block_supports(other).find("the kernels of lesson 06 have") == 0;
    };
    trial.require(
        block_supports(it.config).empty() &&
            refuses([](ModelConfig& config) { config.norm = NormPlacement::post; }) &&
            refuses([](ModelConfig& config) { config.activation = Activation::swiglu; }) &&
            refuses([](ModelConfig& config) { config.positions = Positions::rotary; }),
        "refusal");
  }));
}

}  // namespace
}  // namespace andrea
