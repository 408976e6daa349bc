// 06.3, 06.4: the sublayers.

#include <string>
#include <vector>

#include "kernels/attention.h"
#include "kernels/layer_norm.h"
#include "lessons/06_residual_block/block_case.h"
#include "lessons/06_residual_block/kernel.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/sublayer_case.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/exercise/exercise.h"
#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

using mistakes06::attention_by;
using mistakes06::mlp_by;
using mistakes06::never_written;
using mistakes06::qkv_of_one_third;
using mistakes06::Tensors;
using reference::Matrix;
using reference::Vector;

TEST(Lesson06, Exercise3) {
  EXPECT_TRUE(exercise("06.3", kBlockSizeNames, kSizes, [](Trial& trial) {
    const BlockCase it(trial, forward_sizes(trial));
    lesson06::BlockStates s{};
    s.norm1 = trial.output("norm1", it.axes(it.C));
    s.qkv = trial.output("qkv", it.axes(3 * it.C));
    s.attended = trial.output("attended", it.axes(it.C));
    s.middle = trial.output("middle", it.axes(it.C));
    s.norm1_saved = saved_output(trial, "norm1_saved", layer_norm_saved_bytes(it.N, it.C));
    s.attention_saved = saved_output(trial, "attention_saved", attention_saved_bytes(it.shape));
    const std::vector<std::string> names = {"norm1", "qkv", "attended", "middle"};

    require_residual(trial, residual_forward);
    trial.run(
        [&](const Launch& launch) {
          lesson06::attention_sublayer({it.B, it.T, it.C, it.H, it.F}, it.parameters, it.x_device,
                                       s, launch);
        },
        it.scratch_bytes());
    const auto right = [&]<typename Scalar>(Scalar) {
      reference::BlockStates<Scalar> states;
      reference::attention_sublayer(it.weights<Scalar>(), it.shape, it.x<Scalar>(), states);
      return states;
    };
    const reference::BlockStates<double> exact = right(double{});
    expect_all(trial, names, mistakes06::attention_states(exact),
               mistakes06::attention_states(right(float{})));
    require_saved(trial, "norm1_saved");
    require_saved(trial, "attention_saved");

    const mistakes06::Weights w = it.weights<double>();
    const Matrix<double> stream = it.x<double>(), nothing = never_written(stream);
    const auto mistake = [&](const std::string& name, const auto& make) {
      looks_like(trial, name, names, make);
    };
    const auto by = [&](const Matrix<double>& norm1, const Matrix<double>& entering,
                        const Matrix<double>& added) {
      return attention_by(w, it.shape, norm1, entering, added);
    };
    const auto post_norm = [&](bool into_norm1) {
      Tensors<double> wrong = by(nothing, stream, stream);
      if (into_norm1) wrong["norm1"] = wrong["middle"];
      wrong["middle"] = reference::layer_norm_forward(wrong["middle"], w.norm1_gain, w.norm1_bias);
      return wrong;
    };
    mistake("post_norm", [&] { return post_norm(true); });
    mistake("post_norm", [&] { return post_norm(false); });
    mistake("not_normed", [&] { return by(exact.norm1, stream, stream); });
    mistake("not_normed", [&] { return by(nothing, stream, stream); });
    mistake("residual_lost", [&] { return by(exact.norm1, exact.norm1, 0 * stream); });
    mistake("residual_of_normed", [&] { return by(exact.norm1, exact.norm1, exact.norm1); });
    mistake("residual_of_attended", [&] { return by(exact.norm1, exact.norm1, exact.attended); });
    mistake("stream_twice", [&] {
      Tensors<double> wrong = mistakes06::attention_states(exact);
      wrong["middle"] = 2 * stream;
      return wrong;
    });
    mistake("no_projection", [&] {
      Tensors<double> wrong = mistakes06::attention_states(exact);
      wrong["middle"] = stream + exact.attended;
      return wrong;
    });
    const auto other_norm = [&](const Vector<double>& gain, const Vector<double>& bias) {
      const Matrix<double> norm1 = reference::layer_norm_forward(stream, gain, bias);
      return by(norm1, norm1, stream);
    };
    mistake("second_norm", [&] { return other_norm(w.norm2_gain, w.norm2_bias); });
    mistake("second_norm", [&] { return other_norm(w.norm2_gain, w.norm1_bias); });
    mistake("second_norm", [&] { return other_norm(w.norm1_gain, w.norm2_bias); });
    mistake("norm_parameters_lost", [&] { return other_norm({}, {}); });
    mistake("norm_parameters_lost", [&] { return other_norm(w.norm1_gain, {}); });
    mistake("norm_parameters_lost", [&] { return other_norm({}, w.norm1_bias); });
    const auto without = [&](bool qkv_bias, bool out_bias) {
      mistakes06::Weights less = w;
      if (!qkv_bias) less.qkv_bias = {};
      if (!out_bias) less.out_bias = {};
      return attention_by(less, it.shape, exact.norm1, exact.norm1, stream);
    };
    mistake("no_bias", [&] { return without(false, true); });
    mistake("no_bias", [&] { return without(true, false); });
    mistake("no_bias", [&] { return without(false, false); });
    const auto shaped = [&](const AttentionShape& shape) {
      return attention_by(w, shape, exact.norm1, exact.norm1, stream);
    };
    mistake("no_mask", [&] { return shaped({it.B, it.T, it.C, it.H, false}); });
    mistake("one_head", [&] { return shaped({it.B, it.T, it.C, 1}); });
    mistake("one_sequence", [&] { return shaped({1, it.N, it.C, it.H}); });
    mistake("batch_and_time", [&] { return shaped({it.T, it.B, it.C, it.H}); });
    trial.looks_like("one_third", "qkv", [&] { return qkv_of_one_third(w, exact.norm1); });
    if (is_never_written(trial.contents("qkv").back())) {
      // What comes of the rest of it, whatever that is, says nothing more.
      for (const char* const name : {"attended", "middle"}) {
        trial.looks_like("one_third", name, [&] { return trial.contents(name); });
      }
    }
    looks_like_late(trial, names, mistakes06::attention_states(exact));
  }));
}

TEST(Lesson06, Exercise4) {
  EXPECT_TRUE(exercise("06.4", kBlockSizeNames, kSizes, [](Trial& trial) {
    const BlockCase it(trial, forward_sizes(trial));
    const reference::BlockStates<float> before = it.forward();
    lesson06::BlockStates s = attention_states(trial, it, before);
    s.norm2 = trial.output("norm2", it.axes(it.C));
    s.expanded = trial.output("expanded", it.axes(it.F));
    s.activated = trial.output("activated", it.axes(it.F));
    s.norm2_saved = saved_output(trial, "norm2_saved", layer_norm_saved_bytes(it.N, it.C));
    float* y = trial.output("y", it.axes(it.C));
    const std::vector<std::string> names = {"norm2", "expanded", "activated", "y"};

    require_residual(trial, residual_forward);
    trial.run(
        [&](const Launch& launch) {
          lesson06::mlp_sublayer({it.B, it.T, it.C, it.H, it.F}, it.parameters, s, y, launch);
        },
        it.scratch_bytes());
    trial.change_looks_like("first_saved", "norm1_saved");
    const auto right = [&]<typename Scalar>(Scalar) {
      reference::BlockStates<Scalar> states;
      states.middle = before.middle.cast<Scalar>();
      reference::mlp_sublayer(it.weights<Scalar>(), Activation::gelu, states);
      return states;
    };
    const reference::BlockStates<double> exact = right(double{});
    expect_all(trial, names, mistakes06::mlp_states(exact), mistakes06::mlp_states(right(float{})));
    require_saved(trial, "norm2_saved");

    const mistakes06::Weights w = it.weights<double>();
    const Matrix<double>& middle = exact.middle;
    const Matrix<double> nothing = never_written(middle);
    const Matrix<double> norm1 = before.norm1.cast<double>();
    const Matrix<double> attended = before.attended.cast<double>();
    const auto mistake = [&](const std::string& name, const auto& make) {
      looks_like(trial, name, names, make);
    };
    const auto by = [&](const Matrix<double>& norm2, const Matrix<double>& entering,
                        const Matrix<double>& added, Activation activation = Activation::gelu) {
      return mlp_by(w, activation, norm2, entering, added);
    };
    const auto post_norm = [&](bool into_norm2) {
      Tensors<double> wrong = by(nothing, middle, middle);
      if (into_norm2) wrong["norm2"] = wrong["y"];
      wrong["y"] = reference::layer_norm_forward(wrong["y"], w.norm2_gain, w.norm2_bias);
      return wrong;
    };
    mistake("post_norm", [&] { return post_norm(true); });
    mistake("post_norm", [&] { return post_norm(false); });
    mistake("not_normed", [&] { return by(exact.norm2, middle, middle); });
    mistake("not_normed", [&] { return by(nothing, middle, middle); });
    mistake("residual_lost", [&] { return by(exact.norm2, exact.norm2, 0 * middle); });
    mistake("residual_of_normed", [&] { return by(exact.norm2, exact.norm2, exact.norm2); });
    mistake("residual_of_another", [&] { return by(exact.norm2, exact.norm2, attended); });
    mistake("residual_of_another", [&] { return by(exact.norm2, exact.norm2, norm1); });
    mistake("stream_twice", [&] {
      Tensors<double> wrong = mistakes06::mlp_states(exact);
      wrong["y"] = 2 * middle;
      return wrong;
    });
    const auto other_norm = [&](const Matrix<double>& of, const Vector<double>& gain,
                                const Vector<double>& bias) {
      const Matrix<double> norm2 = reference::layer_norm_forward(of, gain, bias);
      return by(norm2, norm2, middle);
    };
    mistake("norm_of_another", [&] { return other_norm(norm1, w.norm2_gain, w.norm2_bias); });
    mistake("norm_of_another", [&] { return other_norm(attended, w.norm2_gain, w.norm2_bias); });
    mistake("first_norm", [&] { return other_norm(middle, w.norm1_gain, w.norm1_bias); });
    mistake("first_norm", [&] { return other_norm(middle, w.norm1_gain, w.norm2_bias); });
    mistake("first_norm", [&] { return other_norm(middle, w.norm2_gain, w.norm1_bias); });
    mistake("norm_parameters_lost", [&] { return other_norm(middle, {}, {}); });
    mistake("norm_parameters_lost", [&] { return other_norm(middle, w.norm2_gain, {}); });
    mistake("norm_parameters_lost", [&] { return other_norm(middle, {}, w.norm2_bias); });
    const auto unactivated = [&](const Matrix<double>& activated) {
      Tensors<double> wrong = mistakes06::mlp_states(exact);
      wrong["activated"] = activated;
      wrong["y"] = middle + reference::linear_forward(exact.expanded, w.contract, w.contract_bias);
      return wrong;
    };
    mistake("no_activation", [&] { return unactivated(exact.activated); });
    mistake("no_activation", [&] { return unactivated(never_written(exact.activated)); });
    mistake("other_activation",
            [&] { return by(exact.norm2, exact.norm2, middle, Activation::relu); });
    mistake("other_activation",
            [&] { return by(exact.norm2, exact.norm2, middle, Activation::gelu_erf); });
    const auto without = [&](bool expand_bias, bool contract_bias) {
      mistakes06::Weights less = w;
      if (!expand_bias) less.expand_bias = {};
      if (!contract_bias) less.contract_bias = {};
      return mlp_by(less, Activation::gelu, exact.norm2, exact.norm2, middle);
    };
    mistake("no_bias", [&] { return without(false, true); });
    mistake("no_bias", [&] { return without(true, false); });
    mistake("no_bias", [&] { return without(false, false); });
    looks_like_late(trial, names, mistakes06::mlp_states(exact));
    // After that, which tells a missing activation: there expanded is right.
    const auto in_place = [&](const Matrix<double>& y_is) {
      Tensors<double> wrong = mistakes06::mlp_states(exact);
      wrong["activated"] = never_written(exact.activated);
      wrong["expanded"] = exact.activated;
      wrong["y"] = y_is;
      return wrong;
    };
    mistake("in_place", [&] { return in_place(exact.y); });
    mistake("in_place", [&] { return in_place(nothing); });
  }));
}

}  // namespace
}  // namespace andrea
