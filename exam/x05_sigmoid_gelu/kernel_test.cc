#include "exam/x05_sigmoid_gelu/kernel.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "exam/x05_sigmoid_gelu/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::sigmoid_of;
using reference::Vector;

constexpr double kFactor = static_cast<double>(exam05::kSigmoidFactor);

// N rows of C numbers, as far from 0 as `range` says: beyond 52 exp(1.702 a) is no float.
const std::vector<std::string> kNames = {"N", "C", "range"};
const std::vector<std::vector<int>> kSizes = {{1, 1, 3},  {2, 3, 3},    {3, 2, 3},    {1, 33, 3},
                                              {33, 1, 3}, {31, 97, 60}, {129, 2, 20}, {9, 257, 3}};

struct RowsCase {
  explicit RowsCase(Trial& trial) {
    const auto sizes = trial.sizes<3>();
    N = sizes[0], C = sizes[1];
    x = trial.random().numbers(std::int64_t{N} * C, static_cast<float>(sizes[2]));
    bias = trial.random().numbers(C, 2);
    x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    bias_device = trial.input("bias", {{"c", C}}, bias);
  }

  // A number for each: of(x, bias, n, c).
  template <typename Of>
  Matrix<double> by(const Of& of) const {
    Matrix<double> result(N, C);
    for (int n = 0; n < N; ++n) {
      for (int c = 0; c < C; ++c) {
        result(n, c) = of(static_cast<double>(x[static_cast<std::size_t>(n * C + c)]),
                          static_cast<double>(bias[static_cast<std::size_t>(c)]), n, c);
      }
    }
    return result;
  }

  int N, C;
  std::vector<float> x, bias;
  const float *x_device, *bias_device;
};

TEST(Exam05, Exercise1) {
  EXPECT_TRUE(exercise("x05.1", kNames, kSizes, [](Trial& trial) {
    const RowsCase it(trial);
    float* y = trial.output("y", {{"n", it.N}, {"c", it.C}});
    trial.run([&](const Launch& launch) {
      exam05::activate(it.x_device, it.bias_device, y, it.N, it.C, launch);
    });
    trial.expect("y", [&]<typename Scalar>(Scalar) {
      return reference::sigmoid_gelu(as_matrix<Scalar>(it.x, it.N, it.C),
                                     as_vector<Scalar>(it.bias));
    });

    // y as `of(a)` says, where a is x + bias, or as `of(x, bias)` says.
    const auto looks_like = [&](const std::string& name, const auto& of) {
      trial.looks_like(name, "y", [&] {
        return it.by([&](double x, double bias, int, int) { return of(x + bias); });
      });
    };
    const auto by_two = [&](const std::string& name, const auto& of) {
      trial.looks_like(name, "y", [&] {
        return it.by([&](double x, double bias, int, int) { return of(x, bias); });
      });
    };
    const auto s = [](double a) { return a * sigmoid_of(a); };
    by_two("no_bias", [&](double x, double) { return s(x); });
    by_two("bias_behind", [&](double x, double bias) { return s(x) + bias; });
    by_two("bias_in_the_sigmoid", [&](double x, double bias) { return x * sigmoid_of(x + bias); });
    by_two("bias_in_the_factor", [&](double x, double bias) { return (x + bias) * sigmoid_of(x); });
    looks_like("no_factor", [](double a) { return a / (1 + std::exp(-a)); });
    looks_like("sigmoid_alone", [](double a) { return sigmoid_of(a); });
    looks_like("wrong_sign", [](double a) { return a * sigmoid_of(-a); });
    looks_like("factor_outside", [&](double a) { return kFactor * s(a); });
    looks_like("tanh_form", [](double a) {
      const double u = std::sqrt(2 / std::numbers::pi) * (a + 0.044715 * a * a * a);
      return a / 2 * (1 + std::tanh(u));
    });
    // exp(1.702 a) in place of exp(-1.702 a), which overflows for large a; times a it does so a
    // little earlier.
    looks_like("overflow", [&](double a) {
      const float power = std::exp(exam05::kSigmoidFactor * static_cast<float>(a));
      return std::isinf(power) ? NAN : s(a);
    });
    looks_like("overflow", [](double a) {
      const float at = static_cast<float>(a), power = std::exp(exam05::kSigmoidFactor * at);
      return static_cast<double>(at * power / (1 + power));
    });
  }));
}

TEST(Exam05, Exercise2) {
  EXPECT_TRUE(exercise("x05.2", kNames, kSizes, [](Trial& trial) {
    const RowsCase it(trial);
    const auto dy = trial.random().numbers(std::int64_t{it.N} * it.C);
    const float* dy_device = trial.input("dy", {{"n", it.N}, {"c", it.C}}, dy);
    float* dx = trial.output("dx", {{"n", it.N}, {"c", it.C}});
    trial.run([&](const Launch& launch) {
      exam05::input_gradient(dy_device, it.x_device, it.bias_device, dx, it.N, it.C, launch);
    });
    trial.expect("dx", [&]<typename Scalar>(Scalar) {
      return reference::sigmoid_gelu_backward(as_matrix<Scalar>(dy, it.N, it.C),
                                              as_matrix<Scalar>(it.x, it.N, it.C),
                                              as_vector<Scalar>(it.bias))
          .dx;
    });

    const Matrix<double> Dy = as_matrix<double>(dy, it.N, it.C);
    // dy times of(a, sigmoid(1.702 a)), where a is x + bias.
    const auto looks_like = [&](const std::string& name, const auto& of) {
      trial.looks_like(name, "dx", [&] {
        return it.by([&](double x, double bias, int n, int c) {
          return Dy(n, c) * of(x + bias, sigmoid_of(x + bias));
        });
      });
    };
    const auto right = [](double a, double sigmoid) {
      return sigmoid + kFactor * a * sigmoid * (1 - sigmoid);
    };
    looks_like("first_term_alone", [](double, double sigmoid) { return sigmoid; });
    looks_like("second_term_alone",
               [&](double a, double sigmoid) { return right(a, sigmoid) - sigmoid; });
    looks_like("no_inner_factor",
               [](double a, double sigmoid) { return sigmoid + a * sigmoid * (1 - sigmoid); });
    looks_like("no_a",
               [](double, double sigmoid) { return sigmoid + kFactor * sigmoid * (1 - sigmoid); });
    looks_like("wrong_sign", [](double a, double sigmoid) {
      return sigmoid - kFactor * a * sigmoid * (1 - sigmoid);
    });
    looks_like("sigmoid_squared", [](double a, double sigmoid) {
      return sigmoid + kFactor * a * (1 - sigmoid * sigmoid);
    });
    looks_like("value", [](double a, double sigmoid) { return a * sigmoid; });
    looks_like("no_factor", [](double a, double) {
      const double sigmoid = 1 / (1 + std::exp(-a));
      return sigmoid + a * sigmoid * (1 - sigmoid);
    });
    trial.looks_like("no_bias", "dx", [&] {
      return it.by(
          [&](double x, double, int n, int c) { return Dy(n, c) * right(x, sigmoid_of(x)); });
    });
    trial.looks_like("no_dy", "dx", [&] {
      return it.by(
          [&](double x, double bias, int, int) { return right(x + bias, sigmoid_of(x + bias)); });
    });
  }));
}

TEST(Exam05, Exercise3) {
  const std::vector<std::vector<int>> sizes = {{1, 1},  {2, 3},   {3, 2},   {1, 33},
                                               {33, 1}, {31, 97}, {129, 2}, {9, 257}};
  EXPECT_TRUE(exercise("x05.3", {"N", "C", "add"}, both_ways(sizes), [](Trial& trial) {
    const auto [N, C, add] = trial.sizes<3>();
    const Accumulate accumulate = add ? Accumulate::add : Accumulate::overwrite;
    const auto dx = trial.random().numbers(std::int64_t{N} * C);
    const float* dx_device = trial.input("dx", {{"n", N}, {"c", C}}, dx);
    float* dbias = trial.gradient("dbias", {{"c", C}}, accumulate);
    trial.run([&, N = N, C = C](const Launch& launch) {
      exam05::bias_gradient(dx_device, dbias, N, C, accumulate, launch);
    });
    trial.expect(
        "dbias",
        [&, N = N, C = C]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return as_matrix<Scalar>(dx, N, C).colwise().sum();
        },
        N);

    const Matrix<double> Dx = as_matrix<double>(dx, N, C);
    const Vector<double> right = Dx.colwise().sum();
    const auto looks_like = [&](const std::string& name, const Vector<double>& wrong) {
      trial.looks_like(name, "dbias", [&] { return wrong; });
    };
    looks_like("last_row", Dx.row(N - 1));
    looks_like("mean_over_rows", right / N);
    Vector<double> along = Vector<double>::Zero(C);
    for (int n = 0; n < std::min(N, C); ++n) along[n] = Dx.row(n).sum();
    looks_like("along_the_row", along);
    const Vector<double> before =
        add ? as_vector<double>(trial.before("dbias")) : Vector<double>(Vector<double>::Zero(C));
    looks_like("assigned", right - before);
  }));
}

}  // namespace
}  // namespace andrea
