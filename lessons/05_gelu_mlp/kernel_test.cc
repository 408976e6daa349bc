#include "lessons/05_gelu_mlp/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "kernels/activation.h"
#include "kernels/dot_similarity.h"
#include "kernels/linear.h"
#include "lessons/05_gelu_mlp/mistakes.h"
#include "lessons/05_gelu_mlp/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes05::taken_by_columns;
using mistakes05::taken_for;
using mistakes05::written_by_columns;
using reference::Matrix;
using reference::Vector;
using simulator::AccessKind;

// How many numbers, and how far from 0. Beyond 10 the tanh is 1 to the last bit, and exp no float.
const std::vector<std::string> kNumberNames = {"count", "range"};
const std::vector<std::vector<int>> kNumbers = {{1, 3},   {2, 3},   {3, 3},   {31, 3},  {33, 3},
                                                {127, 3}, {97, 60}, {255, 3}, {257, 3}, {1025, 20}};

// Numbers of which one is 0, if there are several.
std::vector<float> numbers_around_zero(Trial& trial, int count, int range) {
  std::vector<float> x = trial.random().numbers(count, static_cast<float>(range));
  if (count > 2) x[static_cast<std::size_t>(count / 2)] = 0;
  return x;
}

// What `of(i)` says of each i.
template <typename Of>
Vector<double> number_by_number(int count, const Of& of) {
  Vector<double> result(count);
  for (int i = 0; i < count; ++i) result[i] = of(static_cast<std::size_t>(i));
  return result;
}

TEST(Lesson05, Exercise1) {
  EXPECT_TRUE(exercise("05.1", kNumberNames, kNumbers, [](Trial& trial) {
    const auto [count, range] = trial.sizes<2>();
    const std::vector<float> x = numbers_around_zero(trial, count, range);
    const float* x_device = trial.input("x", {{"i", count}}, x);
    float* y = trial.output("y", {{"i", count}});
    trial.run([&](const Launch& launch) { lesson05::gelu(x_device, y, count, launch); });
    trial.expect("y", [&]<typename Scalar>(Scalar) {
      return reference::activation_forward<Scalar>(Activation::gelu, as_vector<Scalar>(x));
    });
    for (const mistakes05::WrongValue& wrong : mistakes05::kWrongGelus) {
      trial.looks_like(wrong.name, "y", [&] {
        return number_by_number(count,
                                [&](std::size_t i) { return wrong.of(static_cast<double>(x[i])); });
      });
    }
  }));
}

TEST(Lesson05, Exercise2) {
  EXPECT_TRUE(exercise("05.2", kNumberNames, kNumbers, [](Trial& trial) {
    const auto [count, range] = trial.sizes<2>();
    const std::vector<float> x = numbers_around_zero(trial, count, range);
    const std::vector<float> dy = trial.random().numbers(count);
    const float* x_device = trial.input("x", {{"i", count}}, x);
    const float* dy_device = trial.input("dy", {{"i", count}}, dy);
    float* dx = trial.output("dx", {{"i", count}});
    trial.run([&](const Launch& launch) {
      lesson05::gelu_backward(dy_device, x_device, dx, count, launch);
    });
    trial.expect("dx", [&]<typename Scalar>(Scalar) {
      return reference::activation_backward<Scalar>(Activation::gelu, as_vector<Scalar>(dy),
                                                    as_vector<Scalar>(x));
    });
    for (const mistakes05::WrongGradient& wrong : mistakes05::kWrongGeluGradients) {
      trial.looks_like(wrong.name, "dx", [&] {
        return number_by_number(count, [&](std::size_t i) {
          const double at = static_cast<double>(x[i]);
          return wrong.of(static_cast<double>(dy[i]), at, std::tanh(mistakes05::inner(at)));
        });
      });
    }
  }));
}

// N rows of `out` numbers. The last is large enough to be counted.
const std::vector<std::vector<int>> kRows = {{1, 1},  {3, 2},   {2, 3},   {1, 33},  {33, 1},
                                             {5, 31}, {31, 97}, {3, 257}, {129, 2}, {64, 96}};

TEST(Lesson05, Exercise3) {
  EXPECT_TRUE(exercise(
      "05.3", {"N", "out"},
      {{1, 1}, {2, 3}, {3, 2}, {1, 33}, {33, 1}, {5, 31}, {31, 97}, {3, 257}, {129, 2}},
      [](Trial& trial) {
        const auto [N, out] = trial.sizes<2>();
        const std::vector<float> bias = trial.random().numbers(out);
        const float* bias_device = trial.input("bias", {{"c", out}}, bias);
        // What is added to y is expected; y itself holds earlier numbers.
        float* y = trial.gradient("y", {{"n", N}, {"c", out}}, Accumulate::add);
        trial.run(
            [&](const Launch& launch) { lesson05::add_bias(y, bias_device, N, out, launch); });
        trial.expect("y", [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
          return as_vector<Scalar>(bias).replicate(N, 1);
        });
        const Vector<double> b = as_vector<double>(bias);
        const Matrix<double> right = b.replicate(N, 1);
        const auto before = [&] { return as_matrix<double>(trial.before("y"), N, out); };
        // The bias that `which(n, c)` chooses.
        const auto chosen = [&](auto which) {
          Matrix<double> added(N, out);
          for (int n = 0; n < N; ++n) {
            for (int c = 0; c < out; ++c) added(n, c) = b[which(n, c) % out];
          }
          return added;
        };
        trial.looks_like("twice", "y", [&]() -> Matrix<double> { return 2 * right; });
        trial.looks_like("assigned", "y", [&]() -> Matrix<double> { return right - before(); });
        trial.looks_like("subtracted", "y", [&]() -> Matrix<double> { return -right; });
        trial.looks_like("multiplied", "y", [&]() -> Matrix<double> {
          return before().cwiseProduct(right) - before();
        });
        trial.looks_like("by_row", "y", [&] { return chosen([](int n, int) { return n; }); });
        trial.looks_like("column_by_N", "y",
                         [&] { return chosen([&](int n, int c) { return (n * out + c) % N; }); });
        trial.looks_like("first", "y", [&] { return chosen([](int, int) { return 0; }); });
        // From some number on nobody came.
        const std::vector<float>& is = trial.contents("y");
        const std::vector<float>& was = trial.before("y");
        std::size_t reached = is.size();
        while (reached > 0 && is[reached - 1] == was[reached - 1]) --reached;
        if (reached == 0) return;
        trial.looks_like("last_numbers_left", "y", [&]() -> Matrix<double> {
          Matrix<double> added = right;
          std::fill(added.data() + static_cast<std::ptrdiff_t>(reached),
                    added.data() + added.size(), 0.0);
          return added;
        });
      }));
}

Accumulate accumulate_of(int add) { return add != 0 ? Accumulate::add : Accumulate::overwrite; }

// The sentences of a gradient that does not follow `accumulate`; empty where there is none.
struct AccumulationMistakes {
  std::string overwritten, added, inverted;
};

// What a parameter's gradient `name` looks like with them. What is told to the trial is what has
// been added.
template <typename Right>
void looks_like_wrong_accumulation(Trial& trial, const std::string& name, Accumulate accumulate,
                                   const AccumulationMistakes& mistakes, const Right& right) {
  const auto before = [&] {
    return Eigen::Map<const Vector<float>>(trial.before(name).data(),
                                           static_cast<Eigen::Index>(trial.before(name).size()))
        .template cast<double>();
  };
  const auto flat = [&] {
    const Matrix<double> result = right();
    return Vector<double>(Eigen::Map<const Vector<double>>(result.data(), result.size()));
  };
  const auto overwritten = [&]() -> Vector<double> {
    return accumulate == Accumulate::add ? Vector<double>(flat() - before()) : flat();
  };
  const auto added = [&]() -> Vector<double> {
    return accumulate == Accumulate::add ? flat() : Vector<double>(flat() + before());
  };
  trial.looks_like(mistakes.overwritten, name, overwritten);
  trial.looks_like(mistakes.added, name, added);
  if (mistakes.inverted.empty()) return;
  trial.looks_like(mistakes.inverted, name,
                   [&] { return accumulate == Accumulate::add ? overwritten() : added(); });
}

TEST(Lesson05, Exercise4) {
  EXPECT_TRUE(exercise("05.4", {"N", "out", "add"}, both_ways(kRows), [](Trial& trial) {
    const auto [N, out, add] = trial.sizes<3>();
    const Accumulate accumulate = accumulate_of(add);
    const std::vector<float> dy = trial.random().numbers(N * out);
    const float* dy_device = trial.input("dy", {{"n", N}, {"c", out}}, dy);
    float* dbias = trial.gradient("dbias", {{"c", out}}, accumulate);
    const auto work = [&](const Launch& launch) {
      lesson05::bias_gradient(dy_device, dbias, N, out, accumulate, launch);
    };
    trial.run(work);
    trial.expect(
        "dbias",
        [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return as_matrix<Scalar>(dy, N, out).colwise().sum();
        },
        N + 1);
    const Matrix<double> D = as_matrix<double>(dy, N, out);
    const Vector<double> right = D.colwise().sum();
    trial.looks_like("rows", "dbias", [&] {
      return number_by_number(out, [&](std::size_t c) {
        const auto row = static_cast<Eigen::Index>(c);
        return row < N ? D.row(row).sum() : 0;
      });
    });
    trial.looks_like("by_columns", "dbias",
                     [&]() -> Vector<double> { return taken_for(D, out, N).rowwise().sum(); });
    trial.looks_like("last_row", "dbias", [&]() -> Vector<double> { return D.row(N - 1); });
    trial.looks_like("first_row", "dbias", [&]() -> Vector<double> { return N * D.row(0); });
    trial.looks_like("mean", "dbias", [&]() -> Vector<double> { return right / N; });
    looks_like_wrong_accumulation(trial, "dbias", accumulate, {"assigned", "added", "inverted"},
                                  [&]() -> Matrix<double> { return right; });

    if (out % 32 != 0) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const simulator::AccessCounters loads = counters.total().of(AccessKind::global_load);
    trial.require(loads.sectors == loads.least_sectors, "scattered",
                  {{"sectors", std::to_string(loads.sectors)},
                   {"least", std::to_string(loads.least_sectors)}});
  }));
}

// N, in, out. Square ones first, in which every shape fits.
const std::vector<std::vector<int>> kProducts = {{1, 1, 1},   {2, 2, 2},   {3, 2, 3},
                                                 {3, 3, 2},   {1, 3, 5},   {5, 4, 1},
                                                 {2, 31, 33}, {33, 17, 9}, {31, 33, 65}};

// The linear layer's backward pass: the inputs, and what should come of them.
struct BackwardTrial {
  explicit BackwardTrial(Trial& one_trial, int add) : trial(one_trial) {
    const auto sizes = trial.sizes<3>();
    N = sizes[0], in = sizes[1], out = sizes[2];
    accumulate = accumulate_of(add);
    dy = trial.random().numbers(N * out);
    x = trial.random().numbers(N * in);
    weight = trial.random().numbers(in * out);
    Dy = as_matrix<double>(dy, N, out), X = as_matrix<double>(x, N, in);
    W = as_matrix<double>(weight, in, out);
    dy_device = trial.input("dy", {{"n", N}, {"o", out}}, dy);
  }

  const float* x_device() { return trial.input("x", {{"n", N}, {"i", in}}, x); }
  const float* weight_device() { return trial.input("weight", {{"i", in}, {"o", out}}, weight); }
  // Activations' gradients are overwritten, whatever they held.
  float* dx() { return trial.gradient("dx", {{"n", N}, {"i", in}}, Accumulate::overwrite); }
  float* dweight() { return trial.gradient("dweight", {{"i", in}, {"o", out}}, accumulate); }

  template <typename Scalar>
  auto gradients() const {
    return reference::linear_backward<Scalar>(Dy.cast<Scalar>(), X.cast<Scalar>(),
                                              W.cast<Scalar>());
  }

  void expect_dx() {
    trial.expect(
        "dx", [&]<typename Scalar>(Scalar) { return gradients<Scalar>().dx; }, out);
  }

  // dy W, of W's memory taken for a matrix of [out, in].
  Matrix<double> dx_with_weight_not_turned() const { return Dy * taken_for(W, out, in); }
  // dW^T, in the memory of dW.
  Matrix<double> dweight_turned() const { return taken_for(Dy.transpose() * X, in, out); }

  void expect_dweight() {
    trial.expect(
        "dweight", [&]<typename Scalar>(Scalar) { return gradients<Scalar>().dweight; }, N + 1);
  }

  void dweight_looks_like(const std::string& inverted) {
    trial.looks_like("dweight_turned", "dweight", [&] { return dweight_turned(); });
    looks_like_wrong_accumulation(trial, "dweight", accumulate,
                                  {"always_overwritten", "always_added", inverted},
                                  [&]() -> Matrix<double> { return X.transpose() * Dy; });
  }

  Trial& trial;
  int N, in, out;
  Accumulate accumulate;
  std::vector<float> dy, x, weight;
  Matrix<double> Dy, X, W;
  const float* dy_device;
};

const std::vector<std::string> kBackwardNames = {"N", "in", "out", "add"};

TEST(Lesson05, Exercise5) {
  EXPECT_TRUE(exercise("05.5", kBackwardNames, both_ways(kProducts), [](Trial& trial) {
    BackwardTrial it(trial, trial.sizes<4>()[3]);
    const float *x = it.x_device(), *weight = it.weight_device();
    float *dx = it.dx(), *dweight = it.dweight();
    trial.run(
        [&](const Launch& launch) {
          lesson05::linear_backward_by_dot_products(it.dy_device, x, weight, dx, dweight, it.N,
                                                    it.in, it.out, it.accumulate, launch);
        },
        dot_similarity_scratch_bytes(it.N, it.in, it.out));
    it.expect_dx();
    it.expect_dweight();
    it.dweight_looks_like("");
    trial.looks_like("as_it_stands", "dx", [&] { return it.dx_with_weight_not_turned(); });
    trial.looks_like("as_it_stands", "dweight", [&] { return it.dweight_turned(); });
  }));
}

TEST(Lesson05, Exercise6) {
  EXPECT_TRUE(exercise("05.6", {"N", "in", "out"}, kProducts, [](Trial& trial) {
    BackwardTrial it(trial, 0);
    const float* weight = it.weight_device();
    float* dx = it.dx();
    trial.run([&](const Launch& launch) {
      lesson05::gradient_of_x(it.dy_device, weight, dx, it.N, it.in, it.out, launch);
    });
    it.expect_dx();
    trial.looks_like("weight_not_turned", "dx", [&] { return it.dx_with_weight_not_turned(); });
    const int N = it.N, in = it.in, out = it.out;
    trial.looks_like("dx_turned", "dx", [&]() -> Matrix<double> {
      return taken_for((it.Dy * it.W.transpose()).transpose(), N, in);
    });
    trial.looks_like("column_major", "dx", [&] {
      return written_by_columns(
          taken_by_columns(it.Dy, N, out) * taken_by_columns(it.W, in, out).transpose(), N, in);
    });
    // What other operations make where the shapes fit. Elsewhere cuBLAS refuses them, or reads past
    // the end of a tensor.
    trial.looks_like("operations_exchanged", "dx", [&]() -> Matrix<double> {
      if (N != in || in != out) return Matrix<double>::Zero(N, in);
      return it.Dy.transpose() * it.W;
    });
    trial.looks_like("dy_turned", "dx", [&]() -> Matrix<double> {
      if (N != out) return Matrix<double>::Zero(N, in);
      return it.Dy.transpose() * it.W.transpose();
    });
    trial.looks_like("added", "dx", [&]() -> Matrix<double> {
      return it.Dy * it.W.transpose() + as_matrix<double>(trial.before("dx"), N, in);
    });
  }));
}

TEST(Lesson05, Exercise7) {
  EXPECT_TRUE(exercise("05.7", kBackwardNames, both_ways(kProducts), [](Trial& trial) {
    BackwardTrial it(trial, trial.sizes<4>()[3]);
    const float* x = it.x_device();
    float* dweight = it.dweight();
    trial.run([&](const Launch& launch) {
      lesson05::gradient_of_weight(it.dy_device, x, dweight, it.N, it.in, it.out, it.accumulate,
                                   launch);
    });
    it.expect_dweight();
    it.dweight_looks_like("inverted");
    // Where the shapes do not fit, cuBLAS refuses.
    trial.looks_like("x_not_turned", "dweight", [&]() -> Matrix<double> {
      if (it.N != it.in) return Matrix<double>::Zero(it.in, it.out);
      return it.X * it.Dy;
    });
    trial.looks_like("operations_exchanged", "dweight", [&]() -> Matrix<double> {
      if (it.N != it.in || it.N != it.out) return Matrix<double>::Zero(it.in, it.out);
      return it.X * it.Dy.transpose();
    });
    trial.looks_like("dy_turned", "dweight", [&]() -> Matrix<double> {
      if (it.N != it.out) return Matrix<double>::Zero(it.in, it.out);
      return it.X.transpose() * it.Dy.transpose();
    });
    trial.looks_like("column_major", "dweight", [&] {
      return written_by_columns(
          taken_by_columns(it.X, it.N, it.in).transpose() * taken_by_columns(it.Dy, it.N, it.out),
          it.in, it.out);
    });
  }));
}

// kernels/linear.h as a model calls it; with `add` neither dx is asked for nor is there a bias.
TEST(Lesson05, WholeLinear) {
  EXPECT_TRUE(
      whole("05.7", "kernels/linear.h", kBackwardNames, both_ways(kProducts), [](Trial& trial) {
        BackwardTrial it(trial, trial.sizes<4>()[3]);
        const int N = it.N, in = it.in, out = it.out;
        const bool all = it.accumulate == Accumulate::overwrite;
        const std::vector<float> bias = trial.random().numbers(all ? out : 0);
        const float *x = it.x_device(), *weight = it.weight_device();
        const float* bias_device = all ? trial.input("bias", {{"o", out}}, bias) : nullptr;
        float* y = trial.output("y", {{"n", N}, {"o", out}});
        float* dx = all ? it.dx() : nullptr;
        float* dweight = it.dweight();
        float* dbias = all ? trial.gradient("dbias", {{"o", out}}, it.accumulate) : nullptr;
        trial.run(
            [&](const Launch& launch) {
              linear_forward(x, weight, bias_device, y, N, in, out, launch);
              linear_backward(it.dy_device, x, weight, dx, dweight, dbias, N, in, out,
                              it.accumulate, launch);
            },
            linear_scratch_bytes(N, in, out));
        trial.expect(
            "y",
            [&]<typename Scalar>(Scalar) {
              return reference::linear_forward<Scalar>(it.X.cast<Scalar>(), it.W.cast<Scalar>(),
                                                       as_vector<Scalar>(bias));
            },
            in + 1);
        if (all)
          it.trial.expect(
              "dx", [&]<typename Scalar>(Scalar) { return it.gradients<Scalar>().dx; }, out);
        it.expect_dweight();
        if (all)
          trial.expect(
              "dbias", [&]<typename Scalar>(Scalar) { return it.gradients<Scalar>().dbias; },
              N + 1);
      }));
}

// kernels/activation.h as a model calls it: dx takes the place of dy.
TEST(Lesson05, WholeActivation) {
  EXPECT_TRUE(whole(
      "05.7", "kernels/activation.h", {"N", "width"}, {{1, 1}, {2, 3}, {33, 17}}, [](Trial& trial) {
        const auto [N, width] = trial.sizes<2>();
        const Axes axes = {{"n", N}, {"c", width}};
        const std::vector<float> x = trial.random().numbers(N * width, 3);
        const std::vector<float> dy = trial.random().numbers(N * width);
        const float* x_device = trial.input("x", axes, x);
        float* y = trial.output("y", axes);
        float* dx = trial.prefilled("dx", axes, dy);
        trial.run([&](const Launch& launch) {
          activation_forward(Activation::gelu, x_device, y, N, width, launch);
          activation_backward(Activation::gelu, dx, x_device, dx, N, width, launch);
        });
        trial.expect("y", [&]<typename Scalar>(Scalar) {
          return reference::activation_forward(Activation::gelu, as_matrix<Scalar>(x, N, width));
        });
        trial.expect("dx", [&]<typename Scalar>(Scalar) {
          return reference::activation_backward(Activation::gelu, as_matrix<Scalar>(dy, N, width),
                                                as_matrix<Scalar>(x, N, width));
        });
        bool refuses = activation_supports(Activation::gelu).empty();
        for (const Activation other :
             {Activation::gelu_erf, Activation::relu, Activation::swiglu}) {
          const std::string sentence = activation_supports(other);
          refuses = refuses && sentence.find("gelu") != std::string::npos;
        }
        trial.require(refuses, "refusal");
      }));
}

}  // namespace
}  // namespace andrea
