#include "lessons/04_layer_norm/further.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lessons/04_layer_norm/layer_norm_case.h"
#include "lessons/04_layer_norm/mistakes.h"
#include "lessons/04_layer_norm/reference.h"
#include "lessons/04_layer_norm/statistics_case.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes04::kEpsilon;
using mistakes04::Matrix;
using mistakes04::mean_of_rows;
using mistakes04::of_row;
using mistakes04::OfRow;
using mistakes04::rows_times;
using mistakes04::Statistics;
using mistakes04::variance_of;
using mistakes04::Vector;
using simulator::AccessKind;

// What both kernels of a whole layer norm, 04.5 and 04.7, are compared with: the rows that they
// normalise, in either precision.
class Forward {
 public:
  Forward(Trial& trial, int N, int C, bool has_gain, bool has_bias)
      : trial_(trial),
        N_(N),
        C_(C),
        gain_(trial.random().numbers(has_gain ? C : 0, 2)),
        bias_(trial.random().numbers(has_bias ? C : 0, 2)) {
    if (has_gain) gain = trial.input("gain", {{"c", C}}, gain_);
    if (has_bias) bias = trial.input("bias", {{"c", C}}, bias_);
    y = trial.output("y", {{"n", N}, {"c", C}});
    mean = trial.output("mean", {{"n", N}});
    rstd = trial.output("rstd", {{"n", N}});
  }

  // `x` is called with a double and with a float.
  template <typename Rows>
  void expect(const Rows& x) {
    trial_.expect(
        "y",
        [&]<typename Scalar>(Scalar scalar) {
          return reference::layer_norm_forward<Scalar>(x(scalar), as_vector<Scalar>(gain_),
                                                       as_vector<Scalar>(bias_));
        },
        20 + C_ / 16.0);
    trial_.expect(
        "mean",
        [&]<typename Scalar>(Scalar scalar) {
          return reference::row_statistics<Scalar>(x(scalar)).mean;
        },
        5 + C_ / 16.0);
    trial_.expect("rstd", [&]<typename Scalar>(Scalar scalar) {
      return reference::row_statistics<Scalar>(x(scalar)).rstd;
    });
  }

  // All three from other statistics of the rows, gain and bias.
  void looks_like(const std::string& name, const Matrix& x, const Statistics& statistics,
                  bool has_gain = true, bool has_bias = true) {
    trial_.looks_like(name, "y", [&] {
      return reference::with_gain_and_bias<double>(reference::normalised(x, statistics),
                                                   has_gain ? as_vector<double>(gain_) : Vector(),
                                                   has_bias ? as_vector<double>(bias_) : Vector());
    });
    trial_.looks_like(name, "mean", [&] { return statistics.mean; });
    trial_.looks_like(name, "rstd", [&] { return statistics.rstd; });
  }

  // The same, where each group of threads has sums of its own.
  template <typename GroupOf>
  void looks_apart(const std::string& name, const Matrix& x, int groups, const GroupOf& group_of) {
    for (const auto& [means, variances] : mistakes04::kWaysApart) {
      const mistakes04::Apart found = mistakes04::apart(x, groups, group_of, means, variances);
      trial_.looks_like(name, "y", [&] {
        return reference::with_gain_and_bias<double>((x - found.mean).cwiseProduct(found.rstd),
                                                     as_vector<double>(gain_),
                                                     as_vector<double>(bias_));
      });
      trial_.looks_like(name, "mean", [&] { return found.written().mean; });
      trial_.looks_like(name, "rstd", [&] { return found.written().rstd; });
    }
  }

  // What all kernels of a layer norm may get wrong.
  void looks_like_usual(const Matrix& x) {
    const auto end = [&](const std::string& name, const auto& rstd_of) {
      looks_like(name, x, mistakes04::statistics_by(x, [&](const Vector& row) {
                   return OfRow{row.mean(), rstd_of(variance_of(row))};
                 }));
    };
    end("no_epsilon", [](double variance) { return 1 / std::sqrt(variance); });
    end("epsilon_outside", [](double variance) { return 1 / (std::sqrt(variance) + kEpsilon); });
    end("standard_deviation", [](double variance) { return std::sqrt(variance + kEpsilon); });
    end("over_c_minus_1",
        [&](double variance) { return 1 / std::sqrt(variance * C_ / (C_ - 1.0) + kEpsilon); });
    const Statistics right = reference::row_statistics(x);
    looks_like("no_gain", x, right, false, true);
    looks_like("no_bias", x, right, true, false);
    looks_like("no_gain_no_bias", x, right, false, false);
    looks_like("about_zero", x, mistakes04::statistics_by(x, [](const Vector& row) {
                 return of_row(row.mean(), row.array().square().mean());
               }));
  }

  const float* gain = nullptr;
  const float* bias = nullptr;
  float *y, *mean, *rstd;

 private:
  Trial& trial_;
  int N_, C_;
  std::vector<float> gain_, bias_;
};

std::string text(std::uint64_t number) { return std::to_string(number); }

// From global memory, however many at a time.
std::uint64_t loaded_numbers(const simulator::Counters& counters) {
  std::uint64_t bytes = 0;
  for (const simulator::KernelCounters& kernel : counters.kernels()) {
    for (const simulator::LineCounters& line : kernel.lines) {
      if (line.kind == AccessKind::global_load) bytes += line.counters.lanes * line.bytes;
    }
  }
  return bytes / sizeof(float);
}

TEST(Lesson04, Exercise5) {
  const std::vector<std::vector<int>> sizes = {
      {3, 4, 1, 1},   {2, 8, 0, 0},   {5, 124, 1, 0}, {9, 128, 0, 1},
      {4, 132, 1, 1}, {3, 768, 1, 1}, {6, 640, 0, 0}, {2, lesson04::kMaxWidth, 1, 1}};
  EXPECT_TRUE(exercise("04.5", {"N", "C", "gain", "bias"}, sizes, [](Trial& trial) {
    const auto [N, C, has_gain, has_bias] = trial.sizes<4>();
    trial.need(C % 4 == 0);
    const auto x = various_rows(trial.random(), N, C);
    const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    Forward out(trial, N, C, has_gain, has_bias);
    const auto work = [&, N = N, C = C](const Launch& launch) {
      lesson04::layer_norm_by_warps(x_device, out.gain, out.bias, out.y, out.mean, out.rstd, N, C,
                                    launch);
    };
    trial.run(work);
    out.expect([&, N = N, C = C]<typename Scalar>(Scalar) { return as_matrix<Scalar>(x, N, C); });

    const Matrix X = as_matrix<double>(x, N, C);
    out.looks_like_usual(X);
    const auto looks_like = [&](const std::string& name, const auto& formula) {
      out.looks_like(name, X, mistakes04::statistics_by(X, formula));
    };
    // Lane 0 has the numbers 0 to 3, 128 to 131, ...
    out.looks_apart("one_lane", X, 32, [](int c) { return c / 4 % 32; });
    for (const auto& formula : mistakes04::ways_of([](int c) { return c < 128; })) {
      looks_like("one_round", formula);
    }
    // The zeros with which a row is filled up, to the widest or to the last vector begun.
    for (const int filled : {lesson04::kMaxWidth, (C + 127) / 128 * 128}) {
      looks_like("filling_counted", [&](const Vector& row) {
        const double mean = row.mean(), extra = filled - static_cast<double>(row.size());
        return of_row(mean, variance_of(row) + extra * mean * mean / static_cast<double>(C));
      });
    }
    looks_like("vectors_for_numbers", [](const Vector& row) {
      const double mean = 4 * row.mean();
      return of_row(mean, 4 * (row.array() - mean).square().mean());
    });

    if (C % 128 != 0 || has_gain || has_bias) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const simulator::KernelCounters all = counters.total();
    const std::uint64_t numbers = std::uint64_t(N) * C,
                        loads = all.of(AccessKind::global_load).lanes;
    const std::uint64_t loaded = loaded_numbers(counters);
    trial.require(loaded <= numbers, "read_again",
                  {{"loaded", text(loaded)}, {"numbers", text(numbers)}});
    trial.require(loads <= numbers / 4, "one_at_a_time",
                  {{"loads", text(loads)}, {"numbers", text(numbers)}});
    trial.require(all.barriers == 0, "barriers", {{"barriers", text(all.barriers)}});
  }));
}

TEST(Lesson04, Exercise6) {
  const std::vector<std::vector<int>> sizes = {{3, 2},  {1, 3},  {5, 4},   {2, 31},  {5, 32},
                                               {9, 33}, {4, 97}, {3, 129}, {130, 3}, {2, 1025}};
  EXPECT_TRUE(exercise("04.6", {"N", "C"}, sizes, [](Trial& trial) {
    const auto [N, C] = trial.sizes<2>();
    trial.need(C > 1);
    StatisticsCase of(trial, N, C);
    of.run(lesson04::statistics_in_one_pass, 1000);

    of.looks_like_end("no_epsilon", [](double variance) { return 1 / std::sqrt(variance); });
    of.looks_like_end("epsilon_outside",
                      [](double variance) { return 1 / (std::sqrt(variance) + kEpsilon); });
    of.looks_like_end("standard_deviation",
                      [](double variance) { return std::sqrt(variance + kEpsilon); });
    of.looks_like_end("over_c_minus_1", [C = C](double variance) {
      return 1 / std::sqrt(variance * C / (C - 1.0) + kEpsilon);
    });
    of.looks_like_end("squares_not_divided",
                      [C = C](double variance) { return 1 / std::sqrt(variance * C + kEpsilon); });
    // Two lanes without a number meet where at most half of the 32 have one.
    of.looks_like_by("empty_lots", [C = C](const Vector& row) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      return C < 16 ? OfRow{none, none} : of_row(row.mean(), variance_of(row));
    });
    of.looks_like_by("lanes_apart", mistakes04::lanes_apart);
    of.looks_like_by("one_lane", mistakes04::of_lane_0);
    of.looks_like_by("old_mean_twice", mistakes04::old_mean_twice);
    if (C <= 30) return;
    const simulator::Counters counters = trial.counted([&, N = N, C = C](const Launch& launch) {
      lesson04::statistics_in_one_pass(of.x_device, of.mean, of.rstd, N, C, launch);
    });
    if (!counters.counted()) return;
    const std::uint64_t loads = counters.total().of(AccessKind::global_load).lanes;
    const std::uint64_t numbers = std::uint64_t(N) * C;
    trial.require(loads <= numbers, "read_again",
                  {{"loads", text(loads)}, {"numbers", text(numbers)}});
  }));
}

TEST(Lesson04, Exercise7) {
  const std::vector<std::vector<int>> sizes = {{3, 2, 1, 1},   {2, 3, 0, 0},   {5, 31, 1, 0},
                                               {4, 97, 0, 1},  {3, 127, 1, 1}, {6, 256, 0, 0},
                                               {3, 129, 1, 1}, {2, 1025, 1, 1}};
  EXPECT_TRUE(exercise("04.7", {"N", "C", "gain", "bias"}, sizes, [](Trial& trial) {
    const auto [N, C, has_gain, has_bias] = trial.sizes<4>();
    trial.need(C > 1);
    const auto stream = various_rows(trial.random(), N, C);
    auto correction = various_rows(trial.random(), N, C);
    for (float& number : correction) number *= 0.5f;
    const float* stream_device = trial.input("stream", {{"n", N}, {"c", C}}, stream);
    const float* correction_device = trial.input("correction", {{"n", N}, {"c", C}}, correction);
    float* sum = trial.output("sum", {{"n", N}, {"c", C}});
    Forward out(trial, N, C, has_gain, has_bias);
    const auto work = [&, N = N, C = C](const Launch& launch) {
      lesson04::add_and_normalise(stream_device, correction_device, out.gain, out.bias, sum, out.y,
                                  out.mean, out.rstd, N, C, launch);
    };
    trial.run(work);
    // Rounded to float in either precision: it is what the kernel writes, and then normalises.
    const auto x = [&, N = N, C = C]<typename Scalar>(Scalar) -> reference::Matrix<Scalar> {
      return (as_matrix<float>(stream, N, C) + as_matrix<float>(correction, N, C))
          .template cast<Scalar>();
    };
    trial.expect("sum", x);
    out.expect(x);

    const Matrix right = x(double{});
    out.looks_like_usual(right);
    const auto of_other_rows = [&](const std::string& name, const Matrix& rows) {
      trial.looks_like(name, "sum", [&] { return rows; });
      out.looks_like(name, rows, reference::row_statistics(rows));
    };
    const Matrix Stream = as_matrix<double>(stream, N, C);
    const Matrix Correction = as_matrix<double>(correction, N, C);
    of_other_rows("stream_alone", Stream);
    of_other_rows("correction_alone", Correction);
    of_other_rows("subtracted", Stream - Correction);
    out.looks_apart("one_thread", right, 128, [](int c) { return c % 128; });
    out.looks_apart("one_warp", right, 4, [](int c) { return c % 128 / 32; });

    if (C % 128 != 0 || has_gain || has_bias) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const simulator::KernelCounters all = counters.total();
    const std::uint64_t numbers = std::uint64_t(N) * C;
    const std::uint64_t loads = all.of(AccessKind::global_load).lanes;
    const std::uint64_t stores = all.of(AccessKind::global_store).lanes;
    trial.require(loads <= 2 * numbers, "read_again",
                  {{"loads", text(loads)}, {"least", text(2 * numbers)}});
    trial.require(stores <= 2 * numbers + 2 * std::uint64_t(N), "written_again",
                  {{"stores", text(stores)}, {"least", text(2 * numbers + 2 * std::uint64_t(N))}});
  }));
}

TEST(Lesson04, Exercise8) {
  const std::vector<std::vector<int>> sizes = {{3, 2, 1, 0},   {2, 3, 0, 1},   {3, 31, 1, 0},
                                               {5, 32, 1, 1},  {9, 33, 1, 0},  {4, 97, 1, 1},
                                               {3, 129, 0, 0}, {130, 3, 1, 1}, {2, 517, 1, 0}};
  EXPECT_TRUE(exercise("04.8", {"N", "C", "gain", "add"}, sizes, [](Trial& trial) {
    const auto [N, C, has_gain, add] = trial.sizes<4>();
    trial.need(C > 1);
    const Accumulate accumulate = add ? Accumulate::add : Accumulate::overwrite;
    const auto x = various_rows(trial.random(), N, C);
    const auto dy = trial.random().numbers(N * C, 2);
    const auto gain = trial.random().numbers(has_gain ? C : 0, 2);
    const auto exact = reference::root_mean_squares(as_matrix<double>(x, N, C));
    std::vector<float> rrms_before(exact.rstd.begin(), exact.rstd.end());  // backward's input
    const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    const float* dy_device = trial.input("dy", {{"n", N}, {"c", C}}, dy);
    const float* rrms_device = trial.input("rrms of backward", {{"n", N}}, rrms_before);
    const float* gain_device = has_gain ? trial.input("gain", {{"c", C}}, gain) : nullptr;
    float* y = trial.output("y", {{"n", N}, {"c", C}});
    float* rrms = trial.output("rrms", {{"n", N}});
    float* dx = trial.output("dx", {{"n", N}, {"c", C}});
    float* dgain = trial.gradient("dgain", {{"c", C}}, accumulate);
    trial.run([&, N = N, C = C](const Launch& launch) {
      lesson04::rms_norm(x_device, gain_device, y, rrms, N, C, launch);
      lesson04::rms_norm_backward(dy_device, x_device, gain_device, rrms_device, dx, dgain, N, C,
                                  accumulate, launch);
    });
    const auto rows = [&, N = N, C = C]<typename Scalar>(Scalar) {
      return as_matrix<Scalar>(x, N, C);
    };
    const auto gradients = [&, N = N, C = C]<typename Scalar>(Scalar scalar) {
      return reference::rms_norm_backward<Scalar>(
          as_matrix<Scalar>(dy, N, C), rows(scalar), as_vector<Scalar>(gain),
          {reference::Vector<Scalar>::Zero(N), as_vector<Scalar>(rrms_before)});
    };
    trial.expect(
        "y",
        [&]<typename Scalar>(Scalar scalar) {
          return reference::rms_norm_forward<Scalar>(rows(scalar), as_vector<Scalar>(gain));
        },
        20);
    trial.expect("rrms", [&]<typename Scalar>(Scalar scalar) {
      return reference::root_mean_squares<Scalar>(rows(scalar)).rstd;
    });
    trial.expect(
        "dx", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dx; },
        20 * *std::max_element(rrms_before.begin(), rrms_before.end()));
    trial.expect(
        "dgain", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dgain; }, 4 * N);

    const Matrix X = rows(double{}), DY = as_matrix<double>(dy, N, C);
    const Vector Gain = as_vector<double>(gain);
    const auto forward = [&](const std::string& name, const Statistics& of, bool scaled = true) {
      trial.looks_like(name, "y", [&] {
        return reference::times_gain(reference::normalised(X, of), scaled ? Gain : Vector());
      });
      trial.looks_like(name, "rrms", [&] { return of.rstd; });
    };
    const auto by_mean_square = [&](const std::string& name, const auto& rrms_of) {
      forward(name, mistakes04::statistics_by(X, [&](const Vector& row) {
                return OfRow{0, rrms_of(row.array().square().mean())};
              }));
    };
    forward("centred", reference::row_statistics(X));
    forward("of_variance", {Vector::Zero(N), reference::row_statistics(X).rstd});
    by_mean_square("no_epsilon", [](double square) { return 1 / std::sqrt(square); });
    by_mean_square("epsilon_outside",
                   [](double square) { return 1 / (std::sqrt(square) + kEpsilon); });
    by_mean_square("root_mean_square", [](double square) { return std::sqrt(square + kEpsilon); });
    by_mean_square("no_root", [](double square) { return 1 / (square + kEpsilon); });
    by_mean_square("not_divided",
                   [C = C](double square) { return 1 / std::sqrt(C * square + kEpsilon); });
    forward("no_gain", {Vector::Zero(N), as_vector<double>(rrms_before)}, false);
    const auto of_part = [&](const std::string& name, const auto& counts) {
      forward(name, mistakes04::statistics_by(X, [&](const Vector& row) {
                const double squares = mistakes04::sum_where(
                    row.size(), counts, [&](int c) { return row[c] * row[c]; });
                return of_row(0, squares / static_cast<double>(row.size()));
              }));
    };
    for (const int stride : mistakes04::kStrides) {
      of_part("one_thread", [&](int c) { return c % stride == 0; });
    }

    const Vector rrms_of = as_vector<double>(rrms_before);
    const Matrix x_hat = rows_times(X, rrms_of), g = reference::times_gain(DY, Gain);
    const Matrix product_mean = mean_of_rows(g.cwiseProduct(x_hat));
    const auto backward = [&](const std::string& name, const auto& numbers) {
      trial.looks_like(name, "dx", [&]() -> Matrix { return rows_times(numbers(), rrms_of); });
    };
    backward("no_product_mean", [&] { return g; });
    backward("g_mean_too",
             [&] { return Matrix(g - mean_of_rows(g) - x_hat.cwiseProduct(product_mean)); });
    backward("gradient_without_gain",
             [&] { return Matrix(DY - x_hat.cwiseProduct(mean_of_rows(DY.cwiseProduct(x_hat)))); });
    backward("no_x_hat", [&] { return Matrix(g - product_mean); });
    backward("x_for_x_hat",
             [&] { return Matrix(g - X.cwiseProduct(mean_of_rows(g.cwiseProduct(X)))); });
    backward("x_for_x_hat", [&] { return Matrix(g - X.cwiseProduct(product_mean)); });
    backward("x_for_x_hat",
             [&] { return Matrix(g - x_hat.cwiseProduct(mean_of_rows(g.cwiseProduct(X)))); });
    backward("sum_for_mean",
             [&, C = C] { return Matrix(g - C * x_hat.cwiseProduct(product_mean)); });
    trial.looks_like("no_rrms", "dx", [&] { return Matrix(g - x_hat.cwiseProduct(product_mean)); });
    const auto gain_by = [&](const std::string& name, const Matrix& terms) {
      trial.looks_like(name, "dgain", [&] { return Vector(terms.colwise().sum()); });
    };
    gain_by("dgain_without_x_hat", DY);
    gain_by("dgain_without_rrms", DY.cwiseProduct(X));
    const Vector before = as_vector<double>(trial.before("dgain"));
    const Vector right = DY.cwiseProduct(x_hat).colwise().sum();
    const Vector zero = Vector::Zero(C);
    trial.looks_like("assigned", "dgain", [&] { return Vector(right - (add ? before : zero)); });
    trial.looks_like("always_added", "dgain",
                     [&] { return Vector(right + (add ? zero : before)); });
  }));
}

}  // namespace
}  // namespace andrea
