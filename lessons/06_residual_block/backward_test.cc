// 06.5, 06.6: the sublayers, backward.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "lessons/06_residual_block/block_case.h"
#include "lessons/06_residual_block/kernel.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/sublayer_case.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes06::AttentionReads;
using mistakes06::MlpReads;
using mistakes06::never_written;
using mistakes06::Tensors;
using reference::Matrix;

// What both backward passes of a sublayer share: the gradients of the parameters, of which the
// sublayer has `own`, and the mistakes that show in them.
class ParameterGradients {
 public:
  ParameterGradients(Trial& trial, const BlockCase& it, std::size_t first, std::size_t last)
      : trial_(trial), first_(first) {
    const bool add = trial.sizes<7>()[6] != 0;
    accumulate_ = add ? Accumulate::add : Accumulate::overwrite;
    for (std::size_t i = 0; i < kBlockTensors; ++i) {
      if (!it.has(i)) continue;
      const std::string name = "d" + it.tensors[i].name;
      if (i >= first && i < last) {
        tensor_of(at_, i) = trial.gradient(name, it.tensors[i].axes, accumulate_);
        own_.push_back(name);
      } else {
        const auto count = static_cast<std::int64_t>(count_of(it.tensors[i].axes));
        tensor_of(at_, i) =
            trial.prefilled(name, it.tensors[i].axes, trial.random().numbers(count));
        others_.push_back(name);
      }
    }
  }

  const BlockTensors<float>& at() const { return at_; }
  Accumulate accumulate() const { return accumulate_; }
  const std::vector<std::string>& own() const { return own_; }
  const std::vector<std::string>& others() const { return others_; }

  Matrix<double> before(const std::string& name) const {
    return as_vector<double>(trial_.before(name));
  }

  // Those of the other sublayer stay as they are.
  void expect_others_untouched(const Tensors<double>& right) {
    double largest = 1;
    for (const std::string& name : own_) {
      largest = std::max(largest, right.at(name).cwiseAbs().maxCoeff());
    }
    for (const std::string& name : others_) {
      // With the tolerance of the gradients, which a mistake would put there.
      trial_.expect(
          name, [&]<typename Scalar>(Scalar) { return as_vector<Scalar>(trial_.before(name)); },
          4 * kRoundings * largest);
    }
  }

  void tell_mistakes(const Tensors<double>& right) {
    const bool add = accumulate_ == Accumulate::add;
    for (const std::string& name : own_) {
      const auto as_row = [&]() -> Matrix<double> {
        const Matrix<double>& matrix = right.at(name);
        return Eigen::Map<const Matrix<double>>(matrix.data(), 1, matrix.size());
      };
      // To an output that is added to, the harness adds what it held.
      trial_.looks_like("accumulate_ignored", name, [&]() -> Matrix<double> {
        return as_row() + (add ? -1 : 1) * before(name);
      });
      // Of a call that is missing too.
      for (const char* const mistake : {"gradient_missing", "missing_or_late"}) {
        trial_.looks_like(mistake, name,
                          [&]() -> Matrix<double> { return (add ? 0 : 1) * before(name); });
      }
    }
    // Gains and biases of one sublayer's norm in the place of the other's.
    const std::vector<std::string> parts = {"_gain", "_bias"};
    const std::string mine = first_ == 0 ? "dnorm1" : "dnorm2";
    const std::string theirs = first_ == 0 ? "dnorm2" : "dnorm1";
    for (const std::string& part : parts) {
      trial_.looks_like("gradient_of_the_other", mine + part,
                        [&]() -> Matrix<double> { return (add ? 0 : 1) * before(mine + part); });
      trial_.looks_like("gradient_of_the_other", theirs + part, [&]() -> Matrix<double> {
        return (add ? 1 : 0) * before(theirs + part) + right.at(mine + part);
      });
    }
  }

 private:
  Trial& trial_;
  std::size_t first_;
  Accumulate accumulate_;
  BlockTensors<float> at_{};
  std::vector<std::string> own_, others_;
};

// The last sum, of other shares of its two terms.
template <typename Mistake>
void tell_shares(const Mistake& mistake) {
  mistake("residual_path_lost", [](auto& read) { read.stream = 0; });
  mistake("branch_lost", [](auto& read) { read.branch = 0; });
  mistake("residual_path_twice", [](auto& read) { read.stream = 2, read.branch = 0; });
  mistake("branch_twice", [](auto& read) { read.stream = 0, read.branch = 2; });
}

// The last sum, with the gradient that goes into the norm, `normed`, for one of its two terms.
void tell_normed(Trial& trial, const std::string& normed, const std::string& incoming,
                 const Matrix<double>& comes_in, const std::string& sum,
                 const std::vector<std::string>& names, const Tensors<double>& right) {
  const auto mistake = [&](const std::string& term, const Matrix<double>& other) {
    looks_like(trial, normed + "_for_" + term, names, [&] {
      Tensors<double> wrong = right;
      wrong[sum] = right.at(normed) + other;
      return wrong;
    });
  };
  mistake(incoming, right.at("dbranch"));
  mistake("dbranch", comes_in);
}

// The gradient through the norm written over the one that came, which is still needed; or, where
// the sum has a place of its own, into that, and then added rightly.
void tell_overwritten(Trial& trial, const std::vector<std::string>& names, const std::string& sum,
                      bool in_place, const Tensors<double>& right) {
  Tensors<double> wrong = right;
  wrong["dbranch"] = never_written(right.at("dbranch"));
  if (!in_place) looks_like(trial, "stream_overwritten", names, [&] { return wrong; });
  wrong[sum] = 2 * right.at("dbranch");
  looks_like(trial, "stream_overwritten", names, [&] { return wrong; });
}

TEST(Lesson06, Exercise5) {
  EXPECT_TRUE(exercise("06.5", kBackwardNames, backward_sizes(), [](Trial& trial) {
    const BlockCase it(trial, forward_sizes(trial));
    const bool in_place = trial.sizes<8>()[7] != 0;
    const auto dy = it.random_rows(trial, it.C);
    const reference::BlockStates<float> before = it.forward();
    lesson06::BlockStates s = attention_states(trial, it, before);
    add_mlp_states(trial, it, before, s);

    lesson06::MlpGradients d{};
    d.dactivated = trial.output("dactivated", it.axes(it.F));
    d.dexpanded = trial.output("dexpanded", it.axes(it.F));
    d.dnorm2 = trial.output("dnorm2", it.axes(it.C));
    d.dbranch = trial.output("dbranch", it.axes(it.C));
    float* dmiddle = in_place ? trial.prefilled("dmiddle", it.axes(it.C), dy)
                              : trial.output("dmiddle", it.axes(it.C));
    const float* dy_device = in_place ? dmiddle : trial.input("dy", it.axes(it.C), dy);
    ParameterGradients gradients(trial, it, 6, 12);

    require_residual(trial, residual_backward);
    trial.run(
        [&](const Launch& launch) {
          lesson06::mlp_sublayer_backward({it.B, it.T, it.C, it.H, it.F}, it.parameters, dy_device,
                                          s, d, dmiddle, gradients.at(), gradients.accumulate(),
                                          launch);
        },
        it.scratch_bytes());
    const auto right = [&]<typename Scalar>(Scalar) {
      return mistakes06::mlp_gradients(reference::mlp_sublayer_backward<Scalar>(
          it.weights<Scalar>(), Activation::gelu, it.rows<Scalar>(dy), it.cast<Scalar>(before)));
    };
    const Tensors<double> exact = right(double{});
    const std::vector<std::string> names = it.existing(
        {"dactivated", "dcontract_weight", "dcontract_bias", "dexpanded", "dexpand_weight",
         "dexpand_bias", "dnorm2", "dnorm2_gain", "dnorm2_bias", "dbranch", "dmiddle"});
    expect_all(trial, names, exact, right(float{}));
    gradients.expect_others_untouched(exact);

    const mistakes06::Weights w = it.weights<double>();
    const Matrix<double> dout = it.rows<double>(dy);
    const reference::BlockStates<double> states = it.cast<double>(before);
    const MlpReads reads{states.activated, states.expanded, states.norm2,
                         states.middle,    states.middle,   w.norm2_gain};
    const auto mistake = [&](const std::string& name, const auto& change,
                             Activation activation = Activation::gelu) {
      looks_like(trial, name, names, [&] {
        MlpReads wrong = reads;
        change(wrong);
        return mistakes06::mlp_gradients_by(w, activation, dout, wrong);
      });
    };
    tell_shares(mistake);
    mistake("expanded_for_activated", [](MlpReads& read) { read.activated = read.expanded; });
    mistake("activated_for_expanded", [](MlpReads& read) { read.expanded = read.activated; });
    mistake("middle_for_norm2", [](MlpReads& read) { read.norm2 = read.middle; });
    mistake("norm1_for_norm2", [&](MlpReads& read) { read.norm2 = states.norm1; });
    mistake("norm2_for_middle", [](MlpReads& read) { read.middle = read.norm2; });
    mistake("norm_reads_another", [&](MlpReads& read) { read.middle = states.attended; });
    mistake("norm_reads_another", [&](MlpReads& read) { read.middle = states.norm1; });
    mistake("first_saved", [&](MlpReads& read) { read.statistics_of = it.x<double>(); });
    mistake("first_gain", [&](MlpReads& read) { read.gain = w.norm1_gain; });
    mistake("gain_lost", [&](MlpReads& read) { read.gain.setOnes(); });
    mistake(
        "other_activation", [](MlpReads&) {}, Activation::relu);
    mistake(
        "other_activation", [](MlpReads&) {}, Activation::gelu_erf);
    tell_overwritten(trial, names, "dmiddle", in_place, exact);
    looks_like(trial, "no_activation", names, [&] {
      MlpReads read = reads;
      // A slope of 1 everywhere.
      reference::MlpGradients<double> wrong;
      wrong.contract = reference::linear_backward(dout, read.activated, w.contract);
      wrong.dexpanded = wrong.contract.dx;
      wrong.expand = reference::linear_backward(wrong.dexpanded, read.norm2, w.expand);
      wrong.norm2 = reference::layer_norm_backward(wrong.expand.dx, read.middle, w.norm2_gain);
      wrong.dmiddle = dout + wrong.norm2.dx;
      Tensors<double> tensors = mistakes06::mlp_gradients(wrong);
      tensors["dexpanded"] = never_written(wrong.dexpanded);
      return tensors;
    });
    tell_sum_of_itself(trial, "dmiddle_for_dy", "dmiddle", exact);
    tell_normed(trial, "dnorm2", "dy", dout, "dmiddle", names, exact);
    gradients.tell_mistakes(exact);
    looks_like_late(trial, names, exact);
  }));
}

TEST(Lesson06, Exercise6) {
  EXPECT_TRUE(exercise("06.6", kBackwardNames, backward_sizes(), [](Trial& trial) {
    const BlockCase it(trial, forward_sizes(trial));
    const bool in_place = trial.sizes<8>()[7] != 0;
    const auto dmiddle = it.random_rows(trial, it.C);
    const reference::BlockStates<float> before = it.forward();
    lesson06::BlockStates s = attention_states(trial, it, before);
    add_mlp_states(trial, it, before, s);

    lesson06::AttentionGradients d{};
    d.dattended = trial.output("dattended", it.axes(it.C));
    d.dqkv = trial.output("dqkv", it.axes(3 * it.C));
    d.dnorm1 = trial.output("dnorm1", it.axes(it.C));
    d.dbranch = trial.output("dbranch", it.axes(it.C));
    float* dx = in_place ? trial.prefilled("dx", it.axes(it.C), dmiddle)
                         : trial.output("dx", it.axes(it.C));
    const float* dmiddle_device = in_place ? dx : trial.input("dmiddle", it.axes(it.C), dmiddle);
    ParameterGradients gradients(trial, it, 0, 6);

    require_residual(trial, residual_backward);
    trial.run(
        [&](const Launch& launch) {
          lesson06::attention_sublayer_backward({it.B, it.T, it.C, it.H, it.F}, it.parameters,
                                                dmiddle_device, it.x_device, s, d, dx,
                                                gradients.at(), gradients.accumulate(), launch);
        },
        it.scratch_bytes());
    const auto right = [&]<typename Scalar>(Scalar) {
      return mistakes06::attention_gradients(reference::attention_sublayer_backward(
          it.weights<Scalar>(), it.shape, it.rows<Scalar>(dmiddle), it.x<Scalar>(),
          it.cast<Scalar>(before)));
    };
    const Tensors<double> exact = right(double{});
    const std::vector<std::string> names =
        it.existing({"dattended", "dout_weight", "dout_bias", "dqkv", "dqkv_weight", "dqkv_bias",
                     "dnorm1", "dnorm1_gain", "dnorm1_bias", "dbranch", "dx"});
    expect_all(trial, names, exact, right(float{}));
    gradients.expect_others_untouched(exact);

    const mistakes06::Weights w = it.weights<double>();
    const Matrix<double> dout = it.rows<double>(dmiddle), x = it.x<double>();
    const reference::BlockStates<double> states = it.cast<double>(before);
    const AttentionReads reads{states.attended, states.qkv, states.norm1, x,
                               states.attended, x,          w.norm1_gain};
    const auto mistake = [&](const std::string& name, const auto& change) {
      looks_like(trial, name, names, [&] {
        AttentionReads wrong = reads;
        change(wrong);
        return mistakes06::attention_gradients_by(w, it.shape, dout, wrong);
      });
    };
    tell_shares(mistake);
    mistake("out_reads_another", [&](AttentionReads& read) { read.attended = states.norm1; });
    mistake("out_reads_another", [&](AttentionReads& read) { read.attended = states.middle; });
    for (const Matrix<double>& state : {states.middle, states.norm1, states.norm2, x}) {
      mistake("attention_wrote_another",
              [&](AttentionReads& read) { read.attention_wrote = state; });
    }
    mistake("dmiddle_for_dattended", [](AttentionReads& read) { read.past_projection = true; });
    mistake("one_third", [&](AttentionReads& read) {
      read.one_third = true;
      if (gradients.accumulate() == Accumulate::overwrite) {
        read.unwritten = std::numeric_limits<double>::quiet_NaN();
      }
    });
    mistake("x_for_norm1", [](AttentionReads& read) { read.norm1 = read.x; });
    mistake("norm2_for_norm1", [&](AttentionReads& read) { read.norm1 = states.norm2; });
    mistake("norm1_for_x", [](AttentionReads& read) { read.x = read.norm1; });
    mistake("middle_for_x", [&](AttentionReads& read) { read.x = states.middle; });
    mistake("second_saved", [&](AttentionReads& read) { read.statistics_of = states.middle; });
    mistake("second_gain", [&](AttentionReads& read) { read.gain = w.norm2_gain; });
    mistake("gain_lost", [&](AttentionReads& read) { read.gain.setOnes(); });
    tell_overwritten(trial, names, "dx", in_place, exact);
    tell_sum_of_itself(trial, "dx_for_dmiddle", "dx", exact);
    tell_normed(trial, "dnorm1", "dmiddle", dout, "dx", names, exact);
    gradients.tell_mistakes(exact);
    looks_like_late(trial, names, exact);
  }));
}

}  // namespace
}  // namespace andrea
