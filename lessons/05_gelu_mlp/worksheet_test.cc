#include WORKSHEET

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

using Shape = std::vector<std::int64_t>;

// "C=768, F=3072"
std::string given(const std::vector<std::pair<std::string, std::int64_t>>& sizes) {
  std::string text;
  for (const auto& [name, size] : sizes) {
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(size);
  }
  return text;
}

template <typename Array>
Shape as_vector(const Array& array) {
  return {array.begin(), array.end()};
}

TEST(Lesson05, Question1) {
  EXPECT_TRUE(question("05.w1", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t C = it.random(2, 2000), F = C + it.random(3, 6000);
      const std::string sizes = given({{"C", C}, {"F", F}});
      it.number(sizes + ", with biases", worksheet05::mlp_parameters(C, F, true), 2 * C * F + F + C,
                {{"no_biases", 2 * C * F},
                 {"one_matrix", C * F + F},
                 {"one_matrix", C * F + F + C},
                 {"one_bias", 2 * C * F + F},
                 {"one_bias", 2 * C * F + C},
                 {"wide_biases", 2 * C * F + 2 * F}});
      it.number(sizes + ", without biases", worksheet05::mlp_parameters(C, F, false), 2 * C * F,
                {{"one_matrix", C * F}});
    }
    const bool is_named = worksheet05::kName[0] != '\0';
    const std::int64_t C = worksheet05::kMyC, F = worksheet05::kMyF;
    it.number(is_named ? "your " + given({{"C", C}, {"F", F}}) : "",
              is_named ? worksheet05::kMyParameters : worksheet::kUnanswered, 2 * C * F + F + C,
              {{"no_biases", 2 * C * F},
               {"one_matrix", C * F + F + C},
               {"one_bias", 2 * C * F + F},
               {"wide_biases", 2 * C * F + 2 * F}});
  }));
}

TEST(Lesson05, Question2) {
  EXPECT_TRUE(question("05.w2", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t C = it.random(2, 2000), F = it.random(2, 6000);
      it.number(given({{"C", C}, {"F", F}}), worksheet05::gated_mlp_parameters(C, F), 3 * C * F,
                {{"two_matrices", 2 * C * F}});
    }
    for (int i = 0; i < 20; ++i) {
      // Every third width is one that needs no rounding.
      const std::int64_t multiple = std::int64_t{1} << it.random(3, 7);
      const std::int64_t C = i % 3 == 0 ? 3 * multiple * it.random(1, 9) : it.random(100, 3000);
      const std::int64_t multiples = (8 * C + 3 * multiple - 1) / (3 * multiple);
      it.number(given({{"C", C}, {"multiple", multiple}}), worksheet05::gated_width(C, multiple),
                multiples * multiple,
                {{"times_four", 4 * C},
                 {"times_two", 2 * C},
                 {"not_rounded", 8 * C / 3},
                 {"not_rounded", (8 * C + 2) / 3},
                 {"rounded_down", (multiples - 1) * multiple}});
    }
    // A width that is a little more than so many multiples: a third of a number, or two, beyond.
    for (int i = 0; i < 20; ++i) {
      const std::int64_t multiple = 3 + 2 * it.random(0, 9);
      std::int64_t C = it.random(100, 3000);
      while (8 * C % (3 * multiple) != 1 && 8 * C % (3 * multiple) != 2) ++C;
      const std::int64_t whole = 8 * C / (3 * multiple);
      it.number(given({{"C", C}, {"multiple", multiple}}), worksheet05::gated_width(C, multiple),
                (whole + 1) * multiple, {{"cut_first", whole * multiple}});
    }
  }));
}

TEST(Lesson05, Question3) {
  EXPECT_TRUE(question("05.w3", [](Question& it) {
    constexpr double kMlps = 12.0 * (2 * 768 * 3072 + 3072 + 768);
    constexpr double kAttentions = 12.0 * (4 * 768 * 768 + 4 * 768);
    constexpr double kAll = kMlps + kAttentions + 768.0 * (2 * 8449 + 1024 + 50);
    it.real("ANDREA-120M", worksheet05::kShareOfParameters, 100 * kMlps / kAll, 2e-3,
            {{"as_quotient", kMlps / kAll},
             {"one_block", 100 * kMlps / 12 / kAll},
             {"of_the_name", 100 * kMlps / 120e6},
             {"of_blocks", 100 * kMlps / (kMlps + kAttentions)}});
    for (int i = 0; i < 10; ++i) {
      const std::int64_t L = it.random(2, 40), C = it.random(9, 2000), F = C + it.random(9, 6000);
      const std::int64_t V = it.random(99, 60000), T = it.random(99, 4000);
      const std::string sizes = given({{"L", L}, {"C", C}, {"F", F}});
      const std::int64_t mlps = 4 * L * C * F;
      it.number(sizes, worksheet05::mlp_operations(L, C, F), mlps,
                {{"products_only", mlps / 2}, {"one_matrix", mlps / 2}, {"one_block", mlps / L}});
      const std::int64_t attentions = L * (8 * C * C + 2 * T * C), logits = 2 * C * V;
      const std::int64_t all = mlps + attentions + logits;
      it.number(sizes + ", " + given({{"V", V}, {"T", T}}),
                worksheet05::all_operations(L, C, F, V, T), all,
                {{"products_only", L * (4 * C * C + 2 * T * C) + mlps / 2 + logits / 2},
                 {"products_only", all / 2},
                 {"with_tables", all + 2 * C * (V + T)},
                 {"with_tables", all + 2 * C * V},
                 {"no_attention", all - L * 2 * T * C},
                 {"no_logits", all - logits}});
    }
  }));
}

double phi(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

TEST(Lesson05, Question4) {
  EXPECT_TRUE(question("05.w4", [](Question& it) {
    // Two digits behind the point, or more.
    const auto two_digits = [](double right) { return right == 0 ? 0 : 0.0061 / std::abs(right); };
    const double at[] = {-2, -1, -0.5, 0, 1, 3};
    for (std::size_t i = 0; i < std::size(at); ++i) {
      const double x = at[i], right = x * phi(x);
      it.real("x = " + std::to_string(x).substr(0, x < 0 ? 4 : 3), worksheet05::kGelu.at(i), right,
              two_digits(right),
              {{"no_x", phi(x)},
               {"relu", std::max(x, 0.0)},
               {"positive", -right},
               {"share_of_opposite", x * phi(-x)}});
    }
    it.real("the derivative at 0", worksheet05::kSlopeAt0, 0.5, two_digits(0.5),
            {{"no_x_in_slope", 0.5 + 0.399}});
    const double slope = phi(1) + 0.242;
    it.real("the derivative at 1", worksheet05::kSlopeAt1, slope, two_digits(slope),
            {{"phi", phi(1)}});
    it.real("where it is lowest", worksheet05::kLowestAt, -0.752, 0.07,
            {{"minimum_value", -0.17}, {"at_minus_one", -1}});
  }));
}

TEST(Lesson05, Question5) {
  EXPECT_TRUE(
      question("05.w5", [](Question& it) { it.choice(worksheet05::kWhoUsesWhich, 'c', "abd"); }));
}

TEST(Lesson05, Question6) {
  EXPECT_TRUE(question("05.w6", [](Question& it) {
    it.choice(worksheet05::kTableOperation, 'T', "N");
    it.choice(worksheet05::kXOperation, 'N', "T");
    for (int i = 0; i < 5; ++i) {
      const std::int64_t N = it.random(2, 50), M = it.random(51, 100), C = it.random(101, 200);
      const std::int64_t stride = it.random(201, 300);
      const std::string sizes = given({{"N", N}, {"M", M}, {"C", C}});
      it.shape(sizes + ": {m, n, k}", as_vector(worksheet05::logits_sizes(N, M, C)), {M, N, C},
               {{"as_rows", {N, M, C}},
                {"exchanged", {M, C, N}},
                {"exchanged", {N, C, M}},
                {"exchanged", {C, M, N}},
                {"exchanged", {C, N, M}}});
      it.shape(sizes + ", stride=" + std::to_string(stride) + ": {lda, ldb, ldc}",
               as_vector(worksheet05::logits_leading_dimensions(N, M, C, stride)), {C, C, stride},
               {{"no_stride", {C, C, M}},
                {"no_stride", {C, C, N}},
                {"rows_of_table", {M, C, stride}},
                {"rows_of_table", {M, C, M}},
                {"rows_of_table", {C, N, stride}},
                {"rows_of_table", {M, N, stride}}});
    }
  }));
}

TEST(Lesson05, Question7) {
  EXPECT_TRUE(question("05.w7", [](Question& it) {
    it.choice(worksheet05::kTanh, 'b', "acd");
    for (int i = 0; i < 5; ++i) {
      const auto instructions = static_cast<double>(it.random(5, 60));
      it.real(std::to_string(static_cast<int>(instructions)) + " instructions a number",
              worksheet05::instructions_for_each_byte(instructions), instructions / 8, 1e-6,
              {{"one_number", instructions / 4},
               {"numbers", instructions},
               {"upside_down", 8 / instructions}});
    }
    it.choice(worksheet05::kLimit, 'b', "i");
  }));
}

}  // namespace
}  // namespace andrea
