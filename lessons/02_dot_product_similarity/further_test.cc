#include "lessons/02_dot_product_similarity/further.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "lessons/02_dot_product_similarity/mistakes.h"
#include "lessons/02_dot_product_similarity/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;
using simulator::AccessKind;

TEST(Lesson02, Exercise8) {
  EXPECT_TRUE(exercise(
      "02.8", {"N", "M", "C", "stride"},
      {{1, 1, 1, 1},
       {2, 3, 32, 4},
       {17, 5, 31, 8},
       {33, 97, 33, 97},
       {65, 63, 9, 70},
       {64, 64, 64, 64}},
      [](Trial& trial) {
        const auto [N, M, C, stride] = trial.sizes<4>();
        trial.need(stride >= M);
        const auto x = trial.random().numbers(N * C), table = trial.random().numbers(M * C);
        auto before = trial.random().numbers(N * stride);
        for (std::size_t i = 0; i < before.size(); ++i) {
          if (static_cast<int>(i) % stride < M) before[i] = stale_number();
        }
        const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
        const float* table_device = trial.input("table", {{"m", M}, {"c", C}}, table);
        float* out = trial.prefilled("out", {{"n", N}, {"m", stride}}, before);
        const auto work = [&](const Launch& launch) {
          lesson02::all_pairs_in_patches(x_device, table_device, out, N, M, C, stride, launch);
        };
        trial.run(work);
        trial.expect(
            "out",
            [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
              const auto products = reference::dot_similarity_forward(
                  as_matrix<Scalar>(x, N, C), as_matrix<Scalar>(table, M, C));
              return mistakes02::in_buffer(products.template cast<double>(), before, stride)
                  .template cast<Scalar>();
            },
            C);
        const auto X = as_matrix<double>(x, N, C), Table = as_matrix<double>(table, M, C);
        const auto in_buffer = [&](const Matrix<double>& products) {
          return mistakes02::in_buffer(products, before, stride);
        };
        trial.looks_like("last_product", "out",
                         [&] { return in_buffer(mistakes02::last_product(X, Table, 32)); });
        trial.looks_like("no_stride", "out", [&] {
          return mistakes02::without_stride(X * Table.transpose(), before, stride);
        });
        trial.looks_like("one_sum", "out",
                         [&] { return in_buffer(mistakes02::one_sum_a_patch(X, Table)); });
        trial.looks_like("patch_turned", "out",
                         [&] { return in_buffer(mistakes02::patches_turned(X, Table)); });
        trial.looks_like("written_as_neighbours", "out",
                         [&] { return in_buffer(mistakes02::written_as_neighbours(X, Table)); });
        trial.looks_like("read_as_neighbours", "out",
                         [&] { return in_buffer(mistakes02::read_as_neighbours(X, Table)); });

        if (N % 64 != 0 || M % 64 != 0 || C % 32 != 0) return;
        const simulator::Counters counters = trial.counted(work);
        if (!counters.counted()) return;
        const simulator::KernelCounters all = counters.total();
        const auto& loads = all.of(AccessKind::shared_load);
        const std::uint64_t products = std::uint64_t(N) * M * C;
        trial.require(
            loads.lanes <= products / 2, "loaded_again",
            {{"loads", std::to_string(loads.lanes)}, {"products", std::to_string(products)}});
        trial.require(loads.wavefronts == loads.least_wavefronts, "bank_conflicts",
                      {{"wavefronts", std::to_string(loads.wavefronts)},
                       {"least", std::to_string(loads.least_wavefronts)}});
      }));
}

// The k rows for which `nearer(cosine, row, other cosine, other row)` puts them first.
template <typename Nearer>
Vector<double> first_of(const Vector<double>& cosines, const std::vector<int>& rows, int k,
                        const Nearer& nearer) {
  std::vector<int> order = rows;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return nearer(cosines[a], a, cosines[b], b); });
  order.resize(static_cast<std::size_t>(k), -1);
  return Eigen::Map<const Eigen::Matrix<int, 1, Eigen::Dynamic>>(order.data(), k).cast<double>();
}

bool nearest_first(double cosine, int row, double other, int other_row) {
  return cosine > other || (cosine == other && row < other_row);
}

struct Neighbours {
  std::vector<float> table;
  Vector<double> cosines;
  int row;
};

// A table with equal rows and one of zeros, in which no two cosines differ by less than floats can
// tell.
Neighbours clear_neighbours(Trial& trial, int V, int C) {
  for (;;) {
    Neighbours it{trial.random().numbers(std::int64_t{V} * C), Vector<double>(V), V / 2};
    for (int v = 0; v < V; ++v) {
      const float length = 0.25f * static_cast<float>(1 + v % 7);
      for (int c = 0; c < C; ++c) {
        float& number = it.table[static_cast<std::size_t>(v * C + c)];
        if (v % 3 == 2)
          number = it.table[static_cast<std::size_t>((v - 2) * C + c)];
        else
          number *= length;
      }
    }
    if (V > 3) std::fill_n(it.table.begin() + C, C, 0.0f);  // row 1, which has no equal
    const Matrix<double> all = as_matrix<double>(it.table, V, C);
    for (int v = 0; v < V; ++v) {
      it.cosines[v] = reference::cosine<double>(all.row(it.row), all.row(v));
      if (v % 3 == 2) it.cosines[v] = it.cosines[v - 2];
    }
    std::vector<double> sorted(it.cosines.begin(), it.cosines.end());
    std::sort(sorted.begin(), sorted.end());
    bool clear = true;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      const double gap = sorted[i] - sorted[i - 1];
      if (gap > 0 && gap < 1e-6) clear = false;
    }
    if (clear) return it;
  }
}

TEST(Lesson02, Exercise9) {
  EXPECT_TRUE(exercise(
      "02.9", {"V", "C", "k"},
      {{2, 3, 1}, {3, 4, 2}, {9, 33, 8}, {33, 5, 3}, {40, 96, 8}, {97, 31, 8}}, [](Trial& trial) {
        const auto [V, C, k] = trial.sizes<3>();
        trial.need(k < V && k <= lesson02::kMostNeighbours && C > 2);
        const Neighbours it = clear_neighbours(trial, V, C);
        const float* table = trial.input("table", {{"v", V}, {"c", C}}, it.table);
        float* cosines = trial.output("cosines", {{"v", V}});
        int* neighbours = trial.output<int>("neighbours", {{"place", k}});
        const auto work = [&, V = V, C = C, k = k](const Launch& launch) {
          lesson02::nearest_neighbours(table, cosines, neighbours, it.row, V, C, k, launch);
        };
        trial.run(work);
        const Vector<double>& exact = it.cosines;
        trial.expect(
            "cosines",
            [&]<typename Scalar>(Scalar) -> Vector<Scalar> { return exact.cast<Scalar>(); }, C);
        std::vector<int> all(static_cast<std::size_t>(V));
        std::iota(all.begin(), all.end(), 0);
        std::vector<int> others = all;
        others.erase(others.begin() + it.row);
        trial.expect("neighbours", [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return first_of(exact, others, k, nearest_first).template cast<Scalar>();
        });
        trial.looks_like("itself", "neighbours",
                         [&] { return first_of(exact, all, k, nearest_first); });
        trial.looks_like("higher_row_first", "neighbours", [&] {
          return first_of(exact, others, k, [](double a, int i, double b, int j) {
            return a > b || (a == b && i > j);
          });
        });
        trial.looks_like("farthest", "neighbours",
                         [&] { return first_of(-exact, others, k, nearest_first); });
        trial.looks_like("by_dot_product", "neighbours", [&] {
          const Matrix<double> rows = as_matrix<double>(it.table, V, C);
          const Vector<double> dots = rows * rows.row(it.row).transpose();
          return first_of(dots, others, k, nearest_first);
        });
        trial.looks_like("by_dot_product", "cosines", [&]() -> Vector<double> {
          const Matrix<double> rows = as_matrix<double>(it.table, V, C);
          return rows * rows.row(it.row).transpose();
        });
        trial.looks_like("one_lane", "neighbours", [&] {
          std::vector<int> of_lane_0;
          for (const int v : others) {
            if (v % 32 == 0) of_lane_0.push_back(v);
          }
          Vector<double> found = first_of(exact, of_lane_0, k, nearest_first);
          return Vector<double>((found.array() < 0).select(V, found));
        });
        // Not a number is nearer than none, and none is nearer than it.
        const auto is_zero = [&](int v) { return V > 3 && v == 1; };
        trial.looks_like("zero_vector", "cosines", [&] {
          Vector<double> wrong = exact;
          for (int v = 0; v < V; ++v) {
            if (is_zero(v)) wrong[v] = std::nan("");
          }
          return wrong;
        });
        trial.looks_like("zero_vector", "neighbours", [&] {
          std::vector<int> found = others;
          std::erase_if(found, is_zero);
          const Vector<double> nearest = first_of(exact, found, k, nearest_first);
          return Vector<double>((nearest.array() < 0).select(V, nearest));
        });
        trial.looks_like("always_the_first", "neighbours", [&]() -> Vector<double> {
          return Vector<double>::Constant(k, first_of(exact, others, 1, nearest_first)[0]);
        });

        if (trial.failure().kind != Failure::none) return;
        const simulator::Counters counters = trial.counted(work);
        if (!counters.counted()) return;
        const auto stores =
            static_cast<std::int64_t>(counters.total().of(AccessKind::global_store).lanes);
        trial.require(stores <= V + k, "repeated",
                      {{"count", std::to_string(stores)}, {"least", std::to_string(V + k)}});
      }));
}

}  // namespace
}  // namespace andrea
