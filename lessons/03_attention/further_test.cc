#include "lessons/03_attention/further.h"

#include <cmath>
#include <vector>

#include "lessons/03_attention/attention_case.h"
#include "lessons/03_attention/mistakes.h"
#include "lessons/03_attention/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes03::Heads;
using mistakes03::rows;
using mistakes03::sum;
using reference::Matrix;
using simulator::AccessKind;

const std::vector<std::vector<int>> kSizes = {{1, 1, 1, 1, 1},  {1, 2, 1, 2, 1},  {2, 3, 2, 4, 1},
                                              {2, 17, 3, 5, 0}, {1, 5, 1, 64, 1}, {1, 33, 2, 33, 1},
                                              {1, 65, 1, 8, 0}, {1, 97, 1, 3, 1}};

// Of a T x T tensor nothing may be written, and what a block has read serves several queries.
void require_no_square(Trial& trial, const AttentionCase& it, const simulator::Counters& counters,
                       std::int64_t results, std::int64_t sides) {
  if (!counters.counted()) return;
  const auto stores =
      static_cast<std::int64_t>(counters.total().of(AccessKind::global_store).lanes);
  trial.require(stores <= results, "stores",
                {{"count", std::to_string(stores)}, {"least", std::to_string(results)}});
  const auto loads = static_cast<std::int64_t>(counters.total().of(AccessKind::global_load).lanes);
  const std::int64_t alone = sides * it.numbers * it.shape.T;  // where each row reads for itself
  const std::int64_t most = alone / 8 + 16 * it.numbers;
  trial.require(loads <= most, "loads",
                {{"count", std::to_string(loads)}, {"alone", std::to_string(alone)}});
}

TEST(Lesson03, Exercise8) {
  EXPECT_TRUE(exercise("03.8", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int T = shape.T, D = it.D;
    std::vector<float> qkv = trial.random().numbers(3 * it.numbers, 2);
    // Scores grow along the keys, up to a few hundred: the maximum of a row changes with each tile.
    for (int n = 0; n < shape.B * T; ++n) {
      for (int c = shape.C; c < 2 * shape.C; ++c) {
        float& key = qkv[static_cast<std::size_t>(n * 3 * shape.C + c)];
        key *= 1 + static_cast<float>(n % T);
      }
    }
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    float* out = trial.output("out", it.row_axes);
    float* kept = trial.output("log_sum_exp", it.vector_axes);
    const auto work = [&](const Launch& launch) {
      lesson03::one_pass(qkv_device, out, kept, shape, launch);
    };
    trial.run(work);
    const double largest_score = 4.0 * T * std::sqrt(D);
    const auto scores = [&]<typename Scalar>(Scalar) {
      return reference::attention_scores(it.qkv_matrix<Scalar>(qkv), shape);
    };
    trial.expect(
        "out",
        [&]<typename Scalar>(Scalar) {
          return reference::attention_forward(it.qkv_matrix<Scalar>(qkv), shape);
        },
        largest_score);
    trial.expect(
        "log_sum_exp",
        [&]<typename Scalar>(Scalar) { return reference::log_sum_exp(scores(Scalar{})); },
        largest_score);

    const Matrix<double> score = scores(double{});
    const Heads value = it.values(qkv);
    const auto row_of = [&](int b, int h, int i) { return (b * shape.H + h) * T + i; };
    // out, if weight(row, j) were the share of value j, not divided by anything.
    const auto by = [&](const auto& weight) {
      return rows(shape, [&](int b, int i, int h, int d) {
        return sum(0, T, [&](int j) { return weight(row_of(b, h, i), j) * value(b, j, h, d); });
      });
    };
    // The maximum over the tiles up to that of column j.
    const auto so_far = [&](int row, int j) {
      return score.row(row).head(std::min(T, (j / 32 + 1) * 32)).maxCoeff();
    };
    const auto total = [&](int row, const auto& maximum) {
      return sum(0, T, [&](int j) { return std::exp(score(row, j) - maximum(row, j)); });
    };
    const auto shrunk = [&](int row, int) { return score.row(row).maxCoeff(); };
    // log_sum_exp, if the sum of the exponentials were this.
    const auto kept_by = [&](const auto& sum_of_row) {
      reference::Vector<double> wrong(score.rows());
      for (int row = 0; row < wrong.size(); ++row) wrong[row] = sum_of_row(row);
      return wrong;
    };
    const auto never_shrunk = [&] {
      return kept_by([&](int row) { return shrunk(row, 0) + std::log(total(row, so_far)); });
    };
    trial.looks_like("never_shrinks", "out", [&] {
      return by([&](int row, int j) {
        return std::exp(score(row, j) - so_far(row, j)) / total(row, so_far);
      });
    });
    trial.looks_like("never_shrinks", "log_sum_exp", never_shrunk);
    trial.looks_like("columns_never_shrink", "out", [&] {
      return by([&](int row, int j) {
        return std::exp(score(row, j) - so_far(row, j)) / total(row, shrunk);
      });
    });
    trial.looks_like("sum_never_shrinks", "out", [&] {
      return by([&](int row, int j) {
        return std::exp(score(row, j) - shrunk(row, j)) / total(row, so_far);
      });
    });
    trial.looks_like("sum_never_shrinks", "log_sum_exp", never_shrunk);
    // What is already in a tile's sums when they shrink, shrinks with the rest; at the first tile,
    // to 0.
    trial.looks_like("shrinks_too_late", "out", [&] {
      return by([&](int row, int j) {
        if (j < 32) return 0.0;
        const double so_far_before = score.row(row).head(j / 32 * 32).maxCoeff();
        const double shrink = std::exp(so_far_before - shrunk(row, 0));
        return std::exp(score(row, j) - so_far(row, j)) * shrink / total(row, shrunk);
      });
    });
    // A lane's own sum can be as small as you like: what is divided by it is compared as a ratio,
    // or has only to be huge.
    const auto sum_of_lane = [&](int row, int lane) {
      return sum(0, T, [&](int j) {
        return j % 32 == lane ? std::exp(score(row, j) - shrunk(row, 0)) : 0.0;
      });
    };
    constexpr double kNearZero = 1e-30;
    trial.looks_like("sum_of_one_lane", "out", [&] {
      Matrix<double> wrong =
          by([&](int row, int j) { return std::exp(score(row, j) - shrunk(row, 0)); });
      const std::vector<float>& out_found = trial.contents("out");
      for (int i = 0; i < wrong.size(); ++i) {
        const int c = i % shape.C, n = i / shape.C;
        const auto found = static_cast<double>(out_found[static_cast<std::size_t>(i)]);
        const double lane_sum = sum_of_lane(row_of(n / T, c / D, n % T), c % D % 32);
        double& number = wrong.data()[i];
        number /= lane_sum;
        const bool same = lane_sum < kNearZero
                              ? !(std::abs(found) < 1e15)
                              : std::abs(found - number) <= 1e-2 * std::abs(number);
        if (same) number = found;
      }
      return wrong;
    });
    trial.looks_like("sum_of_one_lane", "log_sum_exp", [&] {
      const std::vector<float>& kept_found = trial.contents("log_sum_exp");
      return kept_by([&](int row) {
        const auto found = static_cast<double>(kept_found[static_cast<std::size_t>(row)]);
        const double lane_sum = sum_of_lane(row, 0), wrong = shrunk(row, 0) + std::log(lane_sum);
        const bool same = lane_sum < kNearZero && found < shrunk(row, 0) + std::log(kNearZero) + 1;
        return same ? found : wrong;
      });
    });
    trial.looks_like("not_divided", "out", [&] {
      return by([&](int row, int j) { return std::exp(score(row, j) - shrunk(row, j)); });
    });
    const Matrix<double> exact = it.qkv_matrix<double>(qkv);
    const auto unscaled = [&]() -> Matrix<double> { return score * std::sqrt(D); };
    trial.looks_like("no_scale", "out", [&] {
      return reference::mixed<double>(reference::softmax(unscaled()),
                                      reference::third_of(exact, shape, 2), shape, false);
    });
    trial.looks_like("no_scale", "log_sum_exp", [&] { return reference::log_sum_exp(unscaled()); });
    AttentionShape open = shape;
    open.causal = false;
    trial.looks_like("no_mask", "out", [&] { return reference::attention_forward(exact, open); });
    trial.looks_like("no_mask", "log_sum_exp", [&] {
      return reference::log_sum_exp(reference::attention_scores(exact, open));
    });
    trial.looks_like("no_maximum_kept", "log_sum_exp", [&] {
      return kept_by([&](int row) { return std::log(total(row, shrunk)); });
    });
    // The last tile is filled up by keys and values of zeros, which count where there is no mask.
    const int extra = shape.causal ? 0 : (32 - T % 32) % 32;
    const auto with_tail = [&](int row) {
      const double most = std::max(0.0, shrunk(row, 0));
      return most + std::log(sum(0, T, [&](int j) { return std::exp(score(row, j) - most); }) +
                             extra * std::exp(-most));
    };
    if (extra > 0) {
      trial.looks_like("tail_counts", "out", [&] {
        return by([&](int row, int j) { return std::exp(score(row, j) - with_tail(row)); });
      });
      trial.looks_like("tail_counts", "log_sum_exp", [&] { return kept_by(with_tail); });
    }
    trial.looks_like("no_logarithm", "log_sum_exp", [&] {
      return kept_by([&](int row) { return shrunk(row, 0) + total(row, shrunk); });
    });
    if (T < 33) return;
    require_no_square(trial, it, trial.counted(work), it.numbers + it.numbers / D, 2);
  }));
}

TEST(Lesson03, Exercise9) {
  EXPECT_TRUE(exercise("03.9", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const auto qkv = trial.random().numbers(3 * it.numbers, 2);
    const auto dout = trial.random().numbers(it.numbers);
    const Matrix<float> all = it.qkv_matrix<float>(qkv);
    const auto out = it.floats(reference::attention_forward(all, shape));
    const auto kept = it.floats(reference::log_sum_exp(reference::attention_scores(all, shape)));
    const float* dout_device = trial.input("dout", it.row_axes, dout);
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    const float* out_device = trial.input("out", it.row_axes, out);
    const float* kept_device = trial.input("log_sum_exp", it.vector_axes, kept);
    float* dqkv = trial.output("dqkv", it.qkv_axes);
    const auto work = [&](const Launch& launch) {
      lesson03::one_pass_backward(dout_device, qkv_device, out_device, kept_device, dqkv, shape,
                                  launch);
    };
    const std::size_t scratch_bytes = lesson03::one_pass_backward_scratch_bytes(shape);
    trial.run(work, scratch_bytes);
    trial.expect(
        "dqkv",
        [&]<typename Scalar>(Scalar) {
          return reference::attention_backward(it.row_matrix<Scalar>(dout),
                                               it.qkv_matrix<Scalar>(qkv), shape);
        },
        4 * (1 + 4 * std::sqrt(it.D)) * std::sqrt(shape.T));

    // The backward pass of the reference, with one thing wrong.
    const Matrix<double> exact = it.qkv_matrix<double>(qkv), d_out = it.row_matrix<double>(dout);
    const Matrix<double> weights = reference::softmax(reference::attention_scores(exact, shape));
    const Matrix<double> dweights =
        reference::dot_products<double>(d_out, reference::third_of(exact, shape, 2), shape, 0.0);
    const double scale = reference::attention_scale<double>(shape);
    const auto by = [&](const Matrix<double>& dscores, double query_scale, double key_scale) {
      Matrix<double> wrong(shape.B * shape.T, 3 * shape.C);
      wrong << query_scale * reference::mixed<double>(dscores, reference::third_of(exact, shape, 1),
                                                      shape, false),
          key_scale *
              reference::mixed<double>(dscores, reference::third_of(exact, shape, 0), shape, true),
          reference::mixed<double>(weights, d_out, shape, true);
      return wrong;
    };
    const auto dscores = [&] { return reference::softmax_backward(weights, dweights); };
    trial.looks_like("no_row_sum", "dqkv",
                     [&] { return by(weights.cwiseProduct(dweights), scale, scale); });
    trial.looks_like("no_scale", "dqkv", [&] { return by(dscores(), 1, 1); });
    trial.looks_like("queries_without_scale", "dqkv", [&] { return by(dscores(), 1, scale); });
    trial.looks_like("keys_without_scale", "dqkv", [&] { return by(dscores(), scale, 1); });
    trial.looks_like("keys_and_values_swapped", "dqkv", [&] {
      Matrix<double> wrong = by(dscores(), scale, scale);
      const Matrix<double> dkey = wrong.middleCols(shape.C, shape.C);
      wrong.middleCols(shape.C, shape.C) = wrong.rightCols(shape.C).eval();
      wrong.rightCols(shape.C) = dkey;
      return wrong;
    });
    trial.looks_like("weights_for_dscores", "dqkv", [&] {
      Matrix<double> wrong = by(dscores(), scale, scale);
      wrong.middleCols(shape.C, shape.C) =
          scale *
          reference::mixed<double>(weights, reference::third_of(exact, shape, 0), shape, true);
      return wrong;
    });
    if (shape.T < 33) return;
    require_no_square(trial, it, trial.counted(work, scratch_bytes),
                      3 * it.numbers + it.numbers / it.D, 4);
  }));
}

TEST(Lesson03, Exercise10) {
  const std::vector<std::vector<int>> sizes = {{1, 1, 1, 2, 1},  {1, 2, 1, 2, 1},
                                               {1, 3, 2, 4, 1},  {2, 5, 3, 6, 1},
                                               {2, 33, 1, 8, 1}, {1, 97, 1, 64, 1}};
  EXPECT_TRUE(exercise("03.10", kSizeNames, sizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int T = shape.T, D = it.D;
    trial.need(D % 2 == 0);
    const auto qkv = trial.random().numbers(3 * it.numbers);
    const auto drotated = trial.random().numbers(3 * it.numbers);
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    const float* drotated_device = trial.input("drotated", it.qkv_axes, drotated);
    float* rotated = trial.output("rotated", it.qkv_axes);
    float* dqkv = trial.output("dqkv", it.qkv_axes);
    trial.run([&](const Launch& launch) {
      lesson03::rotate(qkv_device, rotated, shape, launch);
      lesson03::rotate_backward(drotated_device, dqkv, shape, launch);
    });
    const double accumulated = 4 + 2 * T;  // an angle is rounded as the number of turns is large
    trial.expect(
        "rotated",
        [&]<typename Scalar>(Scalar) {
          return reference::rotated(it.qkv_matrix<Scalar>(qkv), shape, 1);
        },
        accumulated);
    trial.expect(
        "dqkv",
        [&]<typename Scalar>(Scalar) {
          return reference::rotated(it.qkv_matrix<Scalar>(drotated), shape, -1);
        },
        accumulated);

    // Both ways with the pair (first, second) of each head at places of its own, turned by an
    // angle of its own.
    const auto by = [&](const std::vector<float>& values, double sign, const auto& first_of,
                        int apart, const auto& angle_of, int thirds) {
      Matrix<double> wrong = it.qkv_matrix<double>(values);
      for (int n = 0; n < shape.B * T; ++n) {
        for (int head = 0; head < thirds * shape.H; ++head) {
          for (int d = 0; d < D / 2; ++d) {
            double& first = wrong(n, head * D + first_of(d));
            double& second = wrong(n, head * D + first_of(d) + apart);
            const double angle = sign * angle_of(n, d), before = first;
            first = std::cos(angle) * before - std::sin(angle) * second;
            second = std::sin(angle) * before + std::cos(angle) * second;
          }
        }
      }
      return wrong;
    };
    const auto half = [](int d) { return d; };
    const auto angle = [&](int n, int d) { return n % T * std::pow(10000.0, -2.0 * d / D); };
    const auto both = [&](const std::string& name, const auto& first_of, int apart,
                          const auto& angle_of, int thirds, double back) {
      trial.looks_like(name, "rotated",
                       [&] { return by(qkv, 1, first_of, apart, angle_of, thirds); });
      trial.looks_like(name, "dqkv",
                       [&] { return by(drotated, back, first_of, apart, angle_of, thirds); });
    };
    both("backward_turns_forward", half, D / 2, angle, 2, 1);
    both(
        "neighbours", [](int d) { return 2 * d; }, 1, angle, 2, -1);
    both("values_too", half, D / 2, angle, 3, -1);
    both("queries_alone", half, D / 2, angle, 1, -1);
    both(
        "one_frequency", half, D / 2, [&](int n, int) { return 1.0 * (n % T); }, 2, -1);
    both(
        "half_frequencies", half, D / 2,
        [&](int n, int d) { return n % T * std::pow(10000.0, -1.0 * d / D); }, 2, -1);
    both(
        "row_for_position", half, D / 2,
        [&](int n, int d) { return n * std::pow(10000.0, -2.0 * d / D); }, 2, -1);
    both(
        "other_direction", half, D / 2, [&](int n, int d) { return -angle(n, d); }, 2, -1);
  }));
}

}  // namespace
}  // namespace andrea
