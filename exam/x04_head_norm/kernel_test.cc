#include "exam/x04_head_norm/kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "exam/x04_head_norm/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::head_norm;
using reference::head_normalised;
using reference::heads_of;
using reference::Matrix;
using reference::Vector;

// N rows of H heads of D numbers.
const std::vector<std::string> kNames = {"N", "H", "D"};
const std::vector<std::vector<int>> kSizes = {{1, 1, 2},  {2, 3, 2},  {3, 2, 3},
                                              {5, 1, 31}, {4, 3, 33}, {9, 2, 64},
                                              {2, 3, 97}, {33, 5, 4}, {2, 1, 257}};

struct HeadsCase {
  explicit HeadsCase(Trial& trial) {
    const auto [rows, heads, D] = trial.sizes<3>();
    N = rows, H = heads, C = H * D;
    trial.need(D > 1);  // of one number the norm leaves its sign
    // Some heads are not centred, and some as small as the epsilon's root.
    x = trial.random().numbers(std::int64_t{N} * C, 2);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t head = i / static_cast<std::size_t>(D);
      if (head % 3 == 0) x[i] += 1;
      if (head % 4 == 1) x[i] *= 0.005f;
    }
    gain = trial.random().numbers(C, 2);
    x_device = trial.input("x", axes(), x);
  }

  Axes axes() const { return {{"n", N}, {"h", H}, {"d", C / H}}; }
  // As a kernel has them: floats.
  std::vector<float> rstd() const {
    const Vector<float> exact = reference::head_rstd(as_matrix<double>(x, N, C), H).cast<float>();
    return {exact.data(), exact.data() + exact.size()};
  }

  int N, H, C;
  std::vector<float> x, gain;
  const float* x_device;
};

TEST(Exam04, Exercise1) {
  EXPECT_TRUE(exercise("x04.1", kNames, kSizes, [](Trial& trial) {
    const HeadsCase it(trial);
    const int N = it.N, C = it.C, H = it.H, D = C / H;
    const float* gain = trial.input("gain", {{"h", H}, {"d", D}}, it.gain);
    float* rstd = trial.output("rstd", {{"n", N}, {"h", H}});
    float* y = trial.output("y", it.axes());
    trial.run([&](const Launch& launch) {
      exam04::head_norm(it.x_device, gain, y, rstd, N, C, H, launch);
    });
    const auto exact_rstd = [&]<typename Scalar>(Scalar) {
      return reference::head_rstd(as_matrix<Scalar>(it.x, N, C), H);
    };
    trial.expect("rstd", exact_rstd, 320);
    trial.expect(
        "y",
        [&]<typename Scalar>(Scalar scalar) {
          return head_norm<Scalar>(as_matrix<Scalar>(it.x, N, C), as_vector<Scalar>(it.gain),
                                   exact_rstd(scalar), H);
        },
        4 * std::sqrt(D));

    const Matrix<double> X = as_matrix<double>(it.x, N, C), heads = heads_of(X, H);
    const Vector<double> Gain = as_vector<double>(it.gain);
    const Vector<double> right = reference::head_rstd(X, H);
    const double epsilon = static_cast<double>(kLayerNormEpsilon);
    // With another rstd of each head: `of(head)`.
    const auto with = [&](const std::string& name, const auto& of) {
      const auto wrong = [&] {
        Vector<double> all(N * H);
        for (int head = 0; head < N * H; ++head) all[head] = of(head);
        return all;
      };
      trial.looks_like(name, "rstd", wrong);
      trial.looks_like(name, "y", [&] { return head_norm<double>(X, Gain, wrong(), H); });
    };
    const auto mean = [&](int head) { return heads.row(head).array().square().mean(); };
    with("whole_row", [&](int head) {
      return 1 / std::sqrt(X.row(head / H).array().square().mean() + epsilon);
    });
    with("not_divided", [&](int head) { return 1 / std::sqrt(D * mean(head) + epsilon); });
    with("divided_by_c", [&](int head) { return 1 / std::sqrt(mean(head) / H + epsilon); });
    with("no_epsilon", [&](int head) { return 1 / std::sqrt(mean(head)); });
    with("epsilon_outside", [&](int head) { return 1 / (std::sqrt(mean(head)) + epsilon); });
    with("no_root", [&](int head) { return 1 / (mean(head) + epsilon); });
    with("spread", [&](int head) {
      const double centre = heads.row(head).mean();
      return 1 / std::sqrt(mean(head) - centre * centre + epsilon);
    });
    with("first_round", [&](int head) {
      return 1 / std::sqrt(heads.row(head).head(std::min(D, 32)).squaredNorm() / D + epsilon);
    });
    const auto y_like = [&](const std::string& name, const Vector<double>& other_gain) {
      trial.looks_like(name, "y", [&] { return head_norm(X, other_gain, right, H); });
    };
    y_like("no_gain", Vector<double>::Ones(C));
    Vector<double> of_head_0 = Gain, of_head = Gain;
    for (int c = 0; c < C; ++c) of_head_0[c] = Gain[c % D], of_head[c] = Gain[c / D];
    y_like("gain_of_head_0", of_head_0);
    y_like("gain_of_head", of_head);
  }));
}

TEST(Exam04, Exercise2) {
  EXPECT_TRUE(exercise("x04.2", kNames, kSizes, [](Trial& trial) {
    const HeadsCase it(trial);
    const int N = it.N, C = it.C, H = it.H, D = C / H;
    const auto dy = trial.random().numbers(std::int64_t{N} * C, 2);
    const auto given = it.rstd();
    const float* dy_device = trial.input("dy", it.axes(), dy);
    const float* gain = trial.input("gain", {{"h", H}, {"d", D}}, it.gain);
    const float* rstd = trial.input("rstd", {{"n", N}, {"h", H}}, given);
    float* dx = trial.output("dx", it.axes());
    trial.run([&](const Launch& launch) {
      exam04::input_gradient(dy_device, it.x_device, gain, rstd, dx, N, C, H, launch);
    });
    trial.expect(
        "dx",
        [&]<typename Scalar>(Scalar) {
          return reference::head_norm_backward(
                     as_matrix<Scalar>(dy, N, C), as_matrix<Scalar>(it.x, N, C),
                     as_vector<Scalar>(it.gain), as_vector<Scalar>(given), H)
              .dx;
        },
        8 * *std::max_element(given.begin(), given.end()));

    const Matrix<double> X = as_matrix<double>(it.x, N, C), Dy = as_matrix<double>(dy, N, C);
    const Vector<double> Rstd = as_vector<double>(given);
    const Matrix<double> x_hat = head_normalised(X, Rstd, H);
    const Matrix<double> g = Dy.array().rowwise() * as_vector<double>(it.gain).array();
    const auto means = [&](const Matrix<double>& of) -> Vector<double> {
      return heads_of(of, H).rowwise().mean().transpose();
    };
    const Vector<double> right = means(g.cwiseProduct(x_hat));
    const auto by = [&](const std::string& name, const Matrix<double>& first,
                        const Matrix<double>& along, const Vector<double>& mean,
                        const Vector<double>& factors) {
      trial.looks_like(name, "dx", [&] {
        return head_normalised<double>(first - head_normalised(along, mean, H), factors, H);
      });
    };
    const Vector<double> ones = Vector<double>::Ones(N * H);
    by("no_mean_term", g, x_hat, 0 * ones, Rstd);
    by("mean_term_added", g, x_hat, -right, Rstd);
    by("no_x_hat", g, Matrix<double>::Ones(N, C), right, Rstd);
    by("x_for_x_hat", g, X, right, Rstd);  // or in the mean, which is the same
    by("no_rstd", g, x_hat, right, ones);
    by("sum_for_mean", g, x_hat, D * right, Rstd);
    by("no_gain", Dy, x_hat, means(Dy.cwiseProduct(x_hat)), Rstd);
    by("mean_without_gain", g, x_hat, means(Dy.cwiseProduct(x_hat)), Rstd);
    trial.looks_like("centred", "dx", [&] {
      const Matrix<double> centred =
          g - head_normalised<double>(Matrix<double>::Ones(N, C), means(g), H);
      return head_normalised<double>(centred - head_normalised(x_hat, right, H), Rstd, H);
    });
    Vector<double> of_row(N * H);
    const Matrix<double> products = g.cwiseProduct(x_hat);
    for (int head = 0; head < N * H; ++head) of_row[head] = products.row(head / H).mean();
    by("mean_of_row", g, x_hat, of_row, Rstd);
  }));
}

TEST(Exam04, Exercise3) {
  EXPECT_TRUE(exercise("x04.3", {"N", "H", "D", "add"}, both_ways(kSizes), [](Trial& trial) {
    const HeadsCase it(trial);
    const int N = it.N, C = it.C, H = it.H, D = C / H;
    const bool add = trial.sizes<4>()[3] != 0;
    const Accumulate accumulate = add ? Accumulate::add : Accumulate::overwrite;
    const auto dy = trial.random().numbers(std::int64_t{N} * C, 2);
    const auto given = it.rstd();
    const float* dy_device = trial.input("dy", it.axes(), dy);
    const float* rstd = trial.input("rstd", {{"n", N}, {"h", H}}, given);
    float* dgain = trial.gradient("dgain", {{"h", H}, {"d", D}}, accumulate);
    trial.run([&](const Launch& launch) {
      exam04::gain_gradient(dy_device, it.x_device, rstd, dgain, N, C, H, accumulate, launch);
    });
    trial.expect(
        "dgain",
        [&]<typename Scalar>(Scalar) {
          return reference::head_norm_backward(
                     as_matrix<Scalar>(dy, N, C), as_matrix<Scalar>(it.x, N, C),
                     as_vector<Scalar>(it.gain), as_vector<Scalar>(given), H)
              .dgain;
        },
        4 * N);

    const Matrix<double> X = as_matrix<double>(it.x, N, C), Dy = as_matrix<double>(dy, N, C);
    const Vector<double> Rstd = as_vector<double>(given);
    const auto looks_like = [&](const std::string& name, const Matrix<double>& terms) {
      trial.looks_like(name, "dgain", [&]() -> Vector<double> { return terms.colwise().sum(); });
    };
    const Matrix<double> right = Dy.cwiseProduct(head_normalised(X, Rstd, H));
    looks_like("no_x_hat", Dy);
    looks_like("x_for_x_hat", Dy.cwiseProduct(X));
    looks_like("last_row", right.bottomRows(1));
    looks_like("mean_over_rows", right / N);
    Vector<double> of_first_head(N * H), of_row_0(N * H);
    for (int head = 0; head < N * H; ++head) {
      of_first_head[head] = Rstd[head / H * H], of_row_0[head] = Rstd[head % H];
    }
    looks_like("rstd_of_head_0", Dy.cwiseProduct(head_normalised(X, of_first_head, H)));
    looks_like("rstd_of_row_0", Dy.cwiseProduct(head_normalised(X, of_row_0, H)));
    const Vector<double> before =
        add ? as_vector<double>(trial.before("dgain")) : Vector<double>(Vector<double>::Zero(C));
    trial.looks_like("assigned", "dgain",
                     [&]() -> Vector<double> { return right.colwise().sum() - before; });
  }));
}

}  // namespace
}  // namespace andrea
