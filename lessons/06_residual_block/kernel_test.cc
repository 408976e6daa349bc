#include "lessons/06_residual_block/kernel.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "kernels/attention.h"
#include "kernels/layer_norm.h"
#include "lessons/06_residual_block/block_case.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/exercise/exercise.h"
#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

using mistakes06::attention_by;
using mistakes06::AttentionReads;
using mistakes06::mlp_by;
using mistakes06::MlpReads;
using mistakes06::never_written;
using mistakes06::qkv_of_one_third;
using mistakes06::Tensors;
using reference::Matrix;
using reference::Vector;

const std::vector<std::vector<int>> kCounts = {{1},   {2},   {3},   {31},  {33},   {97},  {127},
                                               {129}, {255}, {257}, {511}, {1025}, {5000}};

// ---- 06.1 and 06.2: a sum, also over either of its terms.

// Calls the sum of two tensors three times, and compares; the mistakes are told by `wrong`, a sum
// of the two and of what the output held before, each times a share.
class SumOfTwo {
 public:
  SumOfTwo(Trial& trial, const std::string& a, const std::string& b, const std::string& sum)
      : trial_(trial), names_{sum, sum + " over " + a, sum + " over " + b} {
    const int count = trial.sizes<1>()[0];
    const Axes axes = {{"i", count}};
    a_ = trial.random().numbers(count), b_ = trial.random().numbers(count);
    a_device_ = trial.input(a, axes, a_), b_device_ = trial.input(b, axes, b_);
    out_ = trial.output(names_[0], axes);
    over_a_ = trial.prefilled(names_[1], axes, a_);
    over_b_ = trial.prefilled(names_[2], axes, b_);
  }

  template <typename Operation>
  void run(const Operation& operation) {
    const std::int64_t count = trial_.sizes<1>()[0];
    trial_.run([&](const Launch& launch) {
      operation(a_device_, b_device_, out_, count, launch);
      operation(over_a_, b_device_, over_a_, count, launch);
      operation(a_device_, over_b_, over_b_, count, launch);
    });
    for (const std::string& name : names_) {
      trial_.expect(name, [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
        return as_vector<Scalar>(a_) + as_vector<Scalar>(b_);
      });
    }
  }

  void looks_like(const std::string& mistake, double share_a, double share_b) {
    for (const std::string& name : names_) {
      trial_.looks_like(mistake, name, [&]() -> Vector<double> {
        return share_a * as_vector<double>(a_) + share_b * as_vector<double>(b_);
      });
    }
  }

  // What the output held is a term, beside these shares of the two.
  void looks_like_added(const std::string& mistake, double share_a, double share_b) {
    const auto sum = [&](double a, double b) -> Vector<double> {
      return a * as_vector<double>(a_) + b * as_vector<double>(b_);
    };
    trial_.looks_like(mistake, names_[0], [&] { return never_written(sum(1, 1)); });
    trial_.looks_like(mistake, names_[1], [&] { return sum(share_a + 1, share_b); });
    trial_.looks_like(mistake, names_[2], [&] { return sum(share_a, share_b + 1); });
  }

  void looks_like_product(const std::string& mistake) {
    for (const std::string& name : names_) {
      trial_.looks_like(mistake, name, [&]() -> Vector<double> {
        return as_vector<double>(a_).cwiseProduct(as_vector<double>(b_));
      });
    }
  }

 private:
  Trial& trial_;
  std::vector<std::string> names_;
  std::vector<float> a_, b_;
  const float *a_device_, *b_device_;
  float *out_, *over_a_, *over_b_;
};

TEST(Lesson06, Exercise1) {
  EXPECT_TRUE(exercise("06.1", {"count"}, kCounts, [](Trial& trial) {
    SumOfTwo sum(trial, "stream", "correction", "out");
    sum.run(residual_forward);
    sum.looks_like("stream_lost", 0, 1);
    sum.looks_like("correction_lost", 1, 0);
    sum.looks_like("subtracted", 1, -1);
    sum.looks_like("subtracted", -1, 1);
    sum.looks_like("stream_twice", 2, 0);
    sum.looks_like("correction_twice", 0, 2);
    sum.looks_like_added("adds_to_out", 1, 1);
    sum.looks_like_added("adds_to_out", 1, 0);
    sum.looks_like_added("adds_to_out", 0, 1);
    sum.looks_like("mean", 0.5, 0.5);
    sum.looks_like_product("product");
  }));
}

TEST(Lesson06, Exercise2) {
  EXPECT_TRUE(exercise("06.2", {"count"}, kCounts, [](Trial& trial) {
    SumOfTwo sum(trial, "dout", "dbranch", "dstream");
    sum.run(residual_backward);
    sum.looks_like("residual_path_lost", 0, 1);
    sum.looks_like("branch_lost", 1, 0);
    sum.looks_like("subtracted", 1, -1);
    sum.looks_like("subtracted", -1, 1);
    sum.looks_like("residual_path_twice", 2, 0);
    sum.looks_like("branch_twice", 0, 2);
    sum.looks_like_added("adds_to_out", 1, 1);
    sum.looks_like_added("adds_to_out", 1, 0);
    sum.looks_like_added("adds_to_out", 0, 1);
    sum.looks_like("mean", 0.5, 0.5);
    sum.looks_like_product("product");
  }));
}

// ---- 06.3 to 06.6: the sublayers.

// A smallest block, one of T = 3 and C = 2, then several sequences and heads, and odd sizes.
const std::vector<std::vector<int>> kSizes = {
    {1, 2, 1, 3, 4, 1},  {1, 3, 1, 2, 4, 1},   {2, 3, 2, 2, 5, 1}, {1, 1, 3, 2, 3, 0},
    {3, 5, 3, 4, 31, 1}, {2, 33, 2, 8, 33, 0}, {1, 97, 1, 5, 7, 1}};

// With whether the gradients of the parameters are added, and whether the gradient of the stream
// is written over the one that came.
std::vector<std::vector<int>> backward_sizes() {
  std::vector<std::vector<int>> all = kSizes;
  const std::vector<std::vector<int>> ways = {{1, 0}, {0, 0}, {1, 1}, {0, 1}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<int>& way = ways[i % ways.size()];
    all[i].insert(all[i].end(), way.begin(), way.end());
  }
  return all;
}
const std::vector<std::string> kBackwardNames = {"B", "T",      "H",   "D",
                                                 "F", "biases", "add", "in place"};

std::vector<int> forward_sizes(const Trial& trial) {
  const auto sizes = trial.sizes<6>();
  return {sizes.begin(), sizes.end()};
}

// A sublayer adds with the student's own residual_forward and residual_backward. Where that is
// wrong, it is another exercise's mistake, and told as that.
template <typename Operation>
void require_residual(Trial& trial, const Operation& operation) {
  const std::vector<float> a = {0.5f, -1.25f, 2, 7}, b = {3, 0.125f, -4, 1};
  DeviceBuffer<float> stream(a), correction(b), sum(4);
  trial.run([&](const Launch& launch) {
    operation(stream.data(), correction.data(), sum.data(), 4, launch);
  });
  bool right = true;
  const std::vector<float> is = sum.to_host();
  for (std::size_t i = 0; i < 4; ++i) right = right && is[i] == a[i] + b[i];
  trial.require(right, "residual_first");
}

// A call is missing, or comes too late: what is read was never written.
void looks_like_late(Trial& trial, const std::vector<std::string>& names,
                     const Tensors<double>& right) {
  for (const std::string& name : names) {
    trial.looks_like("missing_or_late", name, [&] { return never_written(right.at(name)); });
  }
}

// The last sum takes itself for one of its terms: written, but of what nobody has written.
void tell_sum_of_itself(Trial& trial, const std::string& mistake, const std::string& sum,
                        const Tensors<double>& right) {
  const std::vector<float>& is = trial.contents(sum);
  if (std::any_of(is.begin(), is.end(), is_never_written)) return;
  looks_like(trial, mistake, {sum}, [&] {
    return Tensors<double>{{sum, never_written(right.at(sum))}};
  });
}

// Where an operation is to leave something for its backward; what, is its own.
float* saved_output(Trial& trial, const std::string& name, std::size_t bytes) {
  return trial.output(name, {{"i", static_cast<int>(bytes / sizeof(float))}});
}

void require_saved(Trial& trial, const std::string& name) {
  const std::vector<float>& saved = trial.contents(name);
  trial.require(!std::all_of(saved.begin(), saved.end(), is_never_written), "not_saved",
                {{"what", name}});
}

// The states of the two sublayers as inputs. The exercises only read them, as their headers say.
float* writable(const float* input) { return const_cast<float*>(input); }

lesson06::BlockStates attention_states(Trial& trial, const BlockCase& it,
                                       const reference::BlockStates<float>& from) {
  lesson06::BlockStates s{};
  s.norm1 = writable(it.input_rows(trial, "norm1", from.norm1));
  s.norm1_saved = writable(it.input_norm_saved(trial, "norm1_saved", it.x<float>()));
  s.qkv = writable(it.input_rows(trial, "qkv", from.qkv));
  s.attended = writable(it.input_rows(trial, "attended", from.attended));
  s.attention_saved = writable(it.input_attention_saved(trial, from.qkv));
  s.middle = writable(it.input_rows(trial, "middle", from.middle));
  return s;
}

void add_mlp_states(Trial& trial, const BlockCase& it, const reference::BlockStates<float>& from,
                    lesson06::BlockStates& s) {
  s.norm2 = writable(it.input_rows(trial, "norm2", from.norm2));
  s.norm2_saved = writable(it.input_norm_saved(trial, "norm2_saved", from.middle));
  s.expanded = writable(it.input_rows(trial, "expanded", from.expanded));
  s.activated = writable(it.input_rows(trial, "activated", from.activated));
}

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
  }));
}

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
    mistake("residual_path_lost", [](MlpReads& read) { read.stream = 0; });
    mistake("branch_lost", [](MlpReads& read) { read.branch = 0; });
    mistake("residual_path_twice", [](MlpReads& read) { read.stream = 2, read.branch = 0; });
    mistake("branch_twice", [](MlpReads& read) { read.stream = 0, read.branch = 2; });
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
    // The gradient through the norm written over dy, which is still needed.
    looks_like(trial, "stream_overwritten", names, [&] {
      Tensors<double> wrong = exact;
      wrong["dmiddle"] = 2 * exact.at("dbranch");
      wrong["dbranch"] = never_written(dout);
      return wrong;
    });
    if (!in_place) {
      looks_like(trial, "stream_overwritten", names, [&] {
        Tensors<double> wrong = exact;
        wrong["dbranch"] = never_written(dout);
        return wrong;
      });
    }
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
    const AttentionReads reads{states.attended, states.qkv, states.norm1, x, x, w.norm1_gain};
    const auto mistake = [&](const std::string& name, const auto& change) {
      looks_like(trial, name, names, [&] {
        AttentionReads wrong = reads;
        change(wrong);
        return mistakes06::attention_gradients_by(w, it.shape, dout, wrong);
      });
    };
    mistake("residual_path_lost", [](AttentionReads& read) { read.stream = 0; });
    mistake("branch_lost", [](AttentionReads& read) { read.branch = 0; });
    mistake("residual_path_twice", [](AttentionReads& read) { read.stream = 2, read.branch = 0; });
    mistake("branch_twice", [](AttentionReads& read) { read.stream = 0, read.branch = 2; });
    mistake("out_reads_another", [&](AttentionReads& read) { read.attended = states.norm1; });
    mistake("out_reads_another", [&](AttentionReads& read) { read.attended = states.middle; });
    mistake("x_for_norm1", [](AttentionReads& read) { read.norm1 = read.x; });
    mistake("norm2_for_norm1", [&](AttentionReads& read) { read.norm1 = states.norm2; });
    mistake("norm1_for_x", [](AttentionReads& read) { read.x = read.norm1; });
    mistake("middle_for_x", [&](AttentionReads& read) { read.x = states.middle; });
    mistake("second_saved", [&](AttentionReads& read) { read.statistics_of = states.middle; });
    mistake("second_gain", [&](AttentionReads& read) { read.gain = w.norm2_gain; });
    mistake("gain_lost", [&](AttentionReads& read) { read.gain.setOnes(); });
    looks_like(trial, "stream_overwritten", names, [&] {
      Tensors<double> wrong = exact;
      wrong["dx"] = 2 * exact.at("dbranch");
      wrong["dbranch"] = never_written(dout);
      return wrong;
    });
    if (!in_place) {
      looks_like(trial, "stream_overwritten", names, [&] {
        Tensors<double> wrong = exact;
        wrong["dbranch"] = never_written(dout);
        return wrong;
      });
    }
    tell_sum_of_itself(trial, "dx_for_dmiddle", "dx", exact);
    gradients.tell_mistakes(exact);
    looks_like_late(trial, names, exact);
  }));
}

// The sublayers together, as kernels/block.h asks for them: with and without saved states, and over
// what came in.
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
