#include "lessons/05_gelu_mlp/further.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "lessons/05_gelu_mlp/mistakes.h"
#include "lessons/05_gelu_mlp/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;
using simulator::AccessKind;

double gelu_of(double x) { return reference::gelu(x).value; }

TEST(Lesson05, Exercise8) {
  const std::vector<std::vector<int>> sizes = {{1, 1},  {2, 3},   {3, 2},   {1, 33},  {33, 1},
                                               {5, 31}, {31, 97}, {3, 257}, {129, 2}, {64, 96}};
  EXPECT_TRUE(exercise("05.8", {"N", "C"}, sizes, [](Trial& trial) {
    const auto [N, C] = trial.sizes<2>();
    const std::vector<float> bias = trial.random().numbers(C);
    const float* bias_device = trial.input("bias", {{"c", C}}, bias);
    // What is added to x is expected; x itself holds earlier numbers.
    float* x = trial.gradient("x", {{"n", N}, {"c", C}}, Accumulate::add);
    float* y = trial.output("y", {{"n", N}, {"c", C}});
    const auto work = [&](const Launch& launch) {
      lesson05::add_bias_and_gelu(x, bias_device, y, N, C, launch);
    };
    trial.run(work);
    const Matrix<double> before = as_matrix<double>(trial.before("x"), N, C);
    const Vector<double> b = as_vector<double>(bias);
    const Matrix<double> right = b.replicate(N, 1);
    trial.expect("x", [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
      return as_vector<Scalar>(bias).replicate(N, 1);
    });
    trial.expect("y", [&]<typename Scalar>(Scalar) {
      const Matrix<Scalar> sum = before.cast<Scalar>() + right.cast<Scalar>();
      return reference::activation_forward<Scalar>(Activation::gelu, sum);
    });
    const auto looks_like = [&](const std::string& name, const Matrix<double>& x_now,
                                const Matrix<double>& y_now) {
      trial.looks_like(name, "x", [&]() -> Matrix<double> { return x_now - before; });
      trial.looks_like(name, "y", [&] { return y_now; });
    };
    const Matrix<double> sum = before + right;
    const Matrix<double> y_right = sum.unaryExpr(&gelu_of);
    const Matrix<double> y_without = before.unaryExpr(&gelu_of);
    looks_like("x_not_kept", before, y_right);
    looks_like("x_is_y", y_right, y_right);
    looks_like("no_bias_in_y", sum, y_without);
    looks_like("bias_after", sum, y_without + right);
    Matrix<double> by_row = before;
    for (int n = 0; n < N; ++n) by_row.row(n).array() += b[n % C];
    looks_like("by_row", by_row, by_row.unaryExpr(&gelu_of));

    if (C % 32 != 0) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const std::uint64_t bytes = counters.total().bytes_moved();
    const std::uint64_t least = std::uint64_t{4} * sizeof(float) * N * C;
    trial.require(bytes <= least, "loaded_again",
                  {{"bytes", std::to_string(bytes)}, {"least", std::to_string(least)}});
  }));
}

// How many numbers, and how far from 0.
const std::vector<std::string> kNumberNames = {"count", "range"};
const std::vector<std::vector<int>> kNumbers = {{1, 3},   {2, 3},   {3, 3},   {31, 3},  {33, 3},
                                                {127, 3}, {97, 60}, {255, 3}, {257, 3}, {1025, 20}};

// An activation of one number, forward and backward: x and dy, of which one x is 0, if there are
// several.
struct ActivationTrial {
  using Forward = void (*)(const float* x, float* y, int count, const Launch& launch);
  using Backward = void (*)(const float* dy, const float* x, float* dx, int count,
                            const Launch& launch);

  ActivationTrial(Trial& one_trial, Activation kind, Forward forward, Backward backward)
      : trial(one_trial) {
    const auto sizes = trial.sizes<2>();
    count = sizes[0];
    x = trial.random().numbers(count, static_cast<float>(sizes[1]));
    dy = trial.random().numbers(count);
    if (count > 2) x[static_cast<std::size_t>(count / 2)] = 0;
    const float* x_device = trial.input("x", {{"i", count}}, x);
    const float* dy_device = trial.input("dy", {{"i", count}}, dy);
    float* y = trial.output("y", {{"i", count}});
    float* dx = trial.output("dx", {{"i", count}});
    trial.run([&](const Launch& launch) {
      forward(x_device, y, count, launch);
      backward(dy_device, x_device, dx, count, launch);
    });
    trial.expect("y", [&]<typename Scalar>(Scalar) {
      return reference::activation_forward<Scalar>(kind, as_vector<Scalar>(x));
    });
    trial.expect("dx", [&]<typename Scalar>(Scalar) {
      return reference::activation_backward<Scalar>(kind, as_vector<Scalar>(dy),
                                                    as_vector<Scalar>(x));
    });
  }

  void value_looks_like(const std::string& name, double (*of)(double x)) {
    trial.looks_like(name, "y", [&] { return Vector<double>(as_vector<double>(x).unaryExpr(of)); });
  }
  void gradient_looks_like(const std::string& name, double (*of)(double dy, double x)) {
    trial.looks_like(name, "dx", [&] {
      return Vector<double>(as_vector<double>(dy).binaryExpr(as_vector<double>(x), of));
    });
  }

  Trial& trial;
  int count;
  std::vector<float> x, dy;
};

double phi(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
double bell(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

TEST(Lesson05, Exercise9) {
  EXPECT_TRUE(exercise("05.9", kNumberNames, kNumbers, [](Trial& trial) {
    ActivationTrial it(trial, Activation::gelu_erf, lesson05::gelu_erf,
                       lesson05::gelu_erf_backward);
    it.value_looks_like("tanh_form", [](double x) { return reference::gelu(x).value; });
    it.value_looks_like("no_root", [](double x) { return x / 2 * (1 + std::erf(x)); });
    it.value_looks_like("root_multiplied",
                        [](double x) { return x / 2 * (1 + std::erf(x * std::numbers::sqrt2)); });
    it.value_looks_like("not_halved", [](double x) { return 2 * x * phi(x); });
    it.gradient_looks_like("tanh_form",
                           [](double dy, double x) { return dy * reference::gelu(x).derivative; });
    it.gradient_looks_like(
        "no_root", [](double dy, double x) { return dy * ((1 + std::erf(x)) / 2 + x * bell(x)); });
    it.gradient_looks_like("root_multiplied", [](double dy, double x) {
      return dy * ((1 + std::erf(x * std::numbers::sqrt2)) / 2 + x * bell(x));
    });
    it.gradient_looks_like("not_halved",
                           [](double dy, double x) { return dy * (2 * phi(x) + x * bell(x)); });
    it.gradient_looks_like("no_dy", [](double, double x) { return phi(x) + x * bell(x); });
    it.gradient_looks_like("no_second_term", [](double dy, double x) { return dy * phi(x); });
    it.gradient_looks_like("no_x", [](double dy, double x) { return dy * (phi(x) + bell(x)); });
    it.gradient_looks_like("density_factor", [](double dy, double x) {
      return dy * (phi(x) + x * bell(x) / bell(0));
    });
    it.gradient_looks_like("density_exponent", [](double dy, double x) {
      return dy * (phi(x) + x * bell(x) * bell(x) / bell(0));
    });
  }));
}

TEST(Lesson05, Exercise10) {
  EXPECT_TRUE(exercise("05.10", kNumberNames, kNumbers, [](Trial& trial) {
    ActivationTrial it(trial, Activation::relu, lesson05::relu, lesson05::relu_backward);
    it.value_looks_like("identity", [](double x) { return x; });
    it.value_looks_like("negative_part", [](double x) { return std::min(x, 0.0); });
    it.value_looks_like("absolute", [](double x) { return std::abs(x); });
    it.gradient_looks_like("identity", [](double dy, double) { return dy; });
    it.gradient_looks_like("negative_part", [](double dy, double x) { return x < 0 ? dy : 0; });
    it.gradient_looks_like("no_dy", [](double, double x) { return x > 0 ? 1.0 : 0.0; });
    it.gradient_looks_like("by_dy", [](double dy, double) { return std::max(dy, 0.0); });
    it.gradient_looks_like("at_zero", [](double dy, double x) { return x >= 0 ? dy : 0; });
    it.gradient_looks_like("value", [](double dy, double x) { return dy * std::max(x, 0.0); });
  }));
}

// silu, its sigmoid, and the derivative.
double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }
double silu(double a) { return a * sigmoid(a); }
double silu_derivative(double a) { return reference::silu(a).derivative; }

TEST(Lesson05, Exercise11) {
  const std::vector<std::vector<int>> sizes = {{1, 1, 3},   {1, 2, 3},  {2, 3, 3},   {33, 1, 3},
                                               {5, 31, 30}, {3, 97, 3}, {2, 257, 3}, {129, 2, 3}};
  EXPECT_TRUE(exercise("05.11", {"N", "C", "range"}, sizes, [](Trial& trial) {
    const auto [N, C, range] = trial.sizes<3>();
    const std::vector<float> x = trial.random().numbers(2 * N * C, static_cast<float>(range));
    const std::vector<float> dy = trial.random().numbers(N * C);
    const float* x_device = trial.input("x", {{"n", N}, {"c", 2 * C}}, x);
    const float* dy_device = trial.input("dy", {{"n", N}, {"c", C}}, dy);
    float* y = trial.output("y", {{"n", N}, {"c", C}});
    float* dx = trial.output("dx", {{"n", N}, {"c", 2 * C}});
    trial.run([&](const Launch& launch) {
      lesson05::swiglu(x_device, y, N, C, launch);
      lesson05::swiglu_backward(dy_device, x_device, dx, N, C, launch);
    });
    trial.expect("y", [&]<typename Scalar>(Scalar) {
      return reference::activation_forward(Activation::swiglu, as_matrix<Scalar>(x, N, 2 * C));
    });
    trial.expect("dx", [&]<typename Scalar>(Scalar) {
      return reference::activation_backward(Activation::swiglu, as_matrix<Scalar>(dy, N, C),
                                            as_matrix<Scalar>(x, N, 2 * C));
    });
    const Matrix<double> X = as_matrix<double>(x, N, 2 * C), D = as_matrix<double>(dy, N, C);
    const Matrix<double> A = X.leftCols(C), B = X.rightCols(C);
    // y and dx, where each number comes of an a, a b and a dy.
    const auto value = [&](const Matrix<double>& a, const Matrix<double>& b,
                           double (*of)(double a, double b)) -> Matrix<double> {
      return a.binaryExpr(b, of);
    };
    const auto gradient = [&](const Matrix<double>& a, const Matrix<double>& b,
                              double (*da)(double a, double b), double (*db)(double a)) {
      Matrix<double> result(N, 2 * C);
      result.leftCols(C) = D.cwiseProduct(a.binaryExpr(b, da));
      result.rightCols(C) = D.cwiseProduct(a.unaryExpr(db));
      return result;
    };
    const auto right_da = [](double a, double b) { return b * silu_derivative(a); };
    const auto right_value = [](double a, double b) { return silu(a) * b; };
    const auto looks_like = [&](const std::string& name, const Matrix<double>& y_now,
                                const Matrix<double>& dx_now) {
      trial.looks_like(name, "y", [&] { return y_now; });
      trial.looks_like(name, "dx", [&] { return dx_now; });
    };
    const Matrix<double> y_right = value(A, B, right_value);
    const Matrix<double> dx_right = gradient(A, B, right_da, silu);
    // b in the place of a, in the gradients as well.
    Matrix<double> halves(N, 2 * C);
    halves << gradient(B, A, right_da, silu).rightCols(C),
        gradient(B, A, right_da, silu).leftCols(C);
    looks_like("halves_exchanged", value(B, A, right_value), halves);
    Matrix<double> even(N, C), odd(N, C);
    for (int c = 0; c < C; ++c) even.col(c) = X.col(2 * c), odd.col(c) = X.col(2 * c + 1);
    const Matrix<double> pairs = gradient(even, odd, right_da, silu);
    Matrix<double> interleaved(N, 2 * C);
    for (int c = 0; c < C; ++c) {
      interleaved.col(2 * c) = pairs.col(c), interleaved.col(2 * c + 1) = pairs.col(C + c);
    }
    looks_like("interleaved", value(even, odd, right_value), interleaved);
    looks_like("interleaved", value(even, odd, right_value), pairs);
    const auto of_rows = [&](int first) {
      Matrix<double> rows(N, C);
      for (int i = 0; i < N * C; ++i) rows.data()[i] = X.data()[i + first];
      return rows;
    };
    looks_like("rows_of_C", value(of_rows(0), of_rows(C), right_value),
               gradient(of_rows(0), of_rows(C), right_da, silu));
    looks_like("sigmoid_only", value(A, B, [](double a, double b) { return sigmoid(a) * b; }),
               dx_right);
    looks_like(
        "sign", value(A, B, [](double a, double b) { return a * sigmoid(-a) * b; }),
        gradient(
            A, B, [](double a, double b) { return b * sigmoid(-a) * (1 + a * (1 - sigmoid(-a))); },
            [](double a) { return a * sigmoid(-a); }));
    looks_like("no_gate", value(A, B, [](double a, double) { return silu(a); }), dx_right);
    const auto gradient_looks_like = [&](const std::string& name, double (*da)(double a, double b),
                                         double (*db)(double a)) {
      trial.looks_like(name, "dx", [&] { return gradient(A, B, da, db); });
    };
    gradient_looks_like(
        "no_second_term", [](double a, double b) { return b * sigmoid(a); }, silu);
    gradient_looks_like(
        "da_without_b", [](double a, double) { return silu_derivative(a); }, silu);
    gradient_looks_like("db_without_sigmoid", right_da, [](double a) { return a; });
    gradient_looks_like("db_without_a", right_da, sigmoid);
    trial.looks_like("gradients_exchanged", "dx", [&] {
      Matrix<double> result(N, 2 * C);
      result << dx_right.rightCols(C), dx_right.leftCols(C);
      return result;
    });
    trial.looks_like("no_dy", "dx", [&]() -> Matrix<double> {
      Matrix<double> result(N, 2 * C);
      result << A.binaryExpr(B, right_da), A.unaryExpr(&silu);
      return result;
    });
  }));
}

// A float without the last 16 of its bits, rounded to nearest, and the number that remains.
std::uint16_t as_bf16(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

struct Rounded {
  explicit Rounded(const std::vector<float>& numbers) {
    for (const float number : numbers) {
      bf16.push_back(as_bf16(number));
      floats.push_back(std::bit_cast<float>(std::uint32_t{bf16.back()} << 16));
    }
  }
  std::vector<std::uint16_t> bf16;
  std::vector<float> floats;
};

TEST(Lesson05, Exercise12) {
  const std::vector<std::vector<int>> sizes = {{16, 16, 16}, {16, 32, 16}, {32, 16, 48},
                                               {48, 48, 32}, {16, 64, 80}, {80, 32, 64}};
  EXPECT_TRUE(exercise("05.12", {"N", "in", "out"}, sizes, [](Trial& trial) {
    const auto [N, in, out] = trial.sizes<3>();
    trial.need(N % 16 == 0 && in % 16 == 0 && out % 16 == 0);
    const Rounded x(trial.random().numbers(N * in)), weight(trial.random().numbers(in * out));
    const auto* x_device =
        reinterpret_cast<const __nv_bfloat16*>(trial.input("x", {{"n", N}, {"i", in}}, x.bf16));
    const auto* weight_device = reinterpret_cast<const __nv_bfloat16*>(
        trial.input("weight", {{"i", in}, {"o", out}}, weight.bf16));
    float* y = trial.output("y", {{"n", N}, {"o", out}});
    const auto work = [&](const Launch& launch) {
      lesson05::product_by_tensor_cores(x_device, weight_device, y, N, in, out, launch);
    };
    trial.run(work);
    trial.expect(
        "y",
        [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
          return as_matrix<Scalar>(x.floats, N, in) * as_matrix<Scalar>(weight.floats, in, out);
        },
        in);
    const Matrix<double> X = as_matrix<double>(x.floats, N, in);
    const Matrix<double> W = as_matrix<double>(weight.floats, in, out);
    const auto looks_like = [&](const std::string& name, const Matrix<double>& left,
                                const Matrix<double>& right) {
      trial.looks_like(name, "y", [&]() -> Matrix<double> { return left * right; });
    };
    constexpr int kTile = 16;
    looks_like("tile_turned", X, mistakes05::squares_turned(W, kTile));
    looks_like("first_tile", X.leftCols(kTile), W.topRows(kTile));
    looks_like("last_tile", X.rightCols(kTile), W.bottomRows(kTile));
    looks_like("x_stays", mistakes05::first_columns(X, kTile).leftCols(in), W);
    looks_like("weight_stays", X, mistakes05::first_rows(W, kTile));
    looks_like("first_rows", mistakes05::first_rows(X, kTile), W);
    looks_like("first_columns", X, mistakes05::first_columns(W, kTile));
    trial.looks_like("turned", "y", [&] { return mistakes05::squares_turned(X * W, kTile); });

    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const simulator::KernelCounters all = counters.total();
    const std::uint64_t products = std::uint64_t(N) * in * out;
    const std::uint64_t loads = all.of(AccessKind::global_load).lanes, least = products / 8;
    trial.require(loads <= least, "loaded",
                  {{"loads", std::to_string(loads)}, {"least", std::to_string(least)}});
    const std::uint64_t tiles = products / (kTile * kTile * kTile);
    trial.require(
        all.collectives >= tiles, "no_tensor_cores",
        {{"collectives", std::to_string(all.collectives)}, {"tiles", std::to_string(tiles)}});
  }));
}

}  // namespace
}  // namespace andrea
