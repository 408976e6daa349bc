#include "exam/x03_sliding_window/kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "exam/x03_sliding_window/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using exam03::WindowShape;
using reference::Matrix;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// C is H * D. Windows of one key, of several, of more than there are.
const std::vector<std::string> kNames = {"B", "T", "H", "D", "W"};
const std::vector<std::vector<int>> kSizes = {
    {1, 1, 1, 1, 1},   {1, 2, 1, 2, 2},   {1, 3, 2, 2, 2},  {2, 3, 3, 2, 5},  {1, 9, 3, 4, 3},
    {2, 33, 2, 3, 31}, {1, 97, 1, 5, 33}, {2, 5, 3, 43, 1}, {1, 70, 2, 2, 65}};

struct WindowCase {
  explicit WindowCase(const Trial& trial) {
    const auto [B, T, H, head_size, W] = trial.sizes<5>();
    shape = {B, T, H * head_size, H, W};
    D = head_size, C = shape.C, N = B * T;
    qkv_axes = {{"b", B}, {"t", T}, {"third", 3}, {"h", H}, {"d", D}};
    row_axes = {{"b", B}, {"t", T}, {"h", H}, {"d", D}};
    weight_axes = {{"b", B}, {"h", H}, {"i", T}, {"w", W}};
  }

  template <typename Scalar>
  Matrix<Scalar> qkv(const std::vector<float>& numbers) const {
    return as_matrix<Scalar>(numbers, N, 3 * C);
  }
  template <typename Scalar>
  Matrix<Scalar> weights(const std::vector<float>& numbers) const {
    return as_matrix<Scalar>(numbers, shape.B * shape.H * shape.T, shape.W);
  }
  // Rows that add up to 1, 0 before the sequence's begin.
  std::vector<float> random_weights(Trial& trial) const {
    const Matrix<float> numbers = reference::window_weights(
        qkv<float>(trial.random().numbers(std::int64_t{3} * N * C, 2)), shape);
    return {numbers.data(), numbers.data() + numbers.size()};
  }

  WindowShape shape;
  int D, C, N;
  Axes qkv_axes, row_axes, weight_axes;
};

TEST(Exam03, Exercise1) {
  EXPECT_TRUE(exercise("x03.1", kNames, kSizes, [](Trial& trial) {
    const WindowCase it(trial);
    const int T = it.shape.T, W = it.shape.W, D = it.D, C = it.C;
    // In every third row scores whose exponentials no float holds.
    auto qkv = trial.random().numbers(std::int64_t{3} * it.N * C, 2);
    for (std::size_t i = 0; i < qkv.size(); ++i) {
      if (i / static_cast<std::size_t>(3 * C) % 3 == 1) qkv[i] *= 16;
    }
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    float* weights = trial.output("weights", it.weight_axes);
    trial.run([&](const Launch& launch) {
      exam03::window_weights(qkv_device, weights, it.shape, launch);
    });
    trial.expect(
        "weights",
        [&]<typename Scalar>(Scalar) {
          return reference::window_weights(it.qkv<Scalar>(qkv), it.shape);
        },
        8 * D);

    const Matrix<double> all = it.qkv<double>(qkv);
    const Matrix<double> right = reference::window_weights(all, it.shape);
    struct Way {
      double scale;
      int part = 1;             // of qkv: the keys
      bool itself = true;       // slot 0 is the query's own key, else the one before
      bool counts_all = false;  // slots without a key as scores of 0
      bool subtracts = true;    // the largest score
      bool divides = true;      // by the sum
    };
    const double root = std::sqrt(static_cast<double>(D));
    const auto by = [&](const Way& way) {
      Matrix<double> wrong = Matrix<double>::Zero(right.rows(), W);
      reference::for_each_query(it.shape, [&](int b, int, int i, int row, int column) {
        const int first = way.itself ? 0 : 1, keys = std::min(W, i + 1 - first);
        const int slots = way.counts_all ? W : keys;
        std::vector<double> scores(static_cast<std::size_t>(slots), 0.0);
        for (int w = 0; w < keys; ++w) {
          scores[static_cast<std::size_t>(w)] =
              way.scale * all.row(b * T + i).segment(column, D).dot(
                              all.row(b * T + i - w - first).segment(way.part * C + column, D));
        }
        const double largest = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
        float sum = 0;  // a float, which overflows
        std::vector<float> powers;
        for (const double score : scores) {
          powers.push_back(std::exp(static_cast<float>(way.subtracts ? score - largest : score)));
          sum += powers.back();
        }
        for (int w = 0; w < slots; ++w) {
          wrong(row, w) = static_cast<double>(powers[static_cast<std::size_t>(w)]) /
                          (way.divides ? static_cast<double>(sum) : 1.0);
        }
        if (scores.empty()) wrong.row(row).setConstant(0);
      });
      return wrong;
    };
    const auto looks_like = [&](const std::string& name, const Way& way) {
      trial.looks_like(name, "weights", [&] { return by(way); });
    };
    looks_like("no_scale", {.scale = 1});
    looks_like("scale_of_width", {.scale = 1 / std::sqrt(static_cast<double>(C))});
    looks_like("divided_by_d", {.scale = 1.0 / D});
    looks_like("query_for_key", {.scale = 1 / root, .part = 0});
    looks_like("value_for_key", {.scale = 1 / root, .part = 2});
    looks_like("not_itself", {.scale = 1 / root, .itself = false});
    looks_like("no_key_counted", {.scale = 1 / root, .counts_all = true});
    looks_like("no_maximum", {.scale = 1 / root, .subtracts = false});
    looks_like("not_divided", {.scale = 1 / root, .divides = false});
    trial.looks_like("unwritten", "weights", [&] {
      Matrix<double> wrong = right;
      reference::for_each_query(it.shape, [&](int, int, int i, int row, int) {
        if (i + 1 < W) wrong.row(row).tail(W - i - 1).setConstant(kNotANumber);
      });
      return wrong;
    });
  }));
}

TEST(Exam03, Exercise2) {
  EXPECT_TRUE(exercise("x03.2", kNames, kSizes, [](Trial& trial) {
    const WindowCase it(trial);
    const int T = it.shape.T, W = it.shape.W, D = it.D, C = it.C;
    const auto weights = it.random_weights(trial);
    const auto qkv = trial.random().numbers(std::int64_t{3} * it.N * C);
    const float* weights_device = trial.input("weights", it.weight_axes, weights);
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    float* out = trial.output("out", it.row_axes);
    trial.run([&](const Launch& launch) {
      exam03::window_sum(weights_device, qkv_device, out, it.shape, launch);
    });
    trial.expect(
        "out",
        [&]<typename Scalar>(Scalar) {
          return reference::window_sum(it.weights<Scalar>(weights), it.qkv<Scalar>(qkv), it.shape);
        },
        2);

    const Matrix<double> all = it.qkv<double>(qkv), given = it.weights<double>(weights);
    // The sum over the window of weight(b, h, i, w) times the row and the third that `taken` says.
    const auto by = [&](const auto& weight, const auto& row_of_slot, int third) {
      Matrix<double> wrong = Matrix<double>::Zero(it.N, C);
      reference::for_each_query(it.shape, [&](int b, int h, int i, int, int column) {
        for (int w = 0; w < std::min(W, i + 1); ++w) {
          wrong.row(b * T + i).segment(column, D) +=
              weight(b, h, i, w) *
              all.row(b * T + row_of_slot(i, w)).segment(third * C + column, D);
        }
      });
      return wrong;
    };
    const auto own = [&](int b, int h, int i, int w) {
      return given((b * it.shape.H + h) * T + i, w);
    };
    const auto back = [](int i, int w) { return i - w; };
    const auto looks_like = [&](const std::string& name, const auto&... how) {
      trial.looks_like(name, "out", [&] { return by(how...); });
    };
    looks_like(
        "slot_as_key", own, [](int, int w) { return w; }, 2);
    looks_like(
        "own_value", own, [](int i, int) { return i; }, 2);
    looks_like("key_for_value", own, back, 1);
    looks_like("query_for_value", own, back, 0);
    looks_like(
        "head_zero", [&](int b, int, int i, int w) { return own(b, 0, i, w); }, back, 2);
    looks_like(
        "last_product",
        [&](int b, int h, int i, int w) {
          return w == std::min(W, i + 1) - 1 ? own(b, h, i, w) : 0.0;
        },
        back, 2);
    looks_like(
        "slots_turned",
        [&](int b, int h, int i, int w) {
          return i + 1 >= W ? own(b, h, i, W - 1 - w) : i - w < W ? own(b, h, i, i - w) : 0;
        },
        back, 2);
  }));
}

TEST(Exam03, Exercise3) {
  EXPECT_TRUE(exercise("x03.3", kNames, kSizes, [](Trial& trial) {
    const WindowCase it(trial);
    const int T = it.shape.T, W = it.shape.W, D = it.D, C = it.C;
    const auto weights = it.random_weights(trial);
    const auto dout = trial.random().numbers(std::int64_t{it.N} * C);
    // The other two thirds are to stay.
    auto before = trial.random().numbers(std::int64_t{3} * it.N * C);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (static_cast<int>(i) % (3 * C) >= 2 * C) before[i] = stale_number();
    }
    const float* weights_device = trial.input("weights", it.weight_axes, weights);
    const float* dout_device = trial.input("dout", it.row_axes, dout);
    float* dqkv = trial.prefilled("dqkv", it.qkv_axes, before);
    trial.run([&](const Launch& launch) {
      exam03::value_gradient(weights_device, dout_device, dqkv, it.shape, launch);
    });
    const auto in_third = [&]<typename Scalar>(const Matrix<Scalar>& dvalue, int third) {
      Matrix<Scalar> all = it.qkv<Scalar>(before);
      all.middleCols(third * C, C) = dvalue;
      return all;
    };
    trial.expect(
        "dqkv",
        [&]<typename Scalar>(Scalar) {
          return in_third.template operator()<Scalar>(
              reference::window_value_gradient(it.weights<Scalar>(weights),
                                               as_matrix<Scalar>(dout, it.N, C), it.shape),
              2);
        },
        2 + W);

    const Matrix<double> given = it.weights<double>(weights),
                         Dout = as_matrix<double>(dout, it.N, C);
    // The sum over the queries j + w of weight(b, h, j, w) times the row of dout that `taken` says.
    const auto by = [&](const auto& weight, const auto& taken) {
      Matrix<double> wrong = Matrix<double>::Zero(it.N, C);
      reference::for_each_query(it.shape, [&](int b, int h, int j, int, int column) {
        for (int w = 0; w < W && j + w < T; ++w) {
          wrong.row(b * T + j).segment(column, D) +=
              weight(b, h, j, w) * Dout.row(b * T + taken(j, w)).segment(column, D);
        }
      });
      return wrong;
    };
    const auto at = [&](int b, int h, int i, int w) {
      return given((b * it.shape.H + h) * T + i, w);
    };
    const auto right = [&](int b, int h, int j, int w) { return at(b, h, j + w, w); };
    const auto behind = [](int j, int w) { return j + w; };
    const auto looks_like = [&](const std::string& name, const auto&... how) {
      trial.looks_like(name, "dqkv",
                       [&] { return in_third.template operator()<double>(by(how...), 2); });
    };
    looks_like(
        "weights_of_j", [&](int b, int h, int j, int w) { return at(b, h, j, w); }, behind);
    looks_like("dout_of_j", right, [](int j, int) { return j; });
    looks_like(
        "weights_and_dout_of_j", [&](int b, int h, int j, int w) { return at(b, h, j, w); },
        [](int j, int) { return j; });
    looks_like(
        "head_zero", [&](int b, int, int j, int w) { return at(b, 0, j + w, w); }, behind);
    looks_like(
        "last_product",
        [&](int b, int h, int j, int w) {
          return w == std::min(W, T - j) - 1 ? at(b, h, j + w, w) : 0.0;
        },
        behind);
    for (const int third : {0, 1}) {
      trial.looks_like("other_third", "dqkv", [&] {
        Matrix<double> wrong = in_third.template operator()<double>(by(right, behind), third);
        wrong.rightCols(C).setConstant(kNotANumber);
        return wrong;
      });
    }
    // As forward goes: the keys before.
    trial.looks_like("backwards", "dqkv", [&] {
      Matrix<double> wrong = Matrix<double>::Zero(it.N, C);
      reference::for_each_query(it.shape, [&](int b, int h, int j, int, int column) {
        for (int w = 0; w < std::min(W, j + 1); ++w) {
          wrong.row(b * T + j).segment(column, D) +=
              at(b, h, j, w) * Dout.row(b * T + j - w).segment(column, D);
        }
      });
      return in_third.template operator()<double>(wrong, 2);
    });
  }));
}

}  // namespace
}  // namespace andrea
