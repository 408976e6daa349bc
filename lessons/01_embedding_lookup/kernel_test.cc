#include "lessons/01_embedding_lookup/kernel.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lessons/01_embedding_lookup/mistakes.h"
#include "lessons/01_embedding_lookup/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;

constexpr int kThreads = 128;  // of a block, in kernel.cu

// V is at least N, so that row n of the table is there for who takes it by mistake.
const std::vector<std::vector<int>> kRows = {
    {1, 3, 5}, {2, 3, 7}, {5, 2, 31}, {33, 31, 97}, {31, 129, 40}, {9, 300, 11}, {97, 128, 97}};

TEST(Lesson01, Exercise1) {
  // At last more blocks than a block has threads: a loop that goes on by gridDim.x leaves a gap.
  std::vector<std::vector<int>> sizes = kRows;
  sizes.push_back({200, 300, 200});
  EXPECT_TRUE(exercise("01.1", {"N", "C", "V"}, sizes, [](Trial& trial) {
    const auto [N, C, V] = trial.sizes<3>();
    trial.need(V >= N);
    std::vector<int> tokens = trial.random().integers(N, V);
    if (N == 1) tokens[0] = V - 1;  // so that no slip of the index looks like another
    // Two that differ: the race of who writes all rows to one place is then a race from N = 2 on.
    if (N > 1 && tokens[0] == tokens[1]) tokens[1] = (tokens[0] + 1) % V;
    const std::vector<float> table = trial.random().numbers(V * C);
    const int* tokens_device = trial.input("tokens", {{"n", N}}, tokens);
    const float* table_device = trial.input("token_table", {{"v", V}, {"c", C}}, table);
    float* out = trial.output("out", {{"n", N}, {"c", C}});
    const auto work = [&, N = N, C = C](const Launch& launch) {
      lesson01::gather_rows(tokens_device, table_device, out, N, C, launch);
    };
    trial.run(work);
    trial.expect("out", [&, V = V, C = C]<typename Scalar>(Scalar) {
      return reference::gather_rows(tokens, as_matrix<Scalar>(table, V, C));
    });

    const auto exact = as_matrix<double>(table, V, C);
    const auto token = [&](int n) { return tokens[static_cast<std::size_t>(n)]; };
    trial.looks_like("row_n", "out",
                     [&, N = N] { return mistakes::rows_of(exact, N, [](int n) { return n; }); });
    trial.looks_like("row_zero", "out",
                     [&, N = N] { return mistakes::rows_of(exact, N, [](int) { return 0; }); });
    trial.looks_like("no_width", "out",
                     [&, N = N] { return mistakes::rows_without_width(exact, N, token); });
    trial.looks_like("width_added", "out", [&, N = N, C = C] {
      return mistakes::rows_without_width(exact, N, [&](int n) { return token(n) + C; });
    });
    trial.looks_like("first_columns", "out", [&] {
      const auto right = reference::gather_rows(tokens, exact);
      return mistakes::first_columns(right, kThreads, mistakes::never_written(right));
    });

    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const std::uint64_t stores = counters.total().of(simulator::AccessKind::global_store).lanes;
    const std::uint64_t numbers = static_cast<std::uint64_t>(N) * static_cast<std::uint64_t>(C);
    trial.require(stores <= numbers, "repeated",
                  {{"count", std::to_string(stores)}, {"n", std::to_string(numbers)}});
  }));
}

TEST(Lesson01, Exercise2) {
  const std::vector<std::vector<int>> sizes = {{1, 1, 1},  {1, 3, 2},   {2, 3, 2},   {3, 5, 7},
                                               {5, 2, 31}, {2, 33, 33}, {3, 2, 129}, {2, 9, 300}};
  EXPECT_TRUE(exercise("01.2", {"B", "T", "C"}, sizes, [](Trial& trial) {
    const auto [B, T, C] = trial.sizes<3>();
    const int N = B * T;
    // As the model has it, longer than the sequences are; long enough for row n.
    const std::vector<float> table = trial.random().numbers(N * C);
    const float* table_device = trial.input("position_table", {{"t", N}, {"c", C}}, table);
    float* out = trial.gradient("out", {{"b", B}, {"t", T}, {"c", C}}, Accumulate::add);
    trial.run([&, B = B, T = T, C = C](const Launch& launch) {
      lesson01::add_positions(table_device, out, B, T, C, launch);
    });
    const auto exact = as_matrix<double>(table, N, C);
    const auto right = reference::positions_of_rows(N, T, exact);
    trial.expect("out", [&, T = T, C = C]<typename Scalar>(Scalar) {
      return reference::positions_of_rows(N, T, as_matrix<Scalar>(table, N, C));
    });

    trial.looks_like("row_n", "out",
                     [&] { return mistakes::rows_of(exact, N, [](int n) { return n; }); });
    trial.looks_like("sequence", "out", [&, T = T] {
      return mistakes::rows_of(exact, N, [T](int n) { return n / T; });
    });
    trial.looks_like("modulo_batch", "out", [&, B = B] {
      return mistakes::rows_of(exact, N, [B](int n) { return n % B; });
    });
    trial.looks_like("row_zero", "out",
                     [&] { return mistakes::rows_of(exact, N, [](int) { return 0; }); });
    trial.looks_like("no_width", "out", [&, T = T] {
      return mistakes::rows_without_width(exact, N, [T](int n) { return n % T; });
    });
    trial.looks_like("assigned", "out", [&, C = C]() -> Matrix<double> {
      return right - as_matrix<double>(trial.before("out"), N, C);
    });
    trial.looks_like("assigned_sequence", "out", [&, T = T, C = C]() -> Matrix<double> {
      return mistakes::rows_of(exact, N, [T](int n) { return n / T; }) -
             as_matrix<double>(trial.before("out"), N, C);
    });
    trial.looks_like("first_columns", "out", [&, C = C] {
      return mistakes::first_columns(right, kThreads, Matrix<double>::Zero(N, C));
    });
  }));
}

TEST(Lesson01, Exercise3) {
  std::vector<std::vector<int>> sizes = kRows;
  // One use of the only row; then as many rows as places, where n for an id is in no wrong memory.
  sizes.insert(sizes.begin(), {{1, 2, 1}, {5, 2, 5}});
  EXPECT_TRUE(exercise("01.3", {"N", "C", "V"}, sizes, [](Trial& trial) {
    const auto [N, C, V] = trial.sizes<3>();
    trial.need(V >= N);
    // Few ids for many places, among them the first and the last.
    std::vector<int> tokens = trial.random().integers(N, std::max(2, V / 4));
    tokens.back() = V - 1;
    if (N > 1) tokens.front() = 0;
    const std::vector<float> dout = trial.random().numbers(N * C);
    const float* dout_device = trial.input("dout", {{"n", N}, {"c", C}}, dout);
    const int* tokens_device = trial.input("tokens", {{"n", N}}, tokens);
    float* dtable = trial.gradient("dtoken_table", {{"v", V}, {"c", C}}, Accumulate::add);
    trial.run([&, N = N, C = C](const Launch& launch) {
      lesson01::scatter_add(dout_device, tokens_device, dtable, N, C, launch);
    });
    const auto exact = as_matrix<double>(dout, N, C);
    const auto right = reference::scatter_add(exact, tokens, V);
    trial.expect(
        "dtoken_table",
        [&, N = N, C = C, V = V]<typename Scalar>(Scalar) {
          return reference::scatter_add(as_matrix<Scalar>(dout, N, C), tokens, V);
        },
        N + 1);

    const auto token = [&](int n) { return tokens[static_cast<std::size_t>(n)]; };
    trial.looks_like("row_n", "dtoken_table",
                     [&, V = V] { return mistakes::scattered(exact, V, [](int n) { return n; }); });
    if (N == V) {
      trial.looks_like("exchanged", "dtoken_table",
                       [&, N = N] { return mistakes::rows_of(exact, N, token); });
    }
    trial.looks_like("row_zero", "dtoken_table",
                     [&, V = V] { return mistakes::scattered(exact, V, [](int) { return 0; }); });
    trial.looks_like("no_width", "dtoken_table",
                     [&, V = V] { return mistakes::scattered_without_width(exact, V, token); });
    trial.looks_like("id_zero", "dtoken_table", [&] {
      Matrix<double> wrong = right;
      wrong.row(0).setZero();
      return wrong;
    });
    trial.looks_like("last_only", "dtoken_table", [&, N = N, C = C, V = V] {
      // What the row held before is lost as well.
      Matrix<double> wrong = Matrix<double>::Zero(V, C);
      const auto before = as_matrix<double>(trial.before("dtoken_table"), V, C);
      for (int n = 0; n < N; ++n) wrong.row(token(n)) = exact.row(n) - before.row(token(n));
      return wrong;
    });
    trial.looks_like("first_columns", "dtoken_table", [&, C = C, V = V] {
      return mistakes::first_columns(right, kThreads, Matrix<double>::Zero(V, C));
    });
    trial.looks_like("repeated", "dtoken_table",
                     [&, N = N] { return mistakes::columns_in_steps(right, kThreads, N); });
  }));
}

TEST(Lesson01, Exercise4) {
  const std::vector<std::vector<int>> sizes = {{1, 1, 1, 0},   {1, 3, 2, 1},  {2, 3, 2, 0},
                                               {3, 5, 7, 1},   {5, 2, 31, 0}, {4, 33, 33, 1},
                                               {3, 2, 129, 0}, {2, 9, 300, 1}};
  EXPECT_TRUE(exercise("01.4", {"B", "T", "C", "add"}, sizes, [](Trial& trial) {
    const auto [B, T, C, add] = trial.sizes<4>();
    const Accumulate accumulate = add != 0 ? Accumulate::add : Accumulate::overwrite;
    const int rows = T + 2;  // the last two are not touched
    const std::vector<float> dout = trial.random().numbers(B * T * C);
    const float* dout_device = trial.input("dout", {{"b", B}, {"t", T}, {"c", C}}, dout);
    const Axes axes = {{"t", rows}, {"c", C}};
    std::vector<float> held = trial.random().numbers(rows * C);
    std::fill_n(held.begin(), T * C, stale_number());  // but not the rows that are to stay
    float* dtable = add != 0 ? trial.gradient("dposition_table", axes, accumulate)
                             : trial.prefilled("dposition_table", axes, held);
    trial.run([&, B = B, T = T, C = C](const Launch& launch) {
      lesson01::sum_over_batch(dout_device, dtable, B, T, C, accumulate, launch);
    });

    const auto before = as_matrix<double>(trial.before("dposition_table"), rows, C);
    // What the table holds, of what its first T rows shall hold; where it is added to, the harness
    // adds what was there.
    const auto table = [&, T = T, C = C]<typename Scalar>(const Matrix<Scalar>& sums) {
      Matrix<Scalar> result = Matrix<Scalar>::Zero(rows, C);
      if (accumulate == Accumulate::overwrite) result = before.cast<Scalar>();
      result.topRows(T) = sums;
      return result;
    };
    trial.expect(
        "dposition_table",
        [&, B = B, T = T, C = C]<typename Scalar>(Scalar) {
          return table(reference::sum_over_batch(as_matrix<Scalar>(dout, B * T, C), T));
        },
        B + 1);

    const auto exact = as_matrix<double>(dout, B * T, C);
    const Matrix<double> right = reference::sum_over_batch(exact, T);
    // The sum over b of the row that row_of(b, t) tells.
    const auto sum_of = [&, B = B, T = T, C = C](auto row_of) {
      Matrix<double> sums = Matrix<double>::Zero(T, C);
      for (int t = 0; t < T; ++t) {
        for (int b = 0; b < B; ++b) sums.row(t) += exact.row(row_of(b, t));
      }
      return table(sums);
    };
    trial.looks_like("first_sequence", "dposition_table",
                     [&, T = T] { return table(Matrix<double>(exact.topRows(T))); });
    trial.looks_like("exchanged", "dposition_table",
                     [&, B = B] { return sum_of([B](int b, int t) { return t * B + b; }); });
    trial.looks_like("no_position", "dposition_table",
                     [&, T = T] { return sum_of([T](int b, int) { return b * T; }); });
    trial.looks_like("times_position", "dposition_table",
                     [&] { return sum_of([](int b, int t) { return b * t; }); });
    trial.looks_like("last_sequence", "dposition_table",
                     [&, T = T] { return table(Matrix<double>(exact.bottomRows(T))); });
    // The sum over b of the C numbers of dout that begin at start_of(b, t).
    const auto sum_from = [&, B = B, T = T, C = C](auto start_of) {
      Matrix<double> sums = Matrix<double>::Zero(T, C);
      for (int t = 0; t < T; ++t) {
        for (int b = 0; b < B; ++b) {
          for (int c = 0; c < C; ++c) sums(t, c) += exact.data()[start_of(b, t) + c];
        }
      }
      return table(sums);
    };
    trial.looks_like("no_width", "dposition_table",
                     [&, T = T] { return sum_from([T](int b, int t) { return b * T + t; }); });
    trial.looks_like("batch_without_width", "dposition_table", [&, T = T, C = C] {
      return sum_from([T, C](int b, int t) { return b * T + t * C; });
    });
    trial.looks_like("mean", "dposition_table",
                     [&, B = B] { return table(Matrix<double>(right / B)); });
    trial.looks_like("overwritten", "dposition_table", [&, T = T, add = add]() -> Matrix<double> {
      return table(add != 0 ? Matrix<double>(right - before.topRows(T)) : right);
    });
    trial.looks_like("added", "dposition_table", [&, T = T, add = add]() -> Matrix<double> {
      return table(add != 0 ? right : Matrix<double>(right + before.topRows(T)));
    });
    trial.looks_like("first_columns", "dposition_table", [&, C = C, add = add] {
      const auto rest = add != 0 ? Matrix<double>::Zero(rows, C) : before;
      return mistakes::first_columns(table(right), kThreads, rest);
    });
  }));
}

}  // namespace
}  // namespace andrea
