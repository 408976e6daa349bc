#include WORKSHEET

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

std::string text(const std::string& name, std::int64_t value) {
  return name + "=" + std::to_string(value);
}

TEST(Lesson04, Question1) {
  EXPECT_TRUE(question("04.w1", [](Question& it) {
    const auto parameters = [&](std::int64_t answer, std::int64_t L, std::int64_t T,
                                std::int64_t C) {
      it.number(text("L", L) + ", " + text("T", T) + ", " + text("C", C), answer,
                (2 * L + 1) * 2 * C,
                {{"gain_alone", (2 * L + 1) * C},
                 {"numbers_of_rows", (2 * L + 1) * 2 * T * C},
                 {"one_a_block", (L + 1) * 2 * C},
                 {"no_final", 2 * L * 2 * C},
                 {"norms", 2 * L + 1},
                 {"one_norm", 2 * C}});
    };
    for (int i = 0; i < 20; ++i) {
      const std::int64_t L = it.random(2, 48), T = it.random(2, 4096), C = it.random(64, 4096);
      parameters(worksheet04::norm_parameters(L, T, C), L, T, C);
    }
    parameters(worksheet04::kNormParameters120M, 12, 1024, 768);
  }));
}

TEST(Lesson04, Question2) {
  EXPECT_TRUE(question("04.w2", [](Question& it) {
    std::string given = "the row";
    double sum = 0, square_sum = 0;
    for (const std::int64_t number : worksheet04::kMyRow) {
      given += " " + std::to_string(number);
      sum += static_cast<double>(number);
      square_sum += static_cast<double>(number * number);
    }
    const double mean = sum / 4, variance = square_sum / 4 - mean * mean;
    const double root = std::sqrt(variance);
    const auto first = static_cast<double>(worksheet04::kMyRow[0]);
    const bool named = worksheet04::kName[0] != '\0';
    it.real(named ? given + ", mean" : "",
            named ? worksheet04::kMyMean : worksheet::kUnansweredReal, mean, 1e-6, {{"sum", sum}});
    it.real(given + ", variance", worksheet04::kMyVariance, variance, 1e-3,
            {{"over_c_minus_1", variance * 4 / 3},
             {"sum_of_squares", variance * 4},
             {"mean_square", square_sum / 4},
             {"standard_deviation", root}});
    it.real_near(given + ", x_hat of the first", worksheet04::kMyFirst, (first - mean) / root,
                 5.1e-3,
                 {{"not_scaled", first - mean},
                  {"divided_by_variance", (first - mean) / variance},
                  {"mean_not_subtracted", first / root}});
  }));
}

TEST(Lesson04, Question3) {
  EXPECT_TRUE(question("04.w3", [](Question& it) {
    for (int i = 0; i < 5; ++i) {
      const auto k = static_cast<double>(it.random(2, 100));
      const std::string given = "k=" + std::to_string(static_cast<int>(k));
      it.real(given + ", y", worksheet04::factor_of_y(k), 1, 1e-6,
              {{"scales_too", k}, {"inverse", 1 / k}});
      it.real(given + ", dx", worksheet04::factor_of_dx(k), 1 / k, 1e-6,
              {{"same", 1}, {"grows", k}, {"squared", 1 / (k * k)}});
      it.real(given + ", the step", worksheet04::factor_of_relative_step(k), 1 / (k * k), 1e-6,
              {{"step_alone", 1 / k}, {"unchanged", 1}});
    }
  }));
}

TEST(Lesson04, Question4) {
  EXPECT_TRUE(question("04.w4", [](Question& it) {
    it.number("the sum of dx", worksheet04::kSumOfDx, 0, {{"not_zero", 1}});
    it.number("dx times x_hat", worksheet04::kDxTimesXHat, 0, {{"not_zero", 1}});
    for (int i = 0; i < 10; ++i) {
      const std::int64_t C = it.random(5, 4096);
      it.number(text("C", C), worksheet04::directions_left(C), C - 2,
                {{"all", C}, {"one_taken", C - 1}, {"taken", 2}});
    }
  }));
}

TEST(Lesson04, Question5) {
  EXPECT_TRUE(question("04.w5", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t N = it.random(2, 9000), C = it.random(2, 4096);
      const std::string given = text("N", N) + ", " + text("C", C);
      it.number(given + ", apart", worksheet04::bytes_apart(N, C), 20 * N * C,
                {{"numbers", 5 * N * C}, {"fused", 16 * N * C}, {"norm_alone", 8 * N * C}});
      it.number(given + ", fused", worksheet04::bytes_fused(N, C), 16 * N * C,
                {{"numbers", 4 * N * C}, {"sum_read_again", 20 * N * C}, {"no_sum", 12 * N * C}});
    }
    const std::int64_t one = 4 * std::int64_t{8192} * 768;
    it.number("ANDREA-120M", worksheet04::kSavedBytes120M, 24 * one,
              {{"one_norm", one}, {"all_norms", 25 * one}, {"numbers", 6 * one}});
  }));
}

TEST(Lesson04, Question6) {
  EXPECT_TRUE(question("04.w6", [](Question& it) {
    for (int i = 0; i < 5; ++i) {
      const int e = static_cast<int>(it.random(3, 20));
      it.real(text("e", e), worksheet04::spacing_of_squares(e), std::ldexp(1.0, 2 * e - 23), 1e-9,
              {{"near_m", std::ldexp(1.0, e - 23)},
               {"double", std::ldexp(1.0, 2 * e - 52)},
               {"one_bit", std::ldexp(1.0, 2 * e - 24)},
               {"one_bit", std::ldexp(1.0, 2 * e - 22)}});
    }
  }));
}

TEST(Lesson04, Question7) {
  EXPECT_TRUE(question("04.w7",
                       [](Question& it) { it.choice(worksheet04::kMeanAndVariance, 'b', "acd"); }));
}

}  // namespace
}  // namespace andrea
