#include WORKSHEET

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

using Shape = std::vector<std::int64_t>;

std::string given(std::int64_t N, std::int64_t M, std::int64_t C) {
  return "N=" + std::to_string(N) + ", M=" + std::to_string(M) + ", C=" + std::to_string(C);
}

template <typename Array>
Shape as_vector(const Array& array) {
  return {array.begin(), array.end()};
}

// The root of the mean square of the dot products of random vectors.
double measured_dot(int width) {
  std::mt19937 generator(768);
  std::normal_distribution<double> normal;
  constexpr int kPairs = 2000;
  double squares = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    double dot = 0;
    for (int c = 0; c < width; ++c) dot += normal(generator) * normal(generator);
    squares += dot * dot;
  }
  return std::sqrt(squares / kPairs);
}

TEST(Lesson02, Question1) {
  EXPECT_TRUE(question("02.w1", [](Question& it) {
    it.shape("the five signs", as_vector(worksheet02::kSigns), {1, 1, 0, -1, -1},
             {{"right_angle", {1, 1, 1, -1, -1}},
              {"right_angle", {1, 1, -1, -1, -1}},
              {"by_lengths", {1, 1, 1, 1, 1}},
              {"by_lengths", {1, 1, 0, 1, 1}},
              {"pair_3", {1, 1, 0, 1, -1}},
              {"pair_4", {1, 1, 0, -1, 1}}});
    it.prediction(worksheet02::kTypicalDot, measured_dot(768));
  }));
}

TEST(Lesson02, Question2) {
  EXPECT_TRUE(question("02.w2", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const auto length = [&] { return static_cast<double>(it.random(11, 500)) / 10; };
      const double a = length(), b = length();
      const double cosine = static_cast<double>(it.random(1, 99)) / (i % 2 == 0 ? 100 : -100);
      it.real("lengths " + std::to_string(a) + " and " + std::to_string(b) + ", cosine " +
                  std::to_string(cosine),
              worksheet02::dot_product(a, b, cosine), a * b * cosine, 1e-9,
              {{"no_lengths", cosine},
               {"one_length", a * cosine},
               {"one_length", b * cosine},
               {"added_lengths", (a + b) * cosine},
               {"divided", cosine / (a * b)}});
    }
  }));
}

// The row for which `value` is largest.
template <typename Value>
std::int64_t best_row(const worksheet02::Neighbours& neighbours, const Value& value) {
  std::int64_t best = 0;
  for (std::int64_t row = 1; row < 3; ++row) {
    if (value(neighbours.rows[static_cast<std::size_t>(row)]) >
        value(neighbours.rows[static_cast<std::size_t>(best)])) {
      best = row;
    }
  }
  return best;
}

TEST(Lesson02, Question3) {
  EXPECT_TRUE(question("02.w3", [](Question& it) {
    const worksheet02::Neighbours mine = worksheet02::your_neighbours();
    const auto text = [](const worksheet02::Vector2& vector) {
      return "(" + std::to_string(vector[0]) + ", " + std::to_string(vector[1]) + ")";
    };
    const auto dot = [&](const worksheet02::Vector2& row) {
      return static_cast<double>(mine.query[0] * row[0] + mine.query[1] * row[1]);
    };
    const auto length = [](const worksheet02::Vector2& row) {
      return std::hypot(static_cast<double>(row[0]), static_cast<double>(row[1]));
    };
    const std::int64_t by_dot = best_row(mine, dot);
    const std::int64_t by_length = best_row(mine, length);
    const std::int64_t by_cosine =
        best_row(mine, [&](const worksheet02::Vector2& row) { return dot(row) / length(row); });
    const std::string name = worksheet02::kName;
    const std::string instance = "the query " + text(mine.query) + " and the rows " +
                                 text(mine.rows[0]) + ", " + text(mine.rows[1]) + ", " +
                                 text(mine.rows[2]);
    const bool named = !name.empty();
    it.number(named ? instance + ", by dot product" : "",
              named ? worksheet02::kNearestByDot : worksheet::kUnanswered, by_dot,
              {{"by_cosine", by_cosine}});
    it.number(instance + ", by cosine", worksheet02::kNearestByCosine, by_cosine,
              {{"by_dot", by_dot}, {"by_length", by_length}});
  }));
}

TEST(Lesson02, Question4) {
  EXPECT_TRUE(question("02.w4", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t N = it.random(3, 9000), M = it.random(3, 60000), C = it.random(3, 2000);
      it.number(given(N, M, C), worksheet02::operations(N, M, C), 2 * N * M * C,
                {{"products_only", N * M * C}});
      it.number(given(N, M, C), worksheet02::least_bytes(N, M, C), 4 * (N * C + M * C + N * M),
                {{"numbers", N * C + M * C + N * M},
                 {"no_output", 4 * (N * C + M * C)},
                 {"no_input", 4 * N * M}});
    }
    const double operations = 2.0 * 8192 * 8449 * 768;
    const double bytes = 4.0 * (8192.0 * 768 + 8449.0 * 768 + 8192.0 * 8449);
    it.real("ANDREA-120M's output projection", worksheet02::kIntensity, operations / bytes, 5e-3,
            {{"products_only", operations / bytes / 2},
             {"numbers", operations / bytes * 4},
             {"upside_down", bytes / operations}});
  }));
}

TEST(Lesson02, Question5) {
  EXPECT_TRUE(question("02.w5", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t N = it.random(1, 500), M = it.random(501, 2000), C = it.random(3, 500);
      it.number(given(N, M, C), worksheet02::naive_loads(N, M, C), 2 * N * M * C,
                {{"one_matrix", N * M * C}, {"once", N * C + M * C}});
    }
    for (int i = 0; i < 20; ++i) {
      const std::int64_t tile = std::int64_t{1} << it.random(3, 5);
      // The first fill their tiles.
      const auto size = [&](std::int64_t lowest, std::int64_t highest) {
        return i < 3 ? tile * it.random(lowest / 8, highest / 32) : it.random(lowest, highest);
      };
      const std::int64_t N = size(8, 500), M = size(504, 20000), C = size(8, 600);
      const auto tiles = [&](std::int64_t rows) { return (rows + tile - 1) / tile; };
      it.number(given(N, M, C) + ", tile=" + std::to_string(tile),
                worksheet02::tiled_loads(N, M, C, tile), N * C * tiles(M) + M * C * tiles(N),
                {{"once", N * C + M * C},
                 {"rounded_down", N * C * (M / tile) + M * C * (N / tile)},
                 {"rounded_down", 2 * N * M * C / tile},
                 {"whole_tiles", 2 * tiles(N) * tiles(M) * tiles(C) * tile * tile},
                 {"exchanged", N * C * tiles(N) + M * C * tiles(M)}});
    }
  }));
}

TEST(Lesson02, Question6) {
  EXPECT_TRUE(question("02.w6", [](Question& it) {
    for (int i = 0; i < 5; ++i) {
      const std::int64_t N = it.random(2, 50), M = it.random(51, 100), C = it.random(101, 200);
      const worksheet02::Factors dx = worksheet02::factors_of_dx(N, M, C);
      const worksheet02::Factors dtable = worksheet02::factors_of_dtable(N, M, C);
      const std::string sizes = given(N, M, C);
      it.shape(sizes + ", dx, left", as_vector(dx.left), {N, M},
               {{"exchanged", {M, N}}, {"other_matrix", {N, C}}});
      it.shape(sizes + ", dx, right", as_vector(dx.right), {M, C},
               {{"exchanged", {C, M}}, {"other_matrix", {N, C}}});
      it.shape(sizes + ", dtable, left", as_vector(dtable.left), {M, N},
               {{"not_turned", {N, M}}, {"other_matrix", {M, C}}});
      it.shape(sizes + ", dtable, right", as_vector(dtable.right), {N, C},
               {{"exchanged", {C, N}}, {"other_matrix", {M, C}}});
    }
  }));
}

TEST(Lesson02, Question7) {
  EXPECT_TRUE(question("02.w7", [](Question& it) {
    it.choice(worksheet02::kOutputMatrix, 'b', "acd");
    for (int i = 0; i < 5; ++i) {
      const std::int64_t V = it.random(2, 60000), C = it.random(2, 4096);
      const std::string sizes = "V=" + std::to_string(V) + ", C=" + std::to_string(C);
      it.number(sizes + ", tied", worksheet02::table_parameters(V, C, true), V * C,
                {{"counted_twice", 2 * V * C}, {"with_moments", 3 * V * C}});
      it.number(sizes + ", untied", worksheet02::table_parameters(V, C, false), 2 * V * C,
                {{"counted_once", V * C}, {"with_moments", 6 * V * C}});
    }
  }));
}

}  // namespace
}  // namespace andrea
