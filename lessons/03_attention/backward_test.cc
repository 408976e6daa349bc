// 03.4 to 03.7: the same steps, backward.

#include <cmath>
#include <string>
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
using mistakes03::only_third;
using mistakes03::queries_and_keys;
using mistakes03::rows;
using mistakes03::Squares;
using mistakes03::squares;
using mistakes03::sum;
using reference::Matrix;

TEST(Lesson03, Exercise4) {
  EXPECT_TRUE(exercise("03.4", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int T = shape.T;
    const auto dout = trial.random().numbers(it.numbers);
    const auto weights = it.random_weights(trial);
    const float* weights_device = trial.input("weights", it.square_axes, weights);
    const float* dout_device = trial.input("dout", it.row_axes, dout);
    const auto before = it.stale_but(trial, {0, 1});
    float* dqkv = trial.prefilled("dqkv", it.qkv_axes, before);
    trial.run([&](const Launch& launch) {
      lesson03::value_gradient(weights_device, dout_device, dqkv, shape, launch);
    });
    trial.expect(
        "dqkv",
        [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
          const Matrix<Scalar> dvalue = reference::mixed<Scalar>(
              it.square_matrix<Scalar>(weights), it.row_matrix<Scalar>(dout), shape, true);
          return only_third(before, dvalue.template cast<double>(), 2).template cast<Scalar>();
        },
        T);

    const Squares weight(weights, shape);
    const Heads d_out = it.heads(dout);
    const auto by = [&](int third, const auto& term) {
      return only_third(
          before,
          rows(shape, [&](int b, int j, int h,
                          int d) { return sum(0, T, [&](int i) { return term(b, j, h, d, i); }); }),
          third);
    };
    const auto right = [&](int b, int j, int h, int d, int i) {
      return weight(b, h, i, j) * d_out(b, i, h, d);
    };
    // Before the next one, which is the same where there is a mask.
    trial.looks_like("earlier_queries", "dqkv", [&] {
      return by(2, [&](int b, int j, int h, int d, int i) {
        return shape.causal && i > j ? 0 : right(b, j, h, d, i);
      });
    });
    // Along all of the row, or from the diagonal on, as the column is.
    for (const bool from_diagonal : {false, true}) {
      trial.looks_like("not_transposed", "dqkv", [&] {
        return by(2, [&](int b, int j, int h, int d, int i) {
          const bool counts = !shape.causal || !from_diagonal || i >= j;
          return counts ? weight(b, h, j, i) * d_out(b, i, h, d) : 0;
        });
      });
    }
    trial.looks_like("rows_of_C", "dqkv", [&] {
      const Matrix<double> held = it.qkv_matrix<double>(before);
      const Matrix<double> part = by(2, right).rightCols(shape.C);
      return mistakes03::part_in_rows_of_C(held, part, 2);
    });
    trial.looks_like("dout_of_j", "dqkv", [&] {
      return by(2, [&](int b, int j, int h, int d, int i) {
        return weight(b, h, i, j) * d_out(b, j, h, d);
      });
    });
    trial.looks_like("head_by_remainder", "dqkv", [&] {
      return by(2, [&](int b, int j, int h, int d, int i) {
        return weight(b, (h * it.D + d) % shape.H, i, j) * d_out(b, i, h, d);
      });
    });
    trial.looks_like("third_of_queries", "dqkv", [&] { return by(0, right); });
    trial.looks_like("third_of_keys", "dqkv", [&] { return by(1, right); });
    trial.looks_like("head_zero", "dqkv", [&] {
      return by(2, [&](int b, int j, int h, int d, int i) {
        return weight(b, 0, i, j) * d_out(b, i, h, d);
      });
    });
    trial.looks_like("batch_ignored", "dqkv", [&] {
      return by(2, [&](int b, int j, int h, int d, int i) {
        return weight(b, h, i, j) * d_out(0, i, h, d);
      });
    });
    trial.looks_like("weights_of_sequence_zero", "dqkv", [&] {
      return by(2, [&](int b, int j, int h, int d, int i) {
        return weight(0, h, i, j) * d_out(b, i, h, d);
      });
    });
    trial.looks_like("itself_missing", "dqkv", [&] {
      return by(2, [&](int b, int j, int h, int d, int i) {
        return shape.causal && i == j ? 0 : right(b, j, h, d, i);
      });
    });
    trial.looks_like("always_masked", "dqkv", [&] {
      return by(
          2, [&](int b, int j, int h, int d, int i) { return i < j ? 0 : right(b, j, h, d, i); });
    });
  }));
}

TEST(Lesson03, Exercise5) {
  EXPECT_TRUE(exercise("03.5", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int D = it.D;
    const auto dout = trial.random().numbers(it.numbers);
    const auto qkv = trial.random().numbers(3 * it.numbers);
    const float* dout_device = trial.input("dout", it.row_axes, dout);
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    float* dweights = trial.output("dweights", it.square_axes);
    trial.run([&](const Launch& launch) {
      lesson03::weight_gradient(dout_device, qkv_device, dweights, shape, launch);
    });
    trial.expect(
        "dweights",
        [&]<typename Scalar>(Scalar) {
          return reference::dot_products<Scalar>(
              it.row_matrix<Scalar>(dout),
              reference::third_of(it.qkv_matrix<Scalar>(qkv), shape, 2), shape, Scalar{0});
        },
        D);

    const Heads query = it.queries(qkv), key = it.keys(qkv), value = it.values(qkv);
    const Heads d_out = it.heads(dout);
    const auto by = [&](const auto& product, double masked = 0, double factor = 1) {
      return squares(shape, [&](int b, int h, int i, int j) {
        if (shape.causal && j > i) return masked;
        return factor * sum(0, D, [&](int d) { return product(b, h, i, j, d); });
      });
    };
    const auto right = [&](int b, int h, int i, int j, int d) {
      return d_out(b, i, h, d) * value(b, j, h, d);
    };
    trial.looks_like("exchanged", "dweights", [&] {
      return by(
          [&](int b, int h, int i, int j, int d) { return d_out(b, j, h, d) * value(b, i, h, d); });
    });
    trial.looks_like("key_for_value", "dweights", [&] {
      return by(
          [&](int b, int h, int i, int j, int d) { return d_out(b, i, h, d) * key(b, j, h, d); });
    });
    trial.looks_like("query_for_value", "dweights", [&] {
      return by(
          [&](int b, int h, int i, int j, int d) { return d_out(b, i, h, d) * query(b, j, h, d); });
    });
    trial.looks_like("head_zero", "dweights", [&] {
      return by(
          [&](int b, int, int i, int j, int d) { return d_out(b, i, 0, d) * value(b, j, 0, d); });
    });
    trial.looks_like("batch_ignored", "dweights", [&] {
      return by(
          [&](int, int h, int i, int j, int d) { return d_out(0, i, h, d) * value(0, j, h, d); });
    });
    for (const Heads& values : mistakes03::in_rows_of_C(qkv, shape, 2)) {
      trial.looks_like("rows_of_C", "dweights", [&] {
        return by([&](int b, int h, int i, int j, int d) {
          return d_out(b, i, h, d) * values(b, j, h, d);
        });
      });
    }
    trial.looks_like("scaled", "dweights", [&] { return by(right, 0, 1 / std::sqrt(D)); });
    trial.looks_like("always_masked", "dweights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        return j > i ? 0 : sum(0, D, [&](int d) { return right(b, h, i, j, d); });
      });
    });
    trial.looks_like("first_square_only", "dweights", [&] {
      Matrix<double> wrong = by(right);
      wrong.bottomRows(wrong.rows() - shape.T).setConstant(kNotANumber);
      return wrong;
    });
    trial.looks_like("masked_unwritten", "dweights", [&] { return by(right, kNotANumber); });
    trial.looks_like("masked_infinity", "dweights", [&] { return by(right, -kInfinity); });
    trial.looks_like("no_mask", "dweights", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        return sum(0, D, [&](int d) { return right(b, h, i, j, d); });
      });
    });
  }));
}

TEST(Lesson03, Exercise6) {
  EXPECT_TRUE(exercise("03.6", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int T = shape.T;
    trial.need(T > 1);  // a single weight is always 1
    const auto weights = it.random_weights(trial);
    auto dweights = trial.random().numbers(static_cast<std::int64_t>(weights.size()), 3);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == 0) dweights[i] = 0;  // masked
    }
    const float* weights_device = trial.input("weights", it.square_axes, weights);
    const float* dweights_device = trial.input("dweights", it.square_axes, dweights);
    float* dscores = trial.output("dscores", it.square_axes);
    trial.run([&](const Launch& launch) {
      lesson03::softmax_backward(weights_device, dweights_device, dscores, shape, launch);
    });
    trial.expect(
        "dscores",
        [&]<typename Scalar>(Scalar) {
          return reference::softmax_backward(it.square_matrix<Scalar>(weights),
                                             it.square_matrix<Scalar>(dweights));
        },
        3);

    const Squares weight(weights, shape), dweight(dweights, shape);
    const auto product = [&](int b, int h, int i, int j) {
      return weight(b, h, i, j) * dweight(b, h, i, j);
    };
    const auto by = [&](const auto& row_sum) {
      return squares(shape, [&](int b, int h, int i, int j) {
        return weight(b, h, i, j) * (dweight(b, h, i, j) - row_sum(b, h, i, j));
      });
    };
    trial.looks_like("no_row_sum", "dscores", [&] { return squares(shape, product); });
    trial.looks_like("unweighted_sum", "dscores", [&] {
      return by([&](int b, int h, int i, int) {
        return sum(0, T, [&](int k) { return dweight(b, h, i, k); });
      });
    });
    trial.looks_like("plain_mean", "dscores", [&] {
      return by([&](int b, int h, int i, int) {
        return sum(0, T, [&](int k) { return dweight(b, h, i, k); }) / T;
      });
    });
    trial.looks_like("divided_by_t", "dscores", [&] {
      return by([&](int b, int h, int i, int) {
        return sum(0, T, [&](int k) { return product(b, h, i, k); }) / T;
      });
    });
    trial.looks_like("sum_only", "dscores", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        return weight(b, h, i, j) * sum(0, T, [&](int k) { return product(b, h, i, k); });
      });
    });
    trial.looks_like("column_sum", "dscores", [&] {
      return by([&](int b, int h, int, int j) {
        return sum(0, T, [&](int k) { return product(b, h, k, j); });
      });
    });
    trial.looks_like("sum_of_one_lane", "dscores", [&] {
      return by([&](int b, int h, int i, int j) {
        return sum(0, T, [&](int k) { return k % 32 == j % 32 ? product(b, h, i, k) : 0; });
      });
    });
    // Without the others, a shuffle gives lane 0 its own number, which is doubled five times.
    trial.looks_like("sum_in_a_branch", "dscores", [&] {
      return by([&](int b, int h, int i, int j) {
        return (j % 32 == 0 ? 32 : 1) *
               sum(0, T, [&](int k) { return k % 32 == j % 32 ? product(b, h, i, k) : 0; });
      });
    });
    trial.looks_like("no_weight", "dscores", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        return dweight(b, h, i, j) - sum(0, T, [&](int k) { return product(b, h, i, k); });
      });
    });
    trial.looks_like("weights_for_dweights", "dscores", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        return weight(b, h, i, j) * (weight(b, h, i, j) - sum(0, T, [&](int k) {
                                       return weight(b, h, i, k) * weight(b, h, i, k);
                                     }));
      });
    });
    trial.looks_like("added", "dscores", [&] {
      return by([&](int b, int h, int i, int) {
        return -sum(0, T, [&](int k) { return product(b, h, i, k); });
      });
    });
    trial.looks_like("own_slope_only", "dscores", [&] {
      return squares(shape, [&](int b, int h, int i, int j) {
        return product(b, h, i, j) * (1 - weight(b, h, i, j));
      });
    });
  }));
}

TEST(Lesson03, Exercise7) {
  EXPECT_TRUE(exercise("03.7", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const int T = shape.T, D = it.D;
    const auto qkv = trial.random().numbers(3 * it.numbers);
    auto dscores = it.random_weights(trial);  // as large, and 0 where masked
    for (float& number : dscores) number *= trial.random().numbers(1, 2)[0];
    const float* dscores_device = trial.input("dscores", it.square_axes, dscores);
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    const auto before = it.stale_but(trial, {2});
    float* dqkv = trial.prefilled("dqkv", it.qkv_axes, before);
    trial.run([&](const Launch& launch) {
      lesson03::query_and_key_gradients(dscores_device, qkv_device, dqkv, shape, launch);
    });
    trial.expect(
        "dqkv",
        [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
          const Matrix<Scalar> all = it.qkv_matrix<Scalar>(qkv);
          const Matrix<Scalar> square = it.square_matrix<Scalar>(dscores);
          const Scalar scale = reference::attention_scale<Scalar>(shape);
          const Matrix<Scalar> dquery =
              scale *
              reference::mixed<Scalar>(square, reference::third_of(all, shape, 1), shape, false);
          const Matrix<Scalar> dkey =
              scale *
              reference::mixed<Scalar>(square, reference::third_of(all, shape, 0), shape, true);
          return queries_and_keys(before, dquery.template cast<double>(),
                                  dkey.template cast<double>())
              .template cast<Scalar>();
        },
        T);

    const Squares dscore(dscores, shape);
    const Heads query = it.queries(qkv), key = it.keys(qkv);
    const double scale = 1 / std::sqrt(D);
    // The sum over k of term(b, t, h, d, k), of each third.
    const auto part = [&](double factor, const auto& term) {
      return rows(shape, [&](int b, int t, int h, int d) {
        return factor * sum(0, T, [&](int k) { return term(b, t, h, d, k); });
      });
    };
    const auto of_query = [&](int b, int i, int h, int d, int j) {
      return dscore(b, h, i, j) * key(b, j, h, d);
    };
    const auto of_key = [&](int b, int j, int h, int d, int i) {
      return dscore(b, h, i, j) * query(b, i, h, d);
    };
    const auto both = [&](double query_factor, double key_factor) {
      return queries_and_keys(before, part(query_factor, of_query), part(key_factor, of_key));
    };
    trial.looks_like("no_scale", "dqkv", [&] { return both(1, 1); });
    trial.looks_like("queries_without_scale", "dqkv", [&] { return both(1, scale); });
    trial.looks_like("keys_without_scale", "dqkv", [&] { return both(scale, 1); });
    trial.looks_like("scale_twice", "dqkv", [&] { return both(scale * scale, scale * scale); });
    trial.looks_like("scale_of_width", "dqkv", [&] {
      const double of_width = 1 / std::sqrt(shape.C);
      return both(of_width, of_width);
    });
    const auto seen_keys = [&](int b, int i, int h, int d, int j) {
      return j > i ? 0 : of_query(b, i, h, d, j);
    };
    const auto seeing_queries = [&](int b, int j, int h, int d, int i) {
      return i < j ? 0 : of_key(b, j, h, d, i);
    };
    trial.looks_like("always_masked", "dqkv", [&] {
      return queries_and_keys(before, part(scale, seen_keys), part(scale, seeing_queries));
    });
    trial.looks_like("queries_always_masked", "dqkv", [&] {
      return queries_and_keys(before, part(scale, seen_keys), part(scale, of_key));
    });
    trial.looks_like("keys_always_masked", "dqkv", [&] {
      return queries_and_keys(before, part(scale, of_query), part(scale, seeing_queries));
    });
    trial.looks_like("swapped", "dqkv", [&] {
      return queries_and_keys(before, part(scale, of_key), part(scale, of_query));
    });
    // The gradient of the keys in another's third; the other kernel has written before.
    for (const int third : {0, 2}) {
      const std::string mistake =
          third == 0 ? "keys_in_third_of_queries" : "keys_in_third_of_values";
      trial.looks_like(mistake, "dqkv", [&] {
        Matrix<double> wrong = only_third(before, part(scale, of_query), 0);
        wrong.middleCols(third * shape.C, shape.C) = part(scale, of_key);
        return wrong;
      });
    }
    for (const bool of_queries : {true, false}) {
      for (const bool of_keys : {true, false}) {
        if (!of_queries && !of_keys) continue;
        trial.looks_like("rows_of_C", "dqkv", [&] {
          const Matrix<double> dquery = part(scale, of_query), dkey = part(scale, of_key);
          const Matrix<double> held = it.qkv_matrix<double>(before);
          const Matrix<double> first = of_queries ? mistakes03::part_in_rows_of_C(held, dquery, 0)
                                                  : only_third(before, dquery, 0);
          if (of_keys) return mistakes03::part_in_rows_of_C(first, dkey, 1);
          Matrix<double> wrong = first;
          wrong.middleCols(shape.C, shape.C) = dkey;
          return wrong;
        });
      }
    }
    // [j, i] in place of [i, j] in both kernels, whose loops end, or do not, at the diagonal.
    for (const bool to_diagonal : {true, false}) {
      const auto both_transposed = [&](double factor) {
        const auto counts = [&](int i, int j) { return !shape.causal || !to_diagonal || j <= i; };
        return queries_and_keys(before,
                                part(factor,
                                     [&](int b, int i, int h, int d, int j) {
                                       return counts(i, j) ? dscore(b, h, j, i) * key(b, j, h, d)
                                                           : 0;
                                     }),
                                part(factor, [&](int b, int j, int h, int d, int i) {
                                  return counts(i, j) ? dscore(b, h, j, i) * query(b, i, h, d) : 0;
                                }));
      };
      trial.looks_like("both_transposed", "dqkv", [&] { return both_transposed(scale); });
      trial.looks_like("both_transposed_no_scale", "dqkv", [&] { return both_transposed(1); });
    }
    trial.looks_like("queries_for_keys", "dqkv", [&] {
      return queries_and_keys(
          before,
          part(scale, [&](int b, int i, int h, int d,
                          int j) { return dscore(b, h, i, j) * query(b, j, h, d); }),
          part(scale, of_key));
    });
    trial.looks_like("keys_for_queries", "dqkv", [&] {
      return queries_and_keys(before, part(scale, of_query),
                              part(scale, [&](int b, int j, int h, int d, int i) {
                                return dscore(b, h, i, j) * key(b, i, h, d);
                              }));
    });
    // One of them alone, whose loop goes over all positions, or begins or ends at the diagonal.
    for (const bool at_diagonal : {false, true}) {
      const auto counts = [&](int i, int j) { return !shape.causal || !at_diagonal || j <= i; };
      trial.looks_like("keys_not_transposed", "dqkv", [&] {
        return queries_and_keys(before, part(scale, of_query),
                                part(scale, [&](int b, int j, int h, int d, int i) {
                                  return counts(i, j) ? dscore(b, h, j, i) * query(b, i, h, d) : 0;
                                }));
      });
      trial.looks_like("queries_transposed", "dqkv", [&] {
        return queries_and_keys(before,
                                part(scale,
                                     [&](int b, int i, int h, int d, int j) {
                                       return counts(i, j) ? dscore(b, h, j, i) * key(b, j, h, d)
                                                           : 0;
                                     }),
                                part(scale, of_key));
      });
    }
    // The rows of qkv: those of the keys, of the queries, or both.
    std::vector<Heads> queries = mistakes03::in_rows_of_C(qkv, shape, 0);
    std::vector<Heads> keys = mistakes03::in_rows_of_C(qkv, shape, 1);
    queries.push_back(query), keys.push_back(key);
    for (const Heads& of_queries : queries) {
      for (const Heads& of_keys : keys) {
        if (&of_queries == &queries.back() && &of_keys == &keys.back()) continue;
        trial.looks_like("reads_rows_of_C", "dqkv", [&] {
          return queries_and_keys(
              before,
              part(scale, [&](int b, int i, int h, int d,
                              int j) { return dscore(b, h, i, j) * of_keys(b, j, h, d); }),
              part(scale, [&](int b, int j, int h, int d, int i) {
                return dscore(b, h, i, j) * of_queries(b, i, h, d);
              }));
        });
      }
    }
    trial.looks_like("head_zero", "dqkv", [&] {
      return queries_and_keys(
          before,
          part(scale, [&](int b, int i, int h, int d,
                          int j) { return dscore(b, 0, i, j) * key(b, j, h, d); }),
          part(scale, [&](int b, int j, int h, int d, int i) {
            return dscore(b, 0, i, j) * query(b, i, h, d);
          }));
    });
    trial.looks_like("batch_ignored", "dqkv", [&] {
      return queries_and_keys(
          before,
          part(scale, [&](int b, int i, int h, int d,
                          int j) { return dscore(b, h, i, j) * key(0, j, h, d); }),
          part(scale, [&](int b, int j, int h, int d, int i) {
            return dscore(b, h, i, j) * query(0, i, h, d);
          }));
    });
  }));
}

}  // namespace
}  // namespace andrea
