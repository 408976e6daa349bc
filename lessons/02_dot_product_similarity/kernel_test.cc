#include "lessons/02_dot_product_similarity/kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/dot_similarity.h"
#include "lessons/02_dot_product_similarity/mistakes.h"
#include "lessons/02_dot_product_similarity/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;
using simulator::AccessKind;

// N pairs of C numbers; the last is large enough to be counted.
const std::vector<std::vector<int>> kPairs = {{1, 1},  {2, 3},   {3, 1},   {1, 33},
                                              {5, 31}, {33, 97}, {129, 2}, {64, 96}};

// N, M, C, stride. In the second, [m, n] in place of [n, m] stays within the array; the fourth
// tells a product of the last column from one behind it; the last is of whole tiles, to be counted.
const std::vector<std::vector<int>> kAllPairs = {
    {1, 1, 1, 1},   {2, 2, 3, 2},     {1, 2, 3, 4},      {3, 1, 32, 1},   {2, 33, 31, 40},
    {31, 9, 33, 9}, {33, 31, 97, 40}, {9, 128, 65, 131}, {64, 32, 64, 32}};

// Vectors of many lengths, and some of none, in either matrix.
struct Pairs {
  std::vector<float> a, b;
};

Pairs pairs_of_all_lengths(Trial& trial, int N, int C) {
  Pairs pairs{trial.random().numbers(std::int64_t{N} * C),
              trial.random().numbers(std::int64_t{N} * C)};
  const auto scale = [&](std::vector<float>& matrix, int n, float factor) {
    for (int c = 0; c < C; ++c) matrix[static_cast<std::size_t>(n * C + c)] *= factor;
  };
  for (int n = 2; n < N; n += 5) scale(n % 2 == 0 ? pairs.a : pairs.b, n, 0);
  for (int n = 3; n < N; n += 5) scale(pairs.a, n, 1e-12f), scale(pairs.b, n, 1e-12f);
  for (int n = 4; n < N; n += 5) scale(pairs.a, n, 1e12f), scale(pairs.b, n, 1e12f);
  // No product of these cancels another, so that wrong results are as exact as right ones.
  for (int i = 0; i < N * C; ++i) {
    if (i / C % 5 < 3) continue;
    for (std::vector<float>* matrix : {&pairs.a, &pairs.b}) {
      float& number = (*matrix)[static_cast<std::size_t>(i)];
      number = std::abs(number);
    }
  }
  return pairs;
}

TEST(Lesson02, Exercise1) {
  EXPECT_TRUE(exercise("02.1", {"N", "C"}, kPairs, [](Trial& trial) {
    const auto [N, C] = trial.sizes<2>();
    const auto a = trial.random().numbers(N * C), b = trial.random().numbers(N * C);
    const float* a_device = trial.input("a", {{"n", N}, {"c", C}}, a);
    const float* b_device = trial.input("b", {{"n", N}, {"c", C}}, b);
    float* dots = trial.output("dots", {{"n", N}});
    trial.run(
        [&](const Launch& launch) { lesson02::pair_dots(a_device, b_device, dots, N, C, launch); });
    trial.expect(
        "dots",
        [&]<typename Scalar>(Scalar) {
          return reference::pair_dots(as_matrix<Scalar>(a, N, C), as_matrix<Scalar>(b, N, C));
        },
        C);
    const auto A = as_matrix<double>(a, N, C), B = as_matrix<double>(b, N, C);
    trial.looks_like("last_product", "dots",
                     [&]() -> Vector<double> { return A.col(C - 1).cwiseProduct(B.col(C - 1)); });
    trial.looks_like("first_rows", "dots", [&]() -> Vector<double> {
      return Vector<double>::Constant(N, A.row(0).dot(B.row(0)));
    });
    trial.looks_like("first_row_of_one", "dots",
                     [&]() -> Vector<double> { return A * B.row(0).transpose(); });
    trial.looks_like("first_row_of_one", "dots",
                     [&]() -> Vector<double> { return B * A.row(0).transpose(); });
    trial.looks_like("with_itself", "dots", [&] { return reference::pair_dots(A, A); });
    trial.looks_like("with_itself", "dots", [&] { return reference::pair_dots(B, B); });
    trial.looks_like("sums_of_sums", "dots",
                     [&]() -> Vector<double> { return (A + B).rowwise().sum(); });
    trial.looks_like("by_columns", "dots", [&] {
      return reference::pair_dots(mistakes02::by_columns(A), mistakes02::by_columns(B));
    });
  }));
}

// What 02.2 and 02.3 have in common: the inputs, the right cosines, mistakes in the last step.
struct CosineTrial {
  explicit CosineTrial(Trial& one_trial) : trial(one_trial) {
    const auto sizes = trial.sizes<2>();
    N = sizes[0], C = sizes[1];
    const Pairs pairs = pairs_of_all_lengths(trial, N, C);
    a_device = trial.input("a", {{"n", N}, {"c", C}}, pairs.a);
    b_device = trial.input("b", {{"n", N}, {"c", C}}, pairs.b);
    cosines = trial.output("cosines", {{"n", N}});
    A = as_matrix<double>(pairs.a, N, C), B = as_matrix<double>(pairs.b, N, C);
  }

  void expect() {
    trial.expect(
        "cosines",
        [&]<typename Scalar>(Scalar) {
          return reference::pair_cosines<Scalar>(A.cast<Scalar>(), B.cast<Scalar>());
        },
        C);
    trial.looks_like("zero_vector", "cosines", [&] {
      return mistakes02::quotients(reference::pair_dots(A, B), mistakes02::squares(A),
                                   mistakes02::squares(B));
    });
    trial.looks_like("root_of_product", "cosines",
                     [&] { return mistakes02::with_root_of_product(A, B); });
    for (const double added : {1e-5, 1e-6, 1e-8, 1e-10, 1e-12}) {
      trial.looks_like("added", "cosines",
                       [&] { return mistakes02::with_added_length(A, B, added); });
    }
  }

  // `wrong`, but 0 where a vector is zero.
  Vector<double> guarded(const Vector<double>& wrong) const {
    const Vector<double> a_squares = mistakes02::squares(A), b_squares = mistakes02::squares(B);
    return (a_squares.array() * b_squares.array() > 0).select(wrong, 0.0);
  }

  Trial& trial;
  int N, C;
  const float *a_device, *b_device;
  float* cosines;
  Matrix<double> A, B;
};

TEST(Lesson02, Exercise2) {
  EXPECT_TRUE(exercise("02.2", {"N", "C"}, kPairs, [](Trial& trial) {
    CosineTrial it(trial);
    trial.run([&](const Launch& launch) {
      lesson02::pair_cosines(it.a_device, it.b_device, it.cosines, it.N, it.C, launch);
    });
    it.expect();
    const Vector<double> dots = reference::pair_dots(it.A, it.B);
    const Vector<double> a_squares = mistakes02::squares(it.A),
                         b_squares = mistakes02::squares(it.B);
    trial.looks_like("not_divided", "cosines", [&] { return dots; });
    // The quotient, with and without 0 where a vector is zero.
    const auto looks_like = [&](const std::string& mistake, const auto& lengths) {
      const Vector<double> quotients = dots.array() / lengths;
      trial.looks_like(mistake, "cosines", [&] { return it.guarded(quotients); });
      trial.looks_like(mistake, "cosines", [&] { return quotients; });
    };
    looks_like("no_roots", a_squares.array() * b_squares.array());
    looks_like("one_root", a_squares.array().sqrt() * b_squares.array());
    looks_like("one_root", a_squares.array() * b_squares.array().sqrt());
    for (const Vector<double>& squares : {a_squares, b_squares}) {
      looks_like("one_length", squares.array().sqrt());
      looks_like("one_length_twice", squares.array());
    }
  }));
}

TEST(Lesson02, Exercise3) {
  EXPECT_TRUE(exercise("02.3", {"N", "C"}, kPairs, [](Trial& trial) {
    CosineTrial it(trial);
    const auto work = [&](const Launch& launch) {
      lesson02::pair_cosines_by_warps(it.a_device, it.b_device, it.cosines, it.N, it.C, launch);
    };
    trial.run(work);
    it.expect();
    const Matrix<double> a_part = mistakes02::of_lane_0(it.A), b_part = mistakes02::of_lane_0(it.B);
    const Vector<double> dots = reference::pair_dots(it.A, it.B);
    const Vector<double> part_dots = reference::pair_dots(a_part, b_part);
    const Vector<double> a_squares = mistakes02::squares(it.A),
                         b_squares = mistakes02::squares(it.B);
    const Vector<double> a_parts = mistakes02::squares(a_part),
                         b_parts = mistakes02::squares(b_part);
    trial.looks_like("one_lane", "cosines", [&] {
      return it.guarded(mistakes02::quotients(part_dots, a_parts, b_parts));
    });
    trial.looks_like("lengths_of_one_lane", "cosines",
                     [&] { return it.guarded(mistakes02::quotients(dots, a_parts, b_parts)); });
    trial.looks_like("lengths_of_one_lane", "cosines",
                     [&] { return it.guarded(mistakes02::quotients(dots, a_squares, b_parts)); });
    trial.looks_like("dot_of_one_lane", "cosines", [&] {
      return it.guarded(mistakes02::quotients(part_dots, a_squares, b_squares));
    });
    // One or two of the three sums are asked for by lane 0 alone. Without the others, a shuffle
    // gives it its own number, which is doubled five times.
    for (int alone = 1; alone < 7; ++alone) {
      const auto sum = [alone](int bit, const Vector<double>& all, const Vector<double>& part) {
        return (alone & bit) != 0 ? Vector<double>(32 * part) : all;
      };
      trial.looks_like("sum_in_a_branch", "cosines", [&] {
        return it.guarded(mistakes02::quotients(sum(1, dots, part_dots), sum(2, a_squares, a_parts),
                                                sum(4, b_squares, b_parts)));
      });
    }
    trial.looks_like("first_round", "cosines", [&] {
      const int first = std::min(it.C, 32);
      const Matrix<double> a_first = it.A.leftCols(first), b_first = it.B.leftCols(first);
      return reference::pair_cosines(a_first, b_first);
    });

    if (it.C % 32 != 0) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const simulator::KernelCounters all = counters.total();
    const std::uint64_t stores = all.of(AccessKind::global_store).lanes;
    trial.require(stores <= static_cast<std::uint64_t>(it.N), "repeated",
                  {{"count", std::to_string(stores)}, {"n", std::to_string(it.N)}});
    const auto& loads = all.of(AccessKind::global_load);
    const std::uint64_t numbers = std::uint64_t{2} * it.N * it.C;
    trial.require(loads.lanes <= numbers, "read_again",
                  {{"loads", std::to_string(loads.lanes)}, {"numbers", std::to_string(numbers)}});
    trial.require(loads.sectors <= all.distinct_sectors_read, "scattered",
                  {{"sectors", std::to_string(loads.sectors)},
                   {"least", std::to_string(all.distinct_sectors_read)}});
  }));
}

// What the forms of all pairs have in common.
struct AllPairsTrial {
  explicit AllPairsTrial(Trial& one_trial) : trial(one_trial) {
    const auto sizes = trial.sizes<4>();
    N = sizes[0], M = sizes[1], C = sizes[2], stride = sizes[3];
    trial.need(stride >= M);
    x = trial.random().numbers(std::int64_t{N} * C);
    table = trial.random().numbers(std::int64_t{M} * C);
    // Columns from M on are to stay; what the others hold must not count.
    before = trial.random().numbers(std::int64_t{N} * stride);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (static_cast<int>(i) % stride < M) before[i] = stale_number();
    }
    x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    table_device = trial.input("table", {{"m", M}, {"c", C}}, table);
    out = trial.prefilled("out", {{"n", N}, {"m", stride}}, before);
    X = as_matrix<double>(x, N, C), Table = as_matrix<double>(table, M, C);
  }

  void expect() {
    trial.expect(
        "out",
        [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
          const auto products =
              reference::dot_similarity_forward<Scalar>(X.cast<Scalar>(), Table.cast<Scalar>());
          return mistakes02::in_buffer(products.template cast<double>(), before, stride)
              .template cast<Scalar>();
        },
        C);
    trial.looks_like("no_stride", "out", [&] {
      return mistakes02::without_stride(X * Table.transpose(), before, stride);
    });
    trial.looks_like("turned", "out", [&] {
      return mistakes02::turned_in_buffer(X * Table.transpose(), before, stride);
    });
  }

  void looks_like(const std::string& mistake, const Matrix<double>& products) {
    trial.looks_like(mistake, "out",
                     [&] { return mistakes02::in_buffer(products, before, stride); });
  }

  Trial& trial;
  int N, M, C, stride;
  std::vector<float> x, table, before;
  const float *x_device, *table_device;
  float* out;
  Matrix<double> X, Table;
};

TEST(Lesson02, Exercise4) {
  EXPECT_TRUE(exercise("02.4", {"N", "M", "C", "stride"}, kAllPairs, [](Trial& trial) {
    AllPairsTrial it(trial);
    trial.run([&](const Launch& launch) {
      lesson02::all_pairs(it.x_device, it.table_device, it.out, it.N, it.M, it.C, it.stride,
                          launch);
    });
    it.expect();
    it.looks_like("last_product", mistakes02::last_product(it.X, it.Table));
    it.looks_like("first_row", it.X * it.Table.row(0).transpose().replicate(1, it.M));
    it.looks_like("first_row", it.X.row(0).replicate(it.N, 1) * it.Table.transpose());
    it.looks_like("table_by_columns", it.X * mistakes02::by_columns(it.Table).transpose());
  }));
}

TEST(Lesson02, Exercise5) {
  EXPECT_TRUE(exercise("02.5", {"N", "M", "C", "stride"}, kAllPairs, [](Trial& trial) {
    AllPairsTrial it(trial);
    const auto work = [&](const Launch& launch) {
      lesson02::all_pairs_in_tiles(it.x_device, it.table_device, it.out, it.N, it.M, it.C,
                                   it.stride, launch);
    };
    trial.run(work);
    it.expect();
    constexpr int kTile = 32;
    const int first = std::min(it.C, kTile);
    it.looks_like("last_product", mistakes02::last_product(it.X, it.Table, kTile));
    it.looks_like("first_tile", it.X.leftCols(first) * it.Table.leftCols(first).transpose());
    it.looks_like("last_tile", mistakes02::last_tile(it.X, it.Table, kTile));
    it.looks_like("not_turned", mistakes02::tile_not_turned(it.X, it.Table, kTile));
    it.looks_like("x_turned", mistakes02::x_tile_turned(it.X, it.Table, kTile));
    it.looks_like("same_row", mistakes02::same_row_of_tiles(it.X, it.Table, kTile));
    it.looks_like("same_tile", mistakes02::rows_of_same_tile(it.X, it.Table, kTile));
    it.looks_like("row_of_column", mistakes02::row_of_column(it.X, it.Table, kTile));
    it.looks_like("column_repeated", mistakes02::last_column_repeated(it.X, it.Table, kTile));

    if (it.N % kTile != 0 || it.M % kTile != 0 || it.C % kTile != 0) return;
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const simulator::KernelCounters all = counters.total();
    const auto& loads = all.of(AccessKind::global_load);
    // 02.4 loads two numbers for each product. Here each number of x is loaded once for 32 rows of
    // the table, and the other way round.
    const std::uint64_t naive = std::uint64_t{2} * it.N * it.M * it.C, least = naive / kTile;
    trial.require(loads.lanes <= least, "loaded_again",
                  {{"loads", std::to_string(loads.lanes)},
                   {"naive", std::to_string(naive)},
                   {"least", std::to_string(least)}});
    trial.require(loads.sectors == loads.least_sectors, "scattered",
                  {{"sectors", std::to_string(loads.sectors)},
                   {"least", std::to_string(loads.least_sectors)}});
    for (const AccessKind kind : {AccessKind::shared_load, AccessKind::shared_store}) {
      const auto& of = all.of(kind);
      trial.require(of.wavefronts == of.least_wavefronts, "bank_conflicts",
                    {{"wavefronts", std::to_string(of.wavefronts)},
                     {"least", std::to_string(of.least_wavefronts)}});
    }
  }));
}

// What both gradients need.
struct BackwardTrial {
  explicit BackwardTrial(Trial& one_trial) : trial(one_trial) {
    const auto sizes = trial.sizes<5>();
    N = sizes[0], M = sizes[1], C = sizes[2], stride = sizes[3];
    accumulate = sizes[4] != 0 ? Accumulate::add : Accumulate::overwrite;
    trial.need(stride >= M);
    dout = trial.random().numbers(std::int64_t{N} * stride);
    x = trial.random().numbers(std::int64_t{N} * C);
    table = trial.random().numbers(std::int64_t{M} * C);
    dout_device = trial.input("dout", {{"n", N}, {"m", stride}}, dout);
    X = as_matrix<double>(x, N, C), Table = as_matrix<double>(table, M, C);
    Dout = as_matrix<double>(dout, N, stride).leftCols(M);
    Dout_without_stride = mistakes02::read_without_stride(dout, N, M);
    Dout_turned = mistakes02::read_turned(dout, N, M, stride);
  }

  const float* x_device() { return trial.input("x", {{"n", N}, {"c", C}}, x); }
  const float* table_device() { return trial.input("table", {{"m", M}, {"c", C}}, table); }
  // Activations' gradients are overwritten, whatever they held.
  float* dx() { return trial.gradient("dx", {{"n", N}, {"c", C}}, Accumulate::overwrite); }
  float* dtable() { return trial.gradient("dtable", {{"m", M}, {"c", C}}, accumulate); }

  void expect_dx() {
    trial.expect(
        "dx",
        [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
          return Dout.cast<Scalar>() * Table.cast<Scalar>();
        },
        M);
  }

  void expect_dtable() {
    trial.expect(
        "dtable",
        [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
          return Dout.cast<Scalar>().transpose() * X.cast<Scalar>();
        },
        N + 1);
  }

  Trial& trial;
  int N, M, C, stride;
  Accumulate accumulate;
  std::vector<float> dout, x, table;
  const float* dout_device;
  Matrix<double> X, Table, Dout, Dout_without_stride, Dout_turned;
};

const std::vector<std::string> kBackwardNames = {"N", "M", "C", "stride", "add"};

TEST(Lesson02, Exercise6) {
  std::vector<std::vector<int>> sizes = kAllPairs;
  for (std::vector<int>& size : sizes) size.push_back(0);
  EXPECT_TRUE(exercise("02.6", kBackwardNames, sizes, [](Trial& trial) {
    BackwardTrial it(trial);
    const float* table = it.table_device();
    float* dx = it.dx();
    trial.run([&](const Launch& launch) {
      lesson02::gradient_of_x(it.dout_device, table, dx, it.N, it.M, it.C, it.stride, launch);
    });
    it.expect_dx();
    trial.looks_like("no_stride", "dx",
                     [&]() -> Matrix<double> { return it.Dout_without_stride * it.Table; });
    trial.looks_like("dout_turned", "dx",
                     [&]() -> Matrix<double> { return it.Dout_turned * it.Table; });
    trial.looks_like("last_product", "dx", [&]() -> Matrix<double> {
      return it.Dout.rightCols(1) * it.Table.bottomRows(1);
    });
    trial.looks_like("first_row_of_table", "dx",
                     [&]() -> Matrix<double> { return it.Dout.rowwise().sum() * it.Table.row(0); });
    trial.looks_like("first_row_of_dout", "dx", [&]() -> Matrix<double> {
      return (it.Dout.row(0) * it.Table).replicate(it.N, 1);
    });
    trial.looks_like("table_by_columns", "dx", [&]() -> Matrix<double> {
      return it.Dout * mistakes02::by_columns(it.Table);
    });
  }));
}

TEST(Lesson02, Exercise7) {
  const auto sizes = both_ways(kAllPairs);
  EXPECT_TRUE(exercise("02.7", kBackwardNames, sizes, [](Trial& trial) {
    BackwardTrial it(trial);
    const float* x = it.x_device();
    float* dtable = it.dtable();
    trial.run([&](const Launch& launch) {
      lesson02::gradient_of_table(it.dout_device, x, dtable, it.N, it.M, it.C, it.stride,
                                  it.accumulate, launch);
    });
    it.expect_dtable();
    trial.looks_like("no_stride", "dtable",
                     [&]() -> Matrix<double> { return it.Dout_without_stride.transpose() * it.X; });
    trial.looks_like("dout_turned", "dtable",
                     [&]() -> Matrix<double> { return it.Dout_turned.transpose() * it.X; });
    trial.looks_like("last_product", "dtable", [&]() -> Matrix<double> {
      return it.Dout.bottomRows(1).transpose() * it.X.bottomRows(1);
    });
    trial.looks_like("first_row_of_x", "dtable", [&]() -> Matrix<double> {
      return it.Dout.colwise().sum().transpose() * it.X.row(0);
    });
    trial.looks_like("first_row_of_dout", "dtable", [&]() -> Matrix<double> {
      return it.Dout.row(0).transpose() * it.X.colwise().sum();
    });
    const auto with_before = [&](Accumulate wrongly, double sign) -> Matrix<double> {
      Matrix<double> wrong = it.Dout.transpose() * it.X;
      if (it.accumulate == wrongly) {
        wrong += sign * as_matrix<double>(trial.before("dtable"), it.M, it.C);
      }
      return wrong;
    };
    trial.looks_like("overwritten", "dtable", [&] { return with_before(Accumulate::add, -1); });
    trial.looks_like("added", "dtable", [&] { return with_before(Accumulate::overwrite, 1); });
  }));
}

// The operation as a model calls it; with `add` the gradient of x is not asked for.
TEST(Lesson02, Whole) {
  const auto sizes = both_ways(kAllPairs);
  EXPECT_TRUE(whole("02.7", "kernels/dot_similarity.h", kBackwardNames, sizes, [](Trial& trial) {
    BackwardTrial it(trial);
    const float *x = it.x_device(), *table = it.table_device();
    float *out = trial.output("out", {{"n", it.N}, {"m", it.M}}), *dtable = it.dtable();
    float* dx = it.accumulate == Accumulate::overwrite ? it.dx() : nullptr;
    trial.run(
        [&](const Launch& launch) {
          dot_similarity_forward(x, table, out, it.N, it.M, it.C, it.M, launch);
          dot_similarity_backward(it.dout_device, x, table, dx, dtable, it.N, it.M, it.C, it.stride,
                                  it.accumulate, launch);
        },
        dot_similarity_scratch_bytes(it.N, it.M, it.C));
    trial.expect(
        "out",
        [&]<typename Scalar>(Scalar) {
          return reference::dot_similarity_forward<Scalar>(it.X.cast<Scalar>(),
                                                           it.Table.cast<Scalar>());
        },
        it.C);
    if (dx != nullptr) it.expect_dx();
    it.expect_dtable();
  }));
}

}  // namespace
}  // namespace andrea
