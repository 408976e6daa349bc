// 06.7: a post-norm MLP sublayer.

#include <string>
#include <utility>
#include <vector>

#include "kernels/layer_norm.h"
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

// What a post-norm MLP sublayer leaves, and what a mistake makes of it.

template <typename Scalar>
struct PostNorm {
  PostNorm(const reference::BlockWeights<Scalar>& weights, Matrix<Scalar> input)
      : w(weights), x(std::move(input)) {
    expanded = reference::linear_forward(x, w.expand, w.expand_bias);
    activated = reference::activation_forward(Activation::gelu, expanded);
    sum = x + correction();
    y = normed(sum);
  }

  Matrix<Scalar> correction() const {
    return reference::linear_forward(activated, w.contract, w.contract_bias);
  }
  Matrix<Scalar> normed(const Matrix<Scalar>& rows) const {
    return reference::layer_norm_forward(rows, w.norm2_gain, w.norm2_bias);
  }
  Tensors<Scalar> states() const {
    return {{"expanded", expanded}, {"activated", activated}, {"sum", sum}, {"y", y}};
  }

  reference::LayerNormGradients<Scalar> norm_gradients(const Matrix<Scalar>& dy) const {
    return reference::layer_norm_backward(dy, sum, w.norm2_gain);
  }
  // `norm`: of the norm's backward pass; `into_mlp`: what the MLP gets; the sum at the end is of
  // shares of norm.dx, of dy, and of what came back through the MLP.
  Tensors<Scalar> gradients(const Matrix<Scalar>& dy,
                            const reference::LayerNormGradients<Scalar>& norm,
                            const Matrix<Scalar>& into_mlp, const Matrix<Scalar>& expand_reads,
                            double past_norm, double past_all, double branch) const {
    const auto contract = reference::linear_backward<Scalar>(into_mlp, activated, w.contract);
    const Matrix<Scalar> dexpanded =
        reference::activation_backward(Activation::gelu, contract.dx, expanded);
    const auto expand = reference::linear_backward<Scalar>(dexpanded, expand_reads, w.expand);
    const Matrix<Scalar> dx = static_cast<Scalar>(past_norm) * norm.dx +
                              static_cast<Scalar>(past_all) * dy +
                              static_cast<Scalar>(branch) * expand.dx;
    return {{"dsum", norm.dx},
            {"dnorm2_gain", norm.dgain},
            {"dnorm2_bias", norm.dbias},
            {"dactivated", contract.dx},
            {"dcontract_weight", contract.dweight},
            {"dcontract_bias", contract.dbias},
            {"dexpanded", dexpanded},
            {"dexpand_weight", expand.dweight},
            {"dexpand_bias", expand.dbias},
            {"dbranch", expand.dx},
            {"dx", dx}};
  }
  Tensors<Scalar> gradients(const Matrix<Scalar>& dy) const {
    const auto norm = norm_gradients(dy);
    return gradients(dy, norm, norm.dx, x, 1, 0, 1);
  }

  reference::BlockWeights<Scalar> w;
  Matrix<Scalar> x, expanded, activated, sum, y;
};

TEST(Lesson06, Exercise7) {
  const std::vector<std::vector<int>> sizes = {{1, 2, 1, 3, 4, 1, 1},   {1, 3, 1, 2, 4, 1, 0},
                                               {2, 3, 2, 2, 5, 0, 1},   {1, 1, 3, 2, 3, 1, 0},
                                               {3, 11, 3, 4, 31, 1, 1}, {2, 33, 2, 8, 33, 0, 0}};
  const std::vector<std::string> size_names = {"B", "T", "H", "D", "F", "biases", "add"};
  EXPECT_TRUE(exercise("06.7", size_names, sizes, [](Trial& trial) {
    const auto all = trial.sizes<7>();
    const BlockCase it(trial, {all.begin(), all.end()});
    const Accumulate accumulate = all[6] != 0 ? Accumulate::add : Accumulate::overwrite;
    const auto dy = it.random_rows(trial, it.C);
    const float* dy_device = trial.input("dy", it.axes(it.C), dy);
    lesson06::PostNormStates s{};
    s.expanded = trial.output("expanded", it.axes(it.F));
    s.activated = trial.output("activated", it.axes(it.F));
    s.sum = trial.output("sum", it.axes(it.C));
    s.norm_saved = trial.output("norm_saved",
                                {{"i", static_cast<int>(layer_norm_saved_bytes(it.N, it.C) / 4)}});
    float* y = trial.output("y", it.axes(it.C));
    lesson06::PostNormGradients d{};
    d.dsum = trial.output("dsum", it.axes(it.C));
    d.dactivated = trial.output("dactivated", it.axes(it.F));
    d.dexpanded = trial.output("dexpanded", it.axes(it.F));
    d.dbranch = trial.output("dbranch", it.axes(it.C));
    float* dx = trial.output("dx", it.axes(it.C));
    BlockTensors<float> gradients{};
    for (std::size_t i = 6; i < kBlockTensors; ++i) {
      if (!it.has(i)) continue;
      tensor_of(gradients, i) =
          trial.gradient("d" + it.tensors[i].name, it.tensors[i].axes, accumulate);
    }
    trial.run(
        [&](const Launch& launch) {
          lesson06::post_norm_sublayer(it.parameters, it.x_device, s, y, it.N, it.C, it.F, launch);
          lesson06::post_norm_sublayer_backward(it.parameters, dy_device, it.x_device, s, d, dx,
                                                gradients, it.N, it.C, it.F, accumulate, launch);
        },
        it.scratch_bytes());

    const PostNorm<double> exact(it.weights<double>(), it.x<double>());
    const PostNorm<float> rounded(it.weights<float>(), it.x<float>());
    const std::vector<std::string> states = {"expanded", "activated", "sum", "y"};
    const std::vector<std::string> backward = it.existing(
        {"dsum", "dnorm2_gain", "dnorm2_bias", "dactivated", "dcontract_weight", "dcontract_bias",
         "dexpanded", "dexpand_weight", "dexpand_bias", "dbranch", "dx"});
    expect_all(trial, states, exact.states(), rounded.states());
    // Where forward is wrong already, what comes back of it says nothing more.
    if (trial.failure().kind == Failure::none) {
      expect_all(trial, backward, exact.gradients(it.rows<double>(dy)),
                 rounded.gradients(it.rows<float>(dy)));
    }

    const auto mistake = [&](const std::string& name, const auto& make) {
      looks_like(trial, name, states, make);
    };
    mistake("pre_norm", [&] {
      PostNorm<double> wrong = exact;
      wrong.expanded =
          reference::linear_forward(exact.normed(exact.x), exact.w.expand, exact.w.expand_bias);
      wrong.activated = reference::activation_forward(Activation::gelu, wrong.expanded);
      wrong.sum = wrong.correction();
      wrong.y = exact.x + wrong.sum;
      return wrong.states();
    });
    mistake("residual_lost", [&] {
      PostNorm<double> wrong = exact;
      wrong.sum = exact.correction();
      wrong.y = exact.normed(wrong.sum);
      return wrong.states();
    });
    mistake("norm_before_sum", [&] {
      PostNorm<double> wrong = exact;
      wrong.sum = exact.correction();
      wrong.y = exact.x + exact.normed(wrong.sum);
      return wrong.states();
    });
    mistake("not_normed", [&] {
      PostNorm<double> wrong = exact;
      wrong.y = wrong.sum;
      return wrong.states();
    });

    const Matrix<double> dout = it.rows<double>(dy);
    const auto norm = exact.norm_gradients(dout);
    const auto back = [&](const std::string& name, const auto& make) {
      looks_like(trial, name, backward, make);
    };
    // Where the expansion reads something else, or the last sum is of other shares.
    const auto with = [&](const Matrix<double>& expand_reads, double past_norm, double past_all,
                          double branch) {
      return exact.gradients(dout, norm, norm.dx, expand_reads, past_norm, past_all, branch);
    };
    back("residual_past_the_norm", [&] { return with(exact.x, 0, 1, 1); });
    back("residual_path_lost", [&] { return with(exact.x, 0, 0, 1); });
    back("branch_lost", [&] { return with(exact.x, 1, 0, 0); });
    back("norm_reads_y", [&] {
      // The saved mean and deviation are those of the sum.
      const auto of_y = mistakes06::norm_backward(dout, exact.y, exact.w.norm2_gain, exact.sum);
      return exact.gradients(dout, of_y, of_y.dx, exact.x, 1, 0, 1);
    });
    back("mlp_skips_the_norm", [&] { return exact.gradients(dout, norm, dout, exact.x, 1, 0, 1); });
    back("expand_reads_another", [&] { return with(exact.sum, 1, 0, 1); });
    back("expand_reads_another", [&] { return with(exact.y, 1, 0, 1); });
  }));
}

}  // namespace
}  // namespace andrea
