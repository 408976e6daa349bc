// File: mistakes.h
//
// The known wrong versions of lesson 07's steps that take more than a line or two.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_MISTAKES_H_
#define ANDREA_LESSONS_07_FULL_MODEL_MISTAKES_H_

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "lessons/06_residual_block/mistakes.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/07_full_model/model_case.h"
#include "lessons/07_full_model/optimiser_reference.h"
#include "tests/harness/references.h"

namespace andrea::mistakes07 {

using Matrix = reference::Matrix<double>;
using Vector = reference::Vector<double>;

inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// ---- Blocks that are no whole number of warps, where block_sum and block_max need one.

// Sizes that a block may be given.
inline constexpr int kNoWholeWarps[] = {10,  16,  20,  33,  40,  48,  50,   60,  72,  80,  90,
                                        100, 112, 120, 125, 127, 129, 144,  150, 180, 200, 240,
                                        250, 255, 257, 300, 333, 350, 360,  400, 450, 500, 511,
                                        513, 600, 700, 720, 750, 900, 1000, 1023};

// The lanes of a warp, of which some may not be there, after the five exchanges: who asks a lane
// that is not there gets its own number back.
template <typename Join>
std::vector<double> exchanged(std::vector<double> lanes, const Join& join) {
  for (std::size_t distance = 16; distance > 0; distance /= 2) {
    const std::vector<double> before = lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const std::size_t other = lane ^ distance;
      lanes[lane] = join(before[lane], before[other < lanes.size() ? other : lane]);
    }
  }
  return lanes;
}

// What each thread of a block gets as the sum, or the largest, of all: that of the whole warps
// alone, and in the last warp, which is not full, even less.
template <typename Join>
std::vector<double> of_block(const std::vector<double>& numbers, double neutral, const Join& join) {
  const std::size_t threads = numbers.size(), warps = threads / 32;
  const auto lanes_from = [&](std::size_t first) {
    return std::min<std::size_t>(32, threads - first);
  };
  std::vector<double> of_warp, result;
  for (std::size_t first = 0; first < threads; first += 32) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first);
    of_warp.push_back(
        exchanged({begin, begin + static_cast<std::ptrdiff_t>(lanes_from(first))}, join).front());
  }
  for (std::size_t first = 0; first < threads; first += 32) {
    std::vector<double> lanes(lanes_from(first), neutral);
    for (std::size_t lane = 0; lane < std::min(lanes.size(), warps); ++lane) {
      lanes[lane] = of_warp[lane];
    }
    lanes = exchanged(lanes, join);
    result.insert(result.end(), lanes.begin(), lanes.end());
  }
  return result;
}

// ---- AdamW with some of its pieces wrong.

enum class Decay { right, none, all, of_vectors, coupled, without_rate, after };

struct AdamW {
  bool first_corrected = true, second_corrected = true;
  int step_offset = 0;
  bool epsilon_inside = false, root = true, clip = true, rate = true, square = true;
  bool keeps_corrected = false;  // m_hat and v_hat are what is remembered
  bool uses_old = false;         // the step is taken by the moments from before
  bool keeps_moments = true;
  double sign = -1;
  double new_share1 = -1, new_share2 = -1;  // in place of 1 - beta; -1: as it is
  Decay decay = Decay::right;
};

inline reference::AdamWState<double> adamw(const AdamW& how, reference::AdamWState<double> state,
                                           const Vector& gradients, std::int64_t decayed,
                                           const AdamWOptions& options,
                                           const StepScalars& scalars) {
  const double beta1 = options.beta1, beta2 = options.beta2, rate = scalars.learning_rate;
  const double weight_decay = options.weight_decay, epsilon = options.epsilon;
  const auto step = static_cast<double>(scalars.step + how.step_offset);
  const double correction1 = how.first_corrected ? 1 - std::pow(beta1, step) : 1;
  const double correction2 = how.second_corrected ? 1 - std::pow(beta2, step) : 1;
  for (Eigen::Index i = 0; i < gradients.size(); ++i) {
    double& p = state.parameters[i];
    const bool decays = how.decay == Decay::all          ? true
                        : how.decay == Decay::none       ? false
                        : how.decay == Decay::of_vectors ? i >= decayed
                                                         : i < decayed;
    double g = (how.clip ? static_cast<double>(scalars.clip_scale) : 1) * gradients[i];
    if (how.decay == Decay::coupled && decays) g += weight_decay * p;
    const double old_m = state.first_moments[i], old_v = state.second_moments[i];
    const double share1 = how.new_share1 < 0 ? 1 - beta1 : how.new_share1;
    const double share2 = how.new_share2 < 0 ? 1 - beta2 : how.new_share2;
    const double m = beta1 * old_m + share1 * g;
    const double v = beta2 * old_v + share2 * (how.square ? g * g : g);
    const double m_hat = (how.uses_old ? old_m : m) / correction1;
    const double v_hat = (how.uses_old ? old_v : v) / correction2;
    double below = how.root ? std::sqrt(v_hat) + epsilon : v_hat + epsilon;
    if (how.epsilon_inside) below = std::sqrt(v_hat + epsilon);
    double change = m_hat / below;
    if (decays &&
        (how.decay == Decay::right || how.decay == Decay::all || how.decay == Decay::of_vectors)) {
      change += weight_decay * p;
    }
    const double decay_outside = decays && how.decay == Decay::without_rate ? weight_decay * p : 0;
    p += how.sign * ((how.rate ? rate : 1) * change + decay_outside);
    if (decays && how.decay == Decay::after) p += how.sign * rate * weight_decay * p;
    if (how.keeps_moments) {
      state.first_moments[i] = how.keeps_corrected ? m_hat : m;
      state.second_moments[i] = how.keeps_corrected ? v_hat : v;
    }
  }
  return state;
}

// ---- The model's forward pass with some of its pieces wrong.

struct Forward {
  Vector streams;  // all, one behind the other
  Matrix normed, logits;
};

struct ForwardSlip {
  bool positions = true;
  bool tied = false;       // the logits by the token table
  bool exchanged = false;  // the embedding by the output table, and the other way round
  bool last_norm = true;
  bool norm_of_first = false;                                // the last norm reads the first stream
  std::function<int(int)> block = [](int l) { return l; };   // whose weights are used as the l-th
  std::function<int(int)> stream = [](int l) { return l; };  // which it reads
};

inline Forward forward(const ModelCase& it, const ForwardSlip& slip) {
  const Vector all = it.all_parameters<double>();
  const auto at = it.layout.view<const double>(all.data());
  const Matrix tokens = reference::load(at.token_table, it.V, it.C);
  const Matrix output = reference::load(at.output_table, it.V, it.C);
  const Matrix positions =
      slip.positions ? reference::load(at.position_table, it.config.context, it.C) : Matrix{};
  std::vector<Matrix> streams = {
      reference::embedding_forward(it.tokens, it.T, slip.exchanged ? output : tokens, positions)};
  for (int l = 0; l < it.L; ++l) {
    const auto block = static_cast<std::size_t>(slip.block(l));
    const auto from = static_cast<std::size_t>(slip.stream(l));
    streams.push_back(
        reference::block_forward(it.config, at.blocks[block], streams[from], it.B, it.T).y);
  }
  Forward result;
  result.streams = joined(streams);
  const Matrix& last = slip.norm_of_first ? streams.front() : streams.back();
  const Matrix normed = it.normed(last);
  result.normed = slip.last_norm ? normed : Matrix::Constant(it.N, it.C, kNotANumber);
  result.logits = it.padded<double>((slip.last_norm ? normed : last) *
                                    (slip.tied || slip.exchanged ? tokens : output).transpose());
  return result;
}

// ---- The model's backward pass with some of its pieces wrong: the flat gradients.

struct BackwardSlip {
  bool tied = false;               // dnormed by the token table
  bool stream_for_normed = false;  // the output table's gradient by the last stream
  bool last_norm = true;
  bool tables_early = false;  // the tables' gradients by what came out of the last norm
  bool from_first = false;    // the blocks from the first to the last
  bool next_stream = false;   // each block's input is taken for the stream behind it
};

// A block's backward pass that is given the stream behind the block for the one before it: only
// its first norm looks at that, with the mean and deviation of the right one.
inline Matrix block_backward_by_next(const ModelCase& it, const BlockTensors<const double>& at,
                                     const Matrix& dy, const Matrix& x, const Matrix& next,
                                     const BlockTensors<double>& gradients) {
  reference::block_backward(it.config, at, dy, x, it.B, it.T, gradients);
  const reference::BlockWeights<double> w(it.config, at);
  const auto s = reference::block_forward(it.config, at, x, it.B, it.T);
  const auto mlp = reference::mlp_sublayer_backward(w, it.config.activation, dy, s);
  const auto attention = reference::attention_sublayer_backward(
      w, {it.B, it.T, it.C, it.config.heads}, mlp.dmiddle, x, s);
  const auto norm = mistakes06::norm_backward(attention.qkv.dx, next, w.norm1_gain, x);
  reference::add_to(gradients.norm1_gain, Vector(norm.dgain - attention.norm1.dgain));
  return mlp.dmiddle + norm.dx;
}

inline Vector backward(const ModelCase& it, const Matrix& dlogits, const BackwardSlip& slip) {
  const Vector all = it.all_parameters<double>();
  const auto at = it.layout.view<const double>(all.data());
  const std::vector<Matrix> streams = it.streams<double>();
  Vector flat = Vector::Zero(it.layout.size());
  const auto gradients = it.layout.view<double>(flat.data());
  const Matrix normed = it.normed(streams.back());
  const Matrix table = reference::load(slip.tied ? at.token_table : at.output_table, it.V, it.C);
  reference::add_to(
      gradients.output_table,
      Matrix(dlogits.transpose() * (slip.stream_for_normed ? streams.back() : normed)));
  Matrix dstream = dlogits * table;
  if (slip.last_norm) {
    const auto norm = reference::layer_norm_backward(dstream, streams.back(),
                                                     reference::load(at.final_gain, it.C));
    reference::add_to(gradients.final_gain, norm.dgain);
    reference::add_to(gradients.final_bias, norm.dbias);
    dstream = norm.dx;
  }
  const Matrix early = dstream;
  for (int k = 0; k < it.L; ++k) {
    const auto l = static_cast<std::size_t>(slip.from_first ? k : it.L - 1 - k);
    if (slip.next_stream) {
      dstream = block_backward_by_next(it, at.blocks[l], dstream, streams[l], streams[l + 1],
                                       gradients.blocks[l]);
      continue;
    }
    dstream = reference::block_backward(it.config, at.blocks[l], dstream, streams[l], it.B, it.T,
                                        gradients.blocks[l]);
  }
  const auto tables =
      reference::embedding_backward(slip.tables_early ? early : dstream, it.tokens, it.T, it.V);
  reference::add_to(gradients.token_table, tables.dtoken_table);
  reference::add_to(gradients.position_table, tables.dposition_table);
  return flat;
}

// Adds the gradients of one block to those of another.
inline void add_block(const ModelConfig& config, const BlockTensors<double>& to,
                      const BlockTensors<double>& from) {
  const int C = config.width, F = config.mlp_width;
  const auto add = [](double* sum, const double* numbers, int count) {
    reference::add_to(sum, reference::load(numbers, count));
  };
  add(to.norm1_gain, from.norm1_gain, C), add(to.norm1_bias, from.norm1_bias, C);
  add(to.qkv_weight, from.qkv_weight, 3 * C * C), add(to.qkv_bias, from.qkv_bias, 3 * C);
  add(to.out_weight, from.out_weight, C * C), add(to.out_bias, from.out_bias, C);
  add(to.norm2_gain, from.norm2_gain, C), add(to.norm2_bias, from.norm2_bias, C);
  add(to.expand_weight, from.expand_weight, C * F), add(to.expand_bias, from.expand_bias, F);
  add(to.contract_weight, from.contract_weight, F * C),
      add(to.contract_bias, from.contract_bias, C);
}

// ---- A step of training with some of its pieces wrong.

inline constexpr float kMaxNorm = 0.5f;  // gradients of random models are longer
inline constexpr AdamWOptions kStepOptions = {
    .beta1 = 0.8f, .beta2 = 0.95f, .epsilon = 0.03f, .weight_decay = 0.2f};

struct StepSlip {
  bool tokens_for_targets = false;
  double scale = -1;  // of the gradient; -1: 1 / counted
  int columns = 0;    // that take part in the loss; 0: V
  bool backward = true, adds_stale = false, measures_norm = true, exchanges_moments = false;
  std::int64_t norm_of = -1, decayed = -1, updated = -1;  // how many parameters; -1: as it is
};

template <typename Scalar>
struct Stepped {
  reference::Vector<Scalar> losses, gradients;
  reference::AdamWState<Scalar> state;
};

struct TrainingCase {
  TrainingCase(Trial& trial, const std::array<int, 6>& sizes, int step)
      : model(trial, sizes), B(model.B), T(model.T), N(model.N) {
    targets = trial.random().integers(N, model.V);
    for (int n = 2; n < N; n += 4) targets[static_cast<std::size_t>(n)] = -1;
    for (const int target : targets) counted += target >= 0;
    stale = random_parameters(model.layout, trial.random());
    first = random_parameters(model.layout, trial.random());
    second = random_parameters(model.layout, trial.random());
    for (float& number : second) number = number == 0 ? 0 : 0.1f + number * number;
    scalars = {.step = step, .learning_rate = 0.25f, .gradient_norm = 1, .clip_scale = 0.9f};
  }

  template <typename Scalar>
  Stepped<Scalar> stepped(const StepSlip& slip) const {
    const ParameterLayout& layout = model.layout;
    Stepped<Scalar> after;
    after.state = {as_vector<Scalar>(model.parameters), as_vector<Scalar>(first),
                   as_vector<Scalar>(second)};
    const std::vector<int>& truth = slip.tokens_for_targets ? model.tokens : targets;
    reference::Matrix<Scalar> logits =
        reference::transformer_forward(layout, after.state.parameters, model.tokens, B, T);
    if (slip.columns > 0) logits = model.padded<Scalar>(logits);
    after.losses = reference::cross_entropy_forward<Scalar>(logits, truth);
    const double scale = slip.scale >= 0 ? slip.scale : 1.0 / counted;
    reference::Matrix<Scalar> dlogits =
        reference::cross_entropy_backward<Scalar>(logits, truth, static_cast<Scalar>(scale));
    // The padding's gradients multiply rows of zeros, and go to rows of the table that nobody has.
    reference::Vector<Scalar> gradients = as_vector<Scalar>(stale);
    if (slip.backward) {
      gradients = reference::transformer_backward(
          layout, after.state.parameters, model.tokens,
          reference::Matrix<Scalar>(dlogits.leftCols(model.V)), B, T);
      if (slip.columns > 0) add_padding(gradients, dlogits, after.state.parameters);
      if (slip.adds_stale) gradients += as_vector<Scalar>(stale);
    }
    after.gradients = gradients;
    auto clip_scale = static_cast<Scalar>(scalars.clip_scale);
    if (slip.measures_norm) {
      const std::int64_t of = slip.norm_of < 0 ? layout.size() : slip.norm_of;
      clip_scale = reference::global_norm<Scalar>(gradients.head(of), kMaxNorm).clip_scale;
    }
    if (slip.exchanges_moments) std::swap(after.state.first_moments, after.state.second_moments);
    const reference::AdamWState<Scalar> before = after.state;
    const std::int64_t decayed = slip.decayed < 0 ? layout.decayed() : slip.decayed;
    reference::adamw<Scalar>(after.state, gradients, decayed, kStepOptions, scalars.step,
                             scalars.learning_rate, clip_scale);
    if (slip.updated >= 0) {
      const std::int64_t rest = layout.size() - slip.updated;
      after.state.parameters.tail(rest) = before.parameters.tail(rest);
      after.state.first_moments.tail(rest) = before.first_moments.tail(rest);
      after.state.second_moments.tail(rest) = before.second_moments.tail(rest);
    }
    if (slip.exchanges_moments) std::swap(after.state.first_moments, after.state.second_moments);
    return after;
  }

  // What gradients of the padding's logits leave in the padding's rows of the output table.
  template <typename Scalar>
  void add_padding(reference::Vector<Scalar>& gradients, const reference::Matrix<Scalar>& dlogits,
                   const reference::Vector<Scalar>& parameters) const {
    const auto streams =
        reference::transformer_streams(model.layout, parameters, model.tokens, B, T);
    const auto normed = model.normed<Scalar>(streams.back());
    const reference::Matrix<Scalar> rows =
        dlogits.rightCols(model.stride - model.V).transpose() * normed;
    const auto at = model.layout.view<Scalar>(gradients.data());
    reference::add_to(at.output_table + model.V * model.C, rows);
  }

  ModelCase model;
  int B, T, N, counted = 0;
  std::vector<int> targets;
  std::vector<float> stale, first, second;  // gradients of the step before, and the moments
  StepScalars scalars;
};

}  // namespace andrea::mistakes07

#endif  // ANDREA_LESSONS_07_FULL_MODEL_MISTAKES_H_
