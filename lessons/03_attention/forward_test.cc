// 03.1 to 03.3: scores, softmax, weighted sum.

#include <algorithm>
#include <cmath>
#include <vector>

#include "lessons/03_attention/attention_case.h"
#include "lessons/03_attention/kernel.h"
#include "lessons/03_attention/mistakes.h"
#include "lessons/03_attention/reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes03::Heads;
using mistakes03::kInfinity;
using mistakes03::kNotANumber;
using mistakes03::rows;
using mistakes03::Squares;
using mistakes03::squares;
using mistakes03::sum;
using reference::Matrix;

TEST(Lesson03, Exercise1) {
  EXPECT_TRUE(exercise("03.1", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int T = shape.T, D = it.D;
    const auto qkv = trial.random().numbers(3 * it.numbers, 2);
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    float* scores = trial.output("scores", it.square_axes);
    trial.run([&](const Launch& launch) { lesson03::scores(qkv_device, scores, shape, launch); });
    trial.expect(
        "scores",
        [&]<typename Scalar>(Scalar) {
          return reference::attention_scores(it.qkv_matrix<Scalar>(qkv), shape);
        },
        4 * std::sqrt(D));

    const Heads query = it.queries(qkv), key = it.keys(qkv), value = it.values(qkv);
    const auto by = [&](const auto& sees, const auto& product, double scale) {
      return squares(shape, [&](int b, int h, int i, int j) {
        if (shape.causal && !sees(i, j)) return -kInfinity;
        return scale * sum(0, D, [&](int d) { return product(b, h, i, j, d); });
      });
    };
    const auto seen = [](int i, int j) { return j <= i; };
    const auto right = [&](int b, int h, int i, int j, int d) {
      return query(b, i, h, d) * key(b, j, h, d);
    };
    const double scale = 1 / std::sqrt(D);
    trial.looks_like("no_scale", "scores", [&] { return by(seen, right, 1); });
    trial.looks_like("scale_of_width", "scores",
                     [&] { return by(seen, right, 1 / std::sqrt(shape.C)); });
    trial.looks_like("divided_by_d", "scores", [&] { return by(seen, right, scale * scale); });
    trial.looks_like("times_root", "scores", [&] { return by(seen, right, 1 / scale); });
    trial.looks_like("no_mask", "scores",
                     [&] { return by([](int, int) { return true; }, right, scale); });
    trial.looks_like("always_masked", "scores", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        if (j > i) return -kInfinity;
        return scale * sum(0, D, [&](int d) { return right(b, h, i, j, d); });
      });
    });
    trial.looks_like("sees_next", "scores",
                     [&] { return by([](int i, int j) { return j <= i + 1; }, right, scale); });
    trial.looks_like("not_itself", "scores",
                     [&] { return by([](int i, int j) { return j < i; }, right, scale); });
    trial.looks_like("mask_transposed", "scores",
                     [&] { return by([](int i, int j) { return j >= i; }, right, scale); });
    trial.looks_like("mask_transposed_scale_of_width", "scores", [&] {
      return by([](int i, int j) { return j >= i; }, right, 1 / std::sqrt(shape.C));
    });
    trial.looks_like("masked_zero", "scores", [&]() -> Matrix<double> {
      return by(seen, right, scale).array().max(-1e30).unaryExpr([](double score) {
        return score == -1e30 ? 0.0 : score;
      });
    });
    trial.looks_like("masked_finite", "scores", [&]() -> Matrix<double> {
      // Whatever stands in the first masked place, if it is far below all scores.
      const double held =
          shape.causal && T > 1 ? static_cast<double>(trial.contents("scores")[1]) : -kInfinity;
      return by(seen, right, scale).unaryExpr([&](double score) {
        return score == -kInfinity && held < -1000 ? held : score;
      });
    });
    trial.looks_like("exchanged", "scores", [&] {
      return by(
          seen,
          [&](int b, int h, int i, int j, int d) { return query(b, j, h, d) * key(b, i, h, d); },
          scale);
    });
    trial.looks_like("query_for_key", "scores", [&] {
      return by(
          seen,
          [&](int b, int h, int i, int j, int d) { return query(b, i, h, d) * query(b, j, h, d); },
          scale);
    });
    trial.looks_like("value_for_key", "scores", [&] {
      return by(
          seen,
          [&](int b, int h, int i, int j, int d) { return query(b, i, h, d) * value(b, j, h, d); },
          scale);
    });
    trial.looks_like("head_zero", "scores", [&] {
      return by(
          seen,
          [&](int b, int, int i, int j, int d) { return query(b, i, 0, d) * key(b, j, 0, d); },
          scale);
    });
    trial.looks_like("batch_ignored", "scores", [&] {
      return by(
          seen,
          [&](int, int h, int i, int j, int d) { return query(0, i, h, d) * key(0, j, h, d); },
          scale);
    });
    // Of the queries, the keys or both.
    std::vector<Heads> queries = mistakes03::in_rows_of_C(qkv, shape, 0);
    std::vector<Heads> keys = mistakes03::in_rows_of_C(qkv, shape, 1);
    queries.push_back(query), keys.push_back(key);
    for (const Heads& of_queries : queries) {
      for (const Heads& of_keys : keys) {
        if (&of_queries == &queries.back() && &of_keys == &keys.back()) continue;
        trial.looks_like("rows_of_C", "scores", [&] {
          return by(
              seen,
              [&](int b, int h, int i, int j, int d) {
                return of_queries(b, i, h, d) * of_keys(b, j, h, d);
              },
              scale);
        });
      }
    }
    trial.looks_like("thirds_in_heads", "scores", [&] {
      // The number d of part 0 (query) or 1 (key) of a head, as if each head had 3 D in a row.
      const auto part = [&](int which, int b, int t, int h, int d) {
        const int at = h * 3 * D + which * D + d, column = at % shape.C, third = at / shape.C;
        const Heads& of = third == 0 ? query : third == 1 ? key : value;
        return of(b, t, column / D, column % D);
      };
      return by(
          seen,
          [&](int b, int h, int i, int j, int d) {
            return part(0, b, i, h, d) * part(1, b, j, h, d);
          },
          scale);
    });
    trial.looks_like("time_before_heads", "scores",
                     [&] { return mistakes03::time_before_heads(by(seen, right, scale), shape); });
    trial.looks_like("first_square_only", "scores", [&] {
      Matrix<double> wrong = by(seen, right, scale);
      wrong.bottomRows(wrong.rows() - T).setConstant(kNotANumber);
      return wrong;
    });
    trial.looks_like("masked_unwritten", "scores", [&]() -> Matrix<double> {
      return by(seen, right, scale).unaryExpr([](double score) {
        return score == -kInfinity ? kNotANumber : score;
      });
    });
  }));
}

TEST(Lesson03, Exercise2) {
  EXPECT_TRUE(exercise("03.2", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int T = shape.T;
    std::vector<float> scores =
        it.floats(reference::attention_scores(it.random_qkv(trial, 3), shape));
    // Only the differences within a row count: some rows are far from 0.
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const float offsets[] = {0, 200, -200};
      scores[i] += offsets[i / static_cast<std::size_t>(T) % 3];
    }
    const float* scores_device = trial.input("scores", it.square_axes, scores);
    float* weights = trial.output("weights", it.square_axes);
    trial.run(
        [&](const Launch& launch) { lesson03::softmax(scores_device, weights, shape, launch); });
    trial.expect("weights", [&]<typename Scalar>(Scalar) {
      return reference::softmax(it.square_matrix<Scalar>(scores));
    });

    const Squares score(scores, shape);
    const auto largest = [&](int b, int h, int i) {
      double most = -kInfinity;
      for (int j = 0; j < T; ++j) most = std::max(most, score(b, h, i, j));
      return most;
    };
    // The exponential, and its sum over the row's j for which `counts` holds.
    const auto e = [&](int b, int h, int i, int j) {
      return std::exp(score(b, h, i, j) - largest(b, h, i));
    };
    const auto e_sum = [&](int b, int h, int i, const auto& counts) {
      return sum(0, T, [&](int j) { return counts(j) ? e(b, h, i, j) : 0.0; });
    };
    trial.looks_like("no_maximum", "weights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        float total = 0;
        for (int k = 0; k < T; ++k) total += std::exp(static_cast<float>(score(b, h, i, k)));
        return static_cast<double>(std::exp(static_cast<float>(score(b, h, i, j))) / total);
      });
    });
    trial.looks_like("from_zero", "weights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        const auto most = static_cast<float>(std::max(0.0, largest(b, h, i)));
        float total = 0;
        for (int k = 0; k < T; ++k) total += std::exp(static_cast<float>(score(b, h, i, k)) - most);
        return static_cast<double>(std::exp(static_cast<float>(score(b, h, i, j)) - most) / total);
      });
    });
    trial.looks_like("not_divided", "weights", [&] { return squares(shape, e); });
    trial.looks_like("wrong_axis", "weights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        double most = -kInfinity;
        for (int k = 0; k < T; ++k) most = std::max(most, score(b, h, k, j));
        return std::exp(score(b, h, i, j) - most) /
               sum(0, T, [&](int k) { return std::exp(score(b, h, k, j) - most); });
      });
    });
    trial.looks_like("first_round", "weights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        if (j >= 32) return kNotANumber;
        return e(b, h, i, j) / e_sum(b, h, i, [](int k) { return k < 32; });
      });
    });
    trial.looks_like("sum_of_one_lane", "weights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        return e(b, h, i, j) / e_sum(b, h, i, [&](int k) { return k % 32 == j % 32; });
      });
    });
    trial.looks_like("maximum_of_one_lane", "weights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        const auto own = [&](int k) {
          double most = -kInfinity;
          for (int other = k % 32; other < T; other += 32) {
            most = std::max(most, score(b, h, i, other));
          }
          return std::exp(score(b, h, i, k) - most);
        };
        return own(j) / sum(0, T, own);
      });
    });
    trial.looks_like("masked_unwritten", "weights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        if (shape.causal && j > i) return kNotANumber;
        return e(b, h, i, j) / e_sum(b, h, i, [](int) { return true; });
      });
    });
  }));
}

TEST(Lesson03, Exercise3) {
  EXPECT_TRUE(exercise("03.3", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int T = shape.T;
    const auto qkv = trial.random().numbers(3 * it.numbers);
    const auto weights = it.random_weights(trial);
    const float* weights_device = trial.input("weights", it.square_axes, weights);
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    float* out = trial.output("out", it.row_axes);
    trial.run([&](const Launch& launch) {
      lesson03::weighted_sum(weights_device, qkv_device, out, shape, launch);
    });
    const auto expected = [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
      return reference::mixed<Scalar>(it.square_matrix<Scalar>(weights),
                                      reference::third_of(it.qkv_matrix<Scalar>(qkv), shape, 2),
                                      shape, false);
    };
    trial.expect("out", expected);

    const Squares weight(weights, shape);
    const Heads query = it.queries(qkv), key = it.keys(qkv), value = it.values(qkv);
    const auto by = [&](const auto& term) {
      return rows(shape, [&](int b, int i, int h, int d) {
        return sum(0, T, [&](int j) { return term(b, i, h, d, j); });
      });
    };
    const auto right = [&](int b, int i, int h, int d, int j) {
      return weight(b, h, i, j) * value(b, j, h, d);
    };
    trial.looks_like("keys", "out", [&] {
      return by(
          [&](int b, int i, int h, int d, int j) { return weight(b, h, i, j) * key(b, j, h, d); });
    });
    trial.looks_like("queries", "out", [&] {
      return by([&](int b, int i, int h, int d, int j) {
        return weight(b, h, i, j) * query(b, j, h, d);
      });
    });
    // Over all of the column, or up to the diagonal, as the row is.
    for (const bool to_diagonal : {false, true}) {
      trial.looks_like("transposed", "out", [&] {
        return by([&](int b, int i, int h, int d, int j) {
          const bool counts = !shape.causal || !to_diagonal || j <= i;
          return counts ? weight(b, h, j, i) * value(b, j, h, d) : 0;
        });
      });
    }
    for (const Heads& values : mistakes03::in_rows_of_C(qkv, shape, 2)) {
      trial.looks_like("rows_of_C", "out", [&] {
        return by([&](int b, int i, int h, int d, int j) {
          return weight(b, h, i, j) * values(b, j, h, d);
        });
      });
    }
    trial.looks_like("head_zero", "out", [&] {
      return by([&](int b, int i, int h, int d, int j) {
        return weight(b, 0, i, j) * value(b, j, h, d);
      });
    });
    trial.looks_like("head_by_remainder", "out", [&] {
      return by([&](int b, int i, int h, int d, int j) {
        return weight(b, (h * it.D + d) % shape.H, i, j) * value(b, j, h, d);
      });
    });
    trial.looks_like("values_of_head_zero", "out", [&] {
      return by([&](int b, int i, int h, int d, int j) {
        return weight(b, h, i, j) * value(b, j, 0, d);
      });
    });
    trial.looks_like("batch_ignored", "out", [&] {
      return by([&](int b, int i, int h, int d, int j) {
        return weight(b, h, i, j) * value(0, j, h, d);
      });
    });
    trial.looks_like("weights_of_sequence_zero", "out", [&] {
      return by([&](int b, int i, int h, int d, int j) {
        return weight(0, h, i, j) * value(b, j, h, d);
      });
    });
    trial.looks_like("itself_missing", "out", [&] {
      return by([&](int b, int i, int h, int d, int j) {
        return shape.causal && j == i ? 0 : right(b, i, h, d, j);
      });
    });
    trial.looks_like("always_masked", "out", [&] {
      return by(
          [&](int b, int i, int h, int d, int j) { return j > i ? 0 : right(b, i, h, d, j); });
    });
    trial.looks_like("heads_before_time", "out",
                     [&] { return mistakes03::heads_before_time(by(right), shape); });
  }));
}

}  // namespace
}  // namespace andrea
