#include "exam/x01_segment_mean/kernel.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "exam/x01_segment_mean/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;

constexpr int kThreads = 128;  // of a block, in kernel.cu
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// S segments of N tokens, C columns, a table of V rows. V is at least N and S, so that those who
// take row n or row s by mistake find one.
const std::vector<std::string> kNames = {"S", "N", "C", "V"};
const std::vector<std::vector<int>> kSizes = {{1, 1, 1, 3},     {1, 3, 2, 5},    {2, 5, 3, 7},
                                              {4, 5, 2, 31},    {5, 33, 31, 40}, {33, 31, 97, 60},
                                              {9, 60, 129, 70}, {3, 12, 300, 13}};

struct Segments {
  explicit Segments(Trial& trial) {
    const auto sizes = trial.sizes<4>();
    S = sizes[0], N = sizes[1], C = sizes[2], V = sizes[3];
    trial.need(V >= N && V >= S && V > 1);
    starts = trial.random().integers(S + 1, N + 1);
    starts.front() = 0, starts.back() = N;
    if (S > 2) starts[2] = starts[1];  // a segment without tokens
    std::sort(starts.begin(), starts.end());
    // Few ids for many places, among them the first and the last; none that happens to be n.
    tokens = trial.random().integers(N, std::max(2, V / 2));
    tokens.front() = V - 1;
    if (N > 2) tokens[2] = 0;
    starts_device = trial.input("starts", {{"s", S + 1}}, starts);
    tokens_device = trial.input("tokens", {{"n", N}}, tokens);
  }

  int begin(int s) const { return starts[static_cast<std::size_t>(s)]; }
  int end(int s) const { return starts[static_cast<std::size_t>(s) + 1]; }
  int count(int s) const { return end(s) - begin(s); }
  int token(int n) const { return tokens[static_cast<std::size_t>(n)]; }

  int S, N, C, V;
  std::vector<int> starts, tokens;
  const int *starts_device, *tokens_device;
};

TEST(Exam01, Exercise1) {
  EXPECT_TRUE(exercise("x01.1", kNames, kSizes, [](Trial& trial) {
    const Segments it(trial);
    const auto table = trial.random().numbers(std::int64_t{it.V} * it.C);
    const float* table_device = trial.input("token_table", {{"v", it.V}, {"c", it.C}}, table);
    float* out = trial.output("out", {{"s", it.S}, {"c", it.C}});
    trial.run([&](const Launch& launch) {
      exam01::segment_means(it.starts_device, it.tokens_device, table_device, out, it.S, it.C,
                            launch);
    });
    trial.expect(
        "out",
        [&]<typename Scalar>(Scalar) {
          return reference::segment_means(it.starts, it.tokens,
                                          as_matrix<Scalar>(table, it.V, it.C));
        },
        2);

    const auto exact = as_matrix<double>(table, it.V, it.C);
    const Matrix<double> right = reference::segment_means(it.starts, it.tokens, exact);
    // The sum of the rows that `row(n)` names, over first .. last, times `factor`.
    const auto by = [&](const auto& row, const auto& first, const auto& factor) {
      Matrix<double> wrong = Matrix<double>::Zero(it.S, it.C);
      for (int s = 0; s < it.S; ++s) {
        for (int n = first(s); n < it.end(s); ++n) wrong.row(s) += exact.row(row(n));
        if (it.count(s) > 0) wrong.row(s) *= factor(s);
      }
      return wrong;
    };
    const auto token = [&](int n) { return it.token(n); };
    const auto begin = [&](int s) { return it.begin(s); };
    const auto share = [&](int s) { return 1.0 / it.count(s); };
    trial.looks_like("sum", "out", [&] { return by(token, begin, [](int) { return 1.0; }); });
    trial.looks_like("of_all", "out",
                     [&] { return by(token, begin, [&](int) { return 1.0 / it.N; }); });
    trial.looks_like("empty", "out", [&] {
      Matrix<double> wrong = right;
      for (int s = 0; s < it.S; ++s) {
        if (it.count(s) == 0) wrong.row(s).setConstant(kNotANumber);
      }
      return wrong;
    });
    trial.looks_like("last_token", "out", [&] {
      return by(
          token, [&](int s) { return std::max(it.begin(s), it.end(s) - 1); }, share);
    });
    trial.looks_like("first_missing", "out", [&] {
      return by(
          token, [&](int s) { return it.begin(s) + 1; }, share);
    });
    trial.looks_like("row_n", "out", [&] { return by([](int n) { return n; }, begin, share); });
    trial.looks_like("first_columns", "out", [&] {
      Matrix<double> wrong = right;
      if (it.C > kThreads) wrong.rightCols(it.C - kThreads).setConstant(kNotANumber);
      return wrong;
    });
  }));
}

TEST(Exam01, Exercise2) {
  EXPECT_TRUE(exercise("x01.2", kNames, kSizes, [](Trial& trial) {
    const Segments it(trial);
    const auto dout = trial.random().numbers(std::int64_t{it.S} * it.C);
    const float* dout_device = trial.input("dout", {{"s", it.S}, {"c", it.C}}, dout);
    float* dtable = trial.gradient("dtoken_table", {{"v", it.V}, {"c", it.C}}, Accumulate::add);
    trial.run([&](const Launch& launch) {
      exam01::scatter_shares(dout_device, it.starts_device, it.tokens_device, dtable, it.S, it.C,
                             launch);
    });
    trial.expect(
        "dtoken_table",
        [&]<typename Scalar>(Scalar) {
          return reference::scatter_shares(as_matrix<Scalar>(dout, it.S, it.C), it.starts,
                                           it.tokens, it.V);
        },
        it.N + 1);

    const auto exact = as_matrix<double>(dout, it.S, it.C);
    // factor(s) times row source(s) of dout to row target(n), for those that count.
    const auto by = [&](const auto& target, const auto& source, const auto& factor,
                        const auto& counts) {
      Matrix<double> wrong = Matrix<double>::Zero(it.V, it.C);
      for (int s = 0; s < it.S; ++s) {
        for (int n = it.begin(s); n < it.end(s); ++n) {
          if (counts(s, n)) wrong.row(target(n)) += factor(s) * exact.row(source(s));
        }
      }
      return wrong;
    };
    const auto token = [&](int n) { return it.token(n); };
    const auto own = [](int s) { return s; };
    const auto share = [&](int s) { return 1.0 / it.count(s); };
    const auto all = [](int, int) { return true; };
    const auto looks_like = [&](const std::string& name, const auto&... how) {
      trial.looks_like(name, "dtoken_table", [&] { return by(how...); });
    };
    looks_like(
        "not_divided", token, own, [](int) { return 1.0; }, all);
    looks_like(
        "of_all", token, own, [&](int) { return 1.0 / it.N; }, all);
    looks_like("first_token", token, own, share, [&](int s, int n) { return n == it.begin(s); });
    looks_like("first_missing", token, own, share, [&](int s, int n) { return n > it.begin(s); });
    looks_like(
        "row_n", [](int n) { return n; }, own, share, all);
    looks_like(
        "first_segment", token, [](int) { return 0; }, share, all);
    trial.looks_like("first_columns", "dtoken_table", [&] {
      Matrix<double> wrong = by(token, own, share, all);
      if (it.C > kThreads) wrong.rightCols(it.C - kThreads).setZero();
      return wrong;
    });
  }));
}

}  // namespace
}  // namespace andrea
