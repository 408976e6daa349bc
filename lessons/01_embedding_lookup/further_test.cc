#include "lessons/01_embedding_lookup/further.h"

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/device_buffer.h"
#include "lessons/01_embedding_lookup/mistakes.h"
#include "lessons/01_embedding_lookup/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/any_order.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using simulator::AccessKind;

constexpr std::uint64_t kThreads = 128;  // of a block, in further.cu

TEST(Lesson01, Exercise5) {
  const std::vector<std::vector<int>> sizes = {{1, 4, 3},   {2, 3, 7},    {5, 36, 31},
                                               {3, 33, 40}, {33, 64, 97}, {9, 516, 11}};
  EXPECT_TRUE(exercise("01.5", {"N", "C", "V"}, sizes, [](Trial& trial) {
    const auto [N, C, V] = trial.sizes<3>();
    trial.need(V >= N);
    const std::vector<int> tokens = trial.random().integers(N, V);
    const std::vector<float> table = trial.random().numbers(V * C);
    const int* tokens_device = trial.input("tokens", {{"n", N}}, tokens);
    const float* table_device = trial.input("token_table", {{"v", V}, {"c", C}}, table);
    float* out = trial.output("out", {{"n", N}, {"c", C}});
    const auto work = [&, N = N, C = C](const Launch& launch) {
      lesson01::gather_rows_by_vectors(tokens_device, table_device, out, N, C, launch);
    };
    trial.run(work);
    trial.expect("out", [&, V = V, C = C]<typename Scalar>(Scalar) {
      return reference::gather_rows(tokens, as_matrix<Scalar>(table, V, C));
    });
    const auto exact = as_matrix<double>(table, V, C);
    trial.looks_like("row_n", "out",
                     [&, N = N] { return mistakes::rows_of(exact, N, [](int n) { return n; }); });
    trial.looks_like("first_quarter", "out", [&, C = C] {
      const auto right = reference::gather_rows(tokens, exact);
      return C % 4 == 0 ? mistakes::first_columns(right, C / 4, mistakes::never_written(right))
                        : right;
    });

    if (C % 4 != 0 || trial.failure().kind != Failure::none) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const std::uint64_t requests = counters.total().of(AccessKind::global_store).requests;
    // A warp stores 32 times 16 bytes at once.
    const std::uint64_t least = static_cast<std::uint64_t>(N) * ((C / 4 + 31) / 32);
    trial.require(requests <= least, "single",
                  {{"requests", std::to_string(requests)}, {"least", std::to_string(least)}});
    if (least == static_cast<std::uint64_t>(N) * ((C + 31) / 32)) return;  // both show, or neither
    std::uint64_t single_loads = 0;
    for (const simulator::KernelCounters& kernel : counters.kernels()) {
      for (const simulator::LineCounters& line : kernel.lines) {
        if (line.kind == AccessKind::global_load && line.bytes < 16) {
          single_loads += line.counters.lanes;
        }
      }
    }
    // Each thread may read its token, as often as it goes round.
    const std::uint64_t tokens_read =
        static_cast<std::uint64_t>(N) * std::max<std::uint64_t>(kThreads, C / 4 + kThreads);
    trial.require(single_loads <= tokens_read, "single_loads",
                  {{"loads", std::to_string(single_loads)}});
  }));
}

// dtoken_table where one id has all places, so that every block and thread could meet.
std::vector<float> sums_of_one_id() {
  constexpr int N = 200, C = 3, V = 2;
  RandomInputs random;
  const DeviceBuffer<float> dout{std::span<const float>(random.numbers(N * C))};
  const DeviceBuffer<int> tokens{std::span<const int>(std::vector<int>(N, 1))};
  DeviceBuffer<float> dtable(V * C);
  lesson01::scatter_add_in_order(dout.data(), tokens.data(), dtable.data(), N, C, V, Launch());
  return dtable.to_host();
}

TEST(Lesson01, Exercise6) {
  const std::vector<std::vector<int>> sizes = {{1, 1, 3},    {2, 3, 7},     {9, 2, 5},
                                               {33, 31, 40}, {40, 129, 17}, {97, 7, 300}};
  EXPECT_TRUE(exercise("01.6", {"N", "C", "V"}, sizes, [](Trial& trial) {
    const auto [N, C, V] = trial.sizes<3>();
    std::vector<int> tokens = trial.random().integers(N, std::max(2, V / 4));
    tokens.back() = V - 1;
    if (N > 1) tokens.front() = 0;
    const std::vector<float> dout = trial.random().numbers(N * C);
    const float* dout_device = trial.input("dout", {{"n", N}, {"c", C}}, dout);
    const int* tokens_device = trial.input("tokens", {{"n", N}}, tokens);
    float* dtable = trial.gradient("dtoken_table", {{"v", V}, {"c", C}}, Accumulate::add);
    const auto work = [&, N = N, C = C, V = V](const Launch& launch) {
      lesson01::scatter_add_in_order(dout_device, tokens_device, dtable, N, C, V, launch);
    };
    trial.run(work);
    const auto exact = as_matrix<double>(dout, N, C);
    const auto right = reference::scatter_add(exact, tokens, V);
    trial.expect(
        "dtoken_table",
        [&, N = N, C = C, V = V]<typename Scalar>(Scalar) {
          return reference::scatter_add(as_matrix<Scalar>(dout, N, C), tokens, V);
        },
        N + 1);
    const auto before = as_matrix<double>(trial.before("dtoken_table"), V, C);
    trial.looks_like("assigned", "dtoken_table",
                     [&]() -> Matrix<double> { return right - before; });
    trial.looks_like("first_only", "dtoken_table", [&, N = N, C = C, V = V] {
      Matrix<double> wrong = Matrix<double>::Zero(V, C);
      std::vector<bool> seen(static_cast<std::size_t>(V));
      for (int n = 0; n < N; ++n) {
        const int token = tokens[static_cast<std::size_t>(n)];
        if (!seen[static_cast<std::size_t>(token)]) wrong.row(token) = exact.row(n);
        seen[static_cast<std::size_t>(token)] = true;
      }
      return wrong;
    });
    trial.looks_like("last_only", "dtoken_table", [&, N = N, C = C, V = V] {
      Matrix<double> wrong = Matrix<double>::Zero(V, C);
      for (int n = 0; n < N; ++n) wrong.row(tokens[static_cast<std::size_t>(n)]) = exact.row(n);
      return wrong;
    });

    // Without races and without atomics no order of threads or blocks can change a bit.
    if (trial.failure().kind != Failure::none) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const std::uint64_t atomics = counters.total().of(AccessKind::global_atomic).lanes;
    trial.require(atomics == 0, "atomics", {{"count", std::to_string(atomics)}});
  }));
  if (HasFailure()) return;
  EXPECT_TRUE(same_bits_in_any_order("01.6", sums_of_one_id));
}

TEST(Lesson01, Exercise7) {
  const std::vector<std::vector<int>> sizes = {{1, 1, 3},   {2, 3, 7},     {5, 2, 31},
                                               {33, 7, 97}, {3, 129, 140}, {9, 33, 129}};
  EXPECT_TRUE(exercise("01.7", {"N", "C", "V"}, sizes, [](Trial& trial) {
    const auto [N, C, V] = trial.sizes<3>();
    trial.need(V >= N);
    const std::vector<int> tokens = trial.random().integers(N, V);
    const std::vector<float> table = trial.random().numbers(V * C);
    const int* tokens_device = trial.input("tokens", {{"n", N}}, tokens);
    const float* table_device = trial.input("token_table", {{"v", V}, {"c", C}}, table);
    float* one_hot = trial.output("one_hot", {{"n", N}, {"v", V}});
    float* out = trial.output("out", {{"n", N}, {"c", C}});
    const auto work = [&, N = N, C = C, V = V](const Launch& launch) {
      lesson01::one_hot_times_table(tokens_device, table_device, one_hot, out, N, C, V, launch);
    };
    trial.run(work);
    trial.expect("one_hot", [&, V = V]<typename Scalar>(Scalar) {
      return reference::one_hot<Scalar>(tokens, V);
    });
    trial.expect("out", [&, V = V, C = C]<typename Scalar>(Scalar) {
      return reference::gather_rows(tokens, as_matrix<Scalar>(table, V, C));
    });
    const auto exact = as_matrix<double>(table, V, C);
    const auto times_id = [&, N = N](Matrix<double> rows) {
      for (int n = 0; n < N; ++n) rows.row(n) *= tokens[static_cast<std::size_t>(n)];
      return rows;
    };
    trial.looks_like("ids", "one_hot",
                     [&, V = V] { return times_id(reference::one_hot<double>(tokens, V)); });
    trial.looks_like("ids", "out", [&] { return times_id(reference::gather_rows(tokens, exact)); });
    trial.looks_like("column_n", "one_hot",
                     [&, N = N, V = V] { return Matrix<double>(Matrix<double>::Identity(N, V)); });
    trial.looks_like("column_n", "out",
                     [&, N = N] { return mistakes::rows_of(exact, N, [](int n) { return n; }); });
    trial.looks_like("ones_only", "one_hot", [&, V = V] {
      const auto right = reference::one_hot<double>(tokens, V);
      return Matrix<double>((right.array() > 0).select(right, mistakes::never_written(right)));
    });
    trial.looks_like("ones_only", "out", [&] {
      return mistakes::never_written(reference::gather_rows(tokens, exact));
    });
    trial.looks_like("column_sum", "out", [&, N = N]() -> Matrix<double> {
      return exact.colwise().sum().replicate(N, 1);
    });

    if (trial.failure().kind != Failure::none) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    // A product reads every number of both matrices, who looks for the 1 does not.
    const std::uint64_t read = counters.total().distinct_sectors_read * simulator::kSectorBytes;
    const std::uint64_t least = sizeof(float) * static_cast<std::uint64_t>(V * (N + C));
    trial.require(read >= least, "not_multiplied",
                  {{"read", std::to_string(read)}, {"least", std::to_string(least)}});
  }));
}

}  // namespace
}  // namespace andrea
