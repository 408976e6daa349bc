#include WORKSHEET

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

using worksheet03::Shape;
using worksheet03::Shapes;

std::string text(const std::string& name, std::int64_t value) {
  return name + "=" + std::to_string(value);
}

// The largest dot product of `pairs` pairs of random directions.
double largest_of(int pairs, int D) {
  std::mt19937 generator(64);
  std::normal_distribution<double> normal;
  double largest = -1;
  for (int pair = 0; pair < pairs; ++pair) {
    double dot = 0, left = 0, right = 0;
    for (int d = 0; d < D; ++d) {
      const double a = normal(generator), b = normal(generator);
      dot += a * b;
      left += a * a;
      right += b * b;
    }
    largest = std::max(largest, dot / std::sqrt(left * right));
  }
  return largest;
}

// Without a name there are no numbers of one's own.
bool is_named() { return worksheet03::kName[0] != '\0'; }

TEST(Lesson03, Question1) {
  EXPECT_TRUE(question("03.w1", [](Question& it) {
    const auto divisor = [&](double answer, std::int64_t C, std::int64_t H) {
      const auto c = static_cast<double>(C), h = static_cast<double>(H);
      it.real(text("C", C) + ", " + text("H", H), answer, std::sqrt(c / h), 1e-3,
              {{"sqrt_of_width", std::sqrt(c)},
               {"no_root", c / h},
               {"sqrt_of_heads", std::sqrt(h)},
               {"multiplied", std::sqrt(h / c)}});
    };
    for (int i = 0; i < 20; ++i) {
      const std::int64_t H = it.random(2, 32), C = H * it.random(3, 128);
      it.of("head_size");
      it.number(text("C", C) + ", " + text("H", H), worksheet03::head_size(C, H), C / H,
                {{"width", C}, {"three_thirds", 3 * C / H}});
      it.of("score_divisor");
      divisor(worksheet03::score_divisor(C, H), C, H);
    }
    it.of("kDivisor120M");
    divisor(worksheet03::kDivisor120M, 768, 12);
    it.of(is_named() ? "kMyDivisor" : "kName");
    if (is_named()) {
      divisor(worksheet03::kMyDivisor, worksheet03::kMyWidth, worksheet03::kMyHeads);
    } else {
      it.choice(worksheet::kNoChoice, 'a', "");
    }
  }));
}

TEST(Lesson03, Question2) {
  EXPECT_TRUE(question("03.w2", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t D = it.random(2, 256);
      const auto d = static_cast<double>(D);
      it.real(text("D", D) + ", not scaled", worksheet03::largest_possible_score(D, false), 1, 1e-6,
              {{"sum_of_ones", d}, {"typical", std::sqrt(d)}});
      it.real(text("D", D) + ", scaled", worksheet03::largest_possible_score(D, true),
              1 / std::sqrt(d), 1e-6, {{"not_scaled", 1}, {"no_root", 1 / d}});
    }
    it.prediction(worksheet03::kLargestOf1000, largest_of(1000, 64));
  }));
}

TEST(Lesson03, Question3) {
  EXPECT_TRUE(question("03.w3", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t B = it.random(2, 16), T = it.random(17, 64), H = it.random(65, 70);
      const std::int64_t D = it.random(71, 128), C = H * D;
      const Shapes answer = worksheet03::shapes(B, T, C, H);
      const std::string sizes =
          text("B", B) + ", " + text("T", T) + ", " + text("C", C) + ", " + text("H", H) + ": ";
      it.shape(sizes + "qkv", answer.qkv, {B, T, 3 * C},
               {{"thirds_apart", {3, B, T, C}}, {"one_third", {B, T, C}}});
      it.shape(sizes + "queries_of_a_head", answer.queries_of_a_head, {T, D},
               {{"whole_width", {T, C}}, {"turned", {D, T}}});
      it.shape(sizes + "keys_transposed", answer.keys_transposed, {D, T}, {{"not_turned", {T, D}}});
      it.shape(sizes + "scores", answer.scores, {B, H, T, T},
               {{"no_heads", {B, T, T}}, {"with_width", {B, H, T, D}}});
      it.shape(sizes + "out_of_a_head", answer.out_of_a_head, {T, D}, {{"whole_width", {T, C}}});
      it.shape(sizes + "out", answer.out, {B, T, C}, {{"heads_apart", {B, H, T, D}}});
    }
  }));
}

TEST(Lesson03, Question4) {
  EXPECT_TRUE(question("03.w4", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t T = it.random(3, 4096);
      it.number(text("T", T), worksheet03::seen_pairs(T), T * (T + 1) / 2,
                {{"all", T * T},
                 {"not_itself", T * (T - 1) / 2},
                 {"masked_ones", T * T - T * (T + 1) / 2},
                 {"half", T * T / 2}});
    }
  }));
}

TEST(Lesson03, Question5) {
  EXPECT_TRUE(question("03.w5", [](Question& it) {
    const auto bytes = [&](std::int64_t answer, std::int64_t B, std::int64_t T, std::int64_t H,
                           std::int64_t L) {
      const std::int64_t numbers = L * B * H * T * T;
      it.number(text("B", B) + ", " + text("T", T) + ", " + text("H", H) + ", " + text("L", L),
                answer, 4 * numbers,
                {{"numbers", numbers},
                 {"one_layer", 4 * numbers / L},
                 {"one_head", 4 * numbers / H},
                 {"one_sequence", 4 * numbers / B},
                 {"one_row", 4 * numbers / T},
                 {"seen_only", 4 * L * B * H * (T * (T + 1) / 2)}});
    };
    for (int i = 0; i < 20; ++i) {
      const std::int64_t B = it.random(3, 16), T = it.random(17, 2048);
      const std::int64_t H = it.random(3, 32), L = it.random(3, 48);
      bytes(worksheet03::weight_bytes(B, T, H, L), B, T, H, L);
    }
    bytes(worksheet03::kWeightBytes120M, 8, 1024, 12, 12);
  }));
}

TEST(Lesson03, Question6) {
  EXPECT_TRUE(question("03.w6", [](Question& it) {
    const auto& weights = worksheet03::kMyWeights;
    const auto& dweights = worksheet03::kMyDweights;
    double mean = 0, sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      mean += weights[j] * dweights[j];
      sum += dweights[j];
    }
    std::string given = "weights";
    for (const double weight : weights) given += " " + std::to_string(weight).substr(0, 3);
    given += ", dweights";
    for (const double dweight : dweights) {
      given += " " + std::to_string(static_cast<int>(dweight));
    }
    for (std::size_t j = 0; j < 3; ++j) {
      it.real(given + ", number " + std::to_string(j),
              is_named() ? worksheet03::kMyDscores[j] : worksheet::kUnansweredReal,
              weights[j] * (dweights[j] - mean), 1e-6,
              {{"no_row_sum", weights[j] * dweights[j]},
               {"unweighted_sum", weights[j] * (dweights[j] - sum)},
               {"no_weight", dweights[j] - mean},
               {"own_slope_only", weights[j] * (1 - weights[j]) * dweights[j]},
               {"added", weights[j] * (dweights[j] + mean)}});
    }
  }));
}

TEST(Lesson03, Question7) {
  EXPECT_TRUE(
      question("03.w7", [](Question& it) { it.choice(worksheet03::kWordOrder, 'b', "acd"); }));
}

}  // namespace
}  // namespace andrea
