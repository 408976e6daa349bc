#include WORKSHEET

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

namespace sheet = worksheet07;

// Without a name there are no numbers of one's own.
bool is_named() { return sheet::kName[0] != '\0'; }

struct Sizes {
  explicit Sizes(Question& it)
      : V(it.random(300, 60000)),
        C(8 * it.random(4, 256)),
        L(it.random(2, 48)),
        T(it.random(64, 4096)) {}

  std::string text() const {
    return "V=" + std::to_string(V) + ", C=" + std::to_string(C) + ", L=" + std::to_string(L) +
           ", T=" + std::to_string(T);
  }

  std::int64_t V, C, L, T;
};

std::int64_t block_of(std::int64_t C) { return 12 * C * C + 13 * C; }

std::int64_t model_of(const Sizes& s) {
  return 2 * s.V * s.C + s.T * s.C + s.L * block_of(s.C) + 2 * s.C;
}

TEST(Lesson07, Question1) {
  EXPECT_TRUE(question("07.w1", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t C = 8 * it.random(4, 256);
      it.number("C=" + std::to_string(C), sheet::block_parameters(C), block_of(C),
                {{"no_biases", 12 * C * C},
                 {"no_biases", 12 * C * C + 4 * C},
                 {"no_norms", 12 * C * C + 9 * C},
                 {"no_gain_or_bias", 12 * C * C + 11 * C},
                 {"one_of_three", 10 * C * C + 11 * C},
                 {"one_of_three", 10 * C * C + 13 * C},
                 {"one_of_mlp", 8 * C * C + 12 * C},
                 {"one_of_mlp", 8 * C * C + 13 * C}});
    }
    for (int i = 0; i < 10; ++i) {
      const Sizes s(it);
      const std::int64_t right = model_of(s);
      it.number(s.text(), sheet::model_parameters(s.V, s.C, s.L, s.T), right,
                {{"tied", right - s.V * s.C},
                 {"no_positions", right - s.T * s.C},
                 {"no_last_norm", right - 2 * s.C},
                 {"half_a_norm", right - s.C},
                 {"no_tables", s.L * block_of(s.C) + 2 * s.C},
                 {"no_blocks_biases", right - 13 * s.L * s.C},
                 {"one_block", right - (s.L - 1) * block_of(s.C)}});
    }
    it.number("ANDREA-120M", sheet::kParameters120M, 98'820'096,
              {{"tied", 92'331'264},
               {"no_positions", 98'033'664},
               {"no_last_norm", 98'818'560},
               {"no_blocks_biases", 98'698'752},
               {"no_blocks_biases", 98'700'288},
               {"the_name", 120'000'000}});
    it.choice(sheet::kSumOfTheText, 'b', "acd");
  }));
}

TEST(Lesson07, Question2) {
  EXPECT_TRUE(question("07.w2", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const Sizes s(it);
      const auto all = static_cast<double>(model_of(s));
      const auto blocks = static_cast<double>(s.L * block_of(s.C));
      const auto mlps = static_cast<double>(s.L * (8 * s.C * s.C + 5 * s.C));
      const auto table = static_cast<double>(s.V * s.C);
      it.real(s.text() + ", blocks", sheet::share_of_blocks(s.V, s.C, s.L, s.T), blocks / all, 1e-9,
              {{"tied", blocks / (all - table)},
               {"percent", 100 * blocks / all},
               {"one_block", blocks / all / static_cast<double>(s.L)},
               {"the_rest", 1 - blocks / all}});
      it.real(s.text() + ", MLPs", sheet::share_of_mlps(s.V, s.C, s.L, s.T), mlps / all, 1e-9,
              {{"tied", mlps / (all - table)},
               {"percent", 100 * mlps / all},
               {"no_biases", static_cast<double>(s.L * 8 * s.C * s.C) / all},
               {"of_blocks", mlps / blocks},
               {"one_matrix", mlps / all / 2}});
    }
    it.real("ANDREA-120M, blocks", sheet::kBlocksPercent, 86.07, 2e-3,
            {{"of_texts", 94}, {"of_texts", 66.7}, {"tied", 92.12}, {"not_percent", 0.8607}});
    it.real("ANDREA-120M tied, blocks", sheet::kBlocksPercentTied, 92.12, 2e-3,
            {{"of_texts", 94}, {"untied", 86.07}, {"not_percent", 0.9212}});
    it.real("ANDREA-120M, MLPs", sheet::kMlpsPercent, 57.35, 2e-3,
            {{"of_texts", 47}, {"of_texts", 50}, {"of_blocks", 66.6}, {"tied", 61.4}});
  }));
}

TEST(Lesson07, Question3) {
  EXPECT_TRUE(question("07.w3", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t V = it.random(10, 60000);
      const auto v = static_cast<double>(V);
      it.real("V=" + std::to_string(V), sheet::loss_of_even_guess(V), std::log(v), 1e-6,
              {{"bits", std::log2(v)},
               {"base_10", std::log10(v)},
               {"negative", -std::log(v)},
               {"probability", 1 / v}});
    }
    it.prediction(sheet::kExpectedLoss, 9.20);
    it.choice(sheet::kTiedStart, 'c', "abd");
  }));
}

TEST(Lesson07, Question4) {
  EXPECT_TRUE(question("07.w4", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const double beta = 1 - static_cast<double>(it.random(1, 200)) / 1000;
      const double g = static_cast<double>(it.random(1, 400)) / (i % 2 == 0 ? 100 : -100);
      const int steps = static_cast<int>(it.random(2, 60));
      const std::string given = "beta=" + std::to_string(beta) + ", g=" + std::to_string(g) +
                                ", steps=" + std::to_string(steps);
      const double part = 1 - std::pow(beta, steps);
      it.real(given + ", m", sheet::first_moment(beta, g, steps), g * part, 1e-9,
              {{"corrected", g},
               {"one_step", g * (1 - beta)},
               {"what_is_missing", g * (1 - part)},
               {"a_step_less", g * (1 - std::pow(beta, steps - 1))},
               {"multiplied", g * (1 - beta) * steps}});
      it.real(given + ", v", sheet::second_moment(beta, g, steps), g * g * part, 1e-9,
              {{"corrected", g * g},
               {"one_step", g * g * (1 - beta)},
               {"not_squared", g * part},
               {"what_is_missing", g * g * (1 - part)},
               {"a_step_less", g * g * (1 - std::pow(beta, steps - 1))}});
      const double rate = static_cast<double>(it.random(1, 90)) / 10000;
      const double first = sheet::size_of_first_step(rate, g);
      it.real(
          "learning rate " + std::to_string(rate) + ", g=" + std::to_string(g) + ", the first step",
          first == worksheet::kUnansweredReal ? first : std::abs(first), rate, 1e-9,
          {{"as_gradient_descent", rate * std::abs(g)},
           {"not_corrected", rate * 0.1 / std::sqrt(0.001)},
           {"by_square", rate / std::abs(g)}});
    }
    it.choice(sheet::kTwoParameters, 'b', "acd");
  }));
}

TEST(Lesson07, Question5) {
  EXPECT_TRUE(question("07.w5", [](Question& it) {
    for (int i = 0; i < 5; ++i) {
      const std::int64_t P = it.random(1000, 2'000'000'000);
      const std::string given = "P=" + std::to_string(P);
      it.number(given + ", in float", sheet::bytes_in_float(P), 16 * P,
                {{"numbers", 4 * P}, {"no_moments", 8 * P}, {"one_moment", 12 * P}});
      it.number(given + ", mixed", sheet::bytes_mixed(P), 16 * P,
                {{"no_master", 12 * P},
                 {"no_working_copy", 14 * P},
                 {"gradients_in_float", 18 * P},
                 {"moments_halved", 12 * P},
                 {"all_halved", 8 * P}});
    }
    it.choice(sheet::kMixedSaves, 'b', "acd");
  }));
}

TEST(Lesson07, Question6) {
  EXPECT_TRUE(question("07.w6", [](Question& it) {
    it.number("the run", sheet::kTokensOfRun, 1'638'400'000,
              {{"one_sequence", 204'800'000}, {"one_step", 8192}, {"sequences", 1'600'000}});
    for (int i = 0; i < 5; ++i) {
      const auto P = static_cast<double>(it.random(1000, 2'000'000'000));
      const auto D = static_cast<double>(it.random(1000, 2'000'000'000));
      it.real(
          "N=" + std::to_string(P) + ", tokens=" + std::to_string(D), sheet::flops_by_rule(P, D),
          6 * P * D, 1e-9,
          {{"forward_alone", 2 * P * D}, {"backward_alone", 4 * P * D}, {"products", 3 * P * D}});
    }
    for (int i = 0; i < 10; ++i) {
      const Sizes s(it);
      const std::int64_t weights = 12 * s.L * s.C * s.C + s.V * s.C, seen = s.L * s.C * s.T;
      it.number(s.text(), sheet::flops_of_token(s.V, s.C, s.L, s.T), 6 * weights + 6 * seen,
                {{"no_attention", 6 * weights},
                 {"no_mask", 6 * weights + 12 * seen},
                 {"no_output_table", 6 * (weights - s.V * s.C) + 6 * seen},
                 {"tables_multiplied", 6 * (weights + s.V * s.C) + 6 * seen},
                 {"forward_alone", 2 * weights + 2 * seen},
                 {"by_rule", 6 * model_of(s)}});
    }
    it.real(
        "the rule's error", sheet::kErrorOfRule, -2.023, 1e-2,
        {{"sign", 2.023}, {"of_the_rule", -2.065}, {"no_attention", 8.09}, {"no_mask", -10.41}});
  }));
}

TEST(Lesson07, Question7) {
  EXPECT_TRUE(question("07.w7", [](Question& it) {
    const auto first = static_cast<double>(sheet::kMyFirstNorm);
    const auto second = static_cast<double>(sheet::kMySecondNorm);
    const double norm = std::hypot(first, second);
    const std::string given = "norms " + std::to_string(sheet::kMyFirstNorm) + " and " +
                              std::to_string(sheet::kMySecondNorm);
    it.real(is_named() ? given + ", global norm" : "",
            is_named() ? sheet::kMyGlobalNorm : worksheet::kUnansweredReal, norm, 1e-3,
            {{"added", first + second}, {"largest", second}, {"no_root", norm * norm}});
    it.real(given + ", clip scale", sheet::kMyClipScale, 1 / norm, 1e-2,
            {{"apart", 1 / first}, {"upside_down", norm}, {"added", 1 / (first + second)}});
    it.choice(sheet::kClippedApart, 'c', "abd");
  }));
}

}  // namespace
}  // namespace andrea
