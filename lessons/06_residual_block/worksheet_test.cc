#include WORKSHEET

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

using worksheet06::Trace;

std::string text(const std::string& name, std::int64_t value) {
  return name + "=" + std::to_string(value);
}

double gelu(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

// Without a name there are no numbers of one's own.
bool is_named() { return worksheet06::kName[0] != '\0'; }

TEST(Lesson06, Question1) {
  EXPECT_TRUE(question("06.w1", [](Question& it) {
    it.number("the MLPs between two attention sublayers", worksheet06::kMlpsBetweenAttentions, 1,
              {{"two_mlps", 2}, {"no_mlp", 0}});
    const auto letter = [&](const std::string& what, char answer, char right,
                            const Slips<std::int64_t>& slips) {
      it.number(what, answer == worksheet::kNoChoice ? worksheet::kUnanswered : answer, right,
                slips);
    };
    letter("moves between positions", worksheet06::kMovesBetweenPositions, 'a',
           {{"mlp_moves", 'm'}, {"mlp_moves", 'b'}, {"mlp_moves", 'n'}});
    letter("two thirds of the parameters", worksheet06::kHasTwoThirdsOfTheParameters, 'm',
           {{"attention_is_small", 'a'}, {"attention_is_small", 'b'}, {"attention_is_small", 'n'}});
    letter("work a token grows with time", worksheet06::kWorkPerTokenGrowsWithTime, 'a',
           {{"mlp_per_token", 'm'}, {"mlp_per_token", 'b'}, {"mlp_per_token", 'n'}});
    letter("replaces the stream", worksheet06::kReplacesTheStream, 'n',
           {{"only_adds", 'a'}, {"only_adds", 'm'}, {"only_adds", 'b'}});
    letter("has a norm of its own", worksheet06::kHasANormOfItsOwn, 'b',
           {{"both_normed", 'a'}, {"both_normed", 'm'}, {"both_normed", 'n'}});
    letter("its own row only", worksheet06::kUnmovedByOtherRows, 'm',
           {{"attention_sees", 'a'}, {"attention_sees", 'b'}, {"attention_sees", 'n'}});
  }));
}

TEST(Lesson06, Question2) {
  EXPECT_TRUE(question("06.w2", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const double s = static_cast<double>(it.random(5, 60)) / 100;
      const std::int64_t L = it.random(3, 30);
      const auto l = static_cast<double>(L);
      const std::string given = "s=" + std::to_string(s).substr(0, 4) + ", " + text("L", L);
      it.real(
          given + ", with the residual", worksheet06::gradient_at_the_start(s, L, true),
          std::pow(1 + s, l), 1e-6,
          {{"sum_of_slopes", 1 + l * s}, {"no_residual", std::pow(s, l)}, {"one_layer", 1 + s}});
      it.real(
          given + ", without", worksheet06::gradient_at_the_start(s, L, false), std::pow(s, l),
          1e-6,
          {{"with_residual", std::pow(1 + s, l)}, {"sum_not_product", l * s}, {"one_layer", s}});
    }
    it.prediction(worksheet06::kLeftOfTheGradient, 5.6e-17);  // by the lab
  }));
}

TEST(Lesson06, Question3) {
  EXPECT_TRUE(question("06.w3", [](Question& it) {
    it.choice(worksheet06::kWhyPreNorm, 'b', "acd");
    it.real_near("a norm's divisor", worksheet06::kDivisorOfANorm, std::sqrt(2.0), 5.1e-3,
                 {{"deviations_added", 2},
                  {"nothing_divided", 1},
                  {"half", 0.5},
                  {"upside_down", std::sqrt(0.5)}});
    for (int i = 0; i < 5; ++i) {
      const std::int64_t L = it.random(3, 40);
      const auto l = static_cast<double>(L);
      it.real(text("L", L), worksheet06::left_of_post_norm(L), std::pow(0.5, l), 1e-6,
              {{"one_norm_a_block", std::pow(0.5, l / 2)},
               {"upside_down", std::pow(2, l)},
               {"divided_once", std::sqrt(0.5)},
               {"quarter", std::pow(0.25, l)}});
    }
    it.number("12 blocks", worksheet06::kNormsOf12Blocks, 25,
              {{"no_last_norm", 24}, {"one_norm", 12}, {"one_norm", 13}});
  }));
}

TEST(Lesson06, Question4) {
  EXPECT_TRUE(question("06.w4", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t t = it.random(3, 60), H = it.random(65, 70), D = it.random(71, 128);
      const std::int64_t C = H * D, F = 3 * C;
      const Trace answer = worksheet06::trace(t, C, H, F);
      const std::string sizes =
          text("t", t) + ", " + text("C", C) + ", " + text("H", H) + ", " + text("F", F) + ": ";
      const Slips<std::vector<std::int64_t>> whole = {{"one_token", {t + 1, C}}};
      it.shape(sizes + "norm1", answer.norm1, {C}, whole);
      // Where 3 C is F the two would look alike, so F is none of the slips.
      it.shape(sizes + "query_key_value", answer.query_key_value, {3 * C},
               {{"one_of_three", {C}}, {"as_they_lie", {3, C}}});
      it.shape(sizes + "query_by_heads", answer.query_by_heads, {H, D},
               {{"heads_first", {D, H}}, {"head_size", {H, C}}});
      it.shape(sizes + "scores", answer.scores, {H, t + 1},
               {{"itself_too", {H, t}},
                {"this_token_alone", {H, t + 1, t + 1}},
                {"heads_first", {t + 1, H}},
                {"every_head", {t + 1}}});
      it.shape(sizes + "averages_by_heads", answer.averages_by_heads, {H, D},
               {{"heads_first", {D, H}}, {"head_size", {H, C}}});
      it.shape(sizes + "attended", answer.attended, {C}, {{"side_by_side", {H, D}}});
      it.shape(sizes + "correction", answer.correction, {C}, {{"side_by_side", {H, D}}});
      it.shape(sizes + "middle", answer.middle, {C}, {{"sum_not_joined", {2 * C}}});
      it.shape(sizes + "expanded", answer.expanded, {F}, {{"not_expanded", {C}}});
      it.shape(sizes + "activated", answer.activated, {F}, {{"number_by_number", {C}}});
      it.shape(sizes + "y", answer.y, {C}, {{"contracted", {F}}, {"sum_not_joined", {2 * C}}});
    }
  }));
}

TEST(Lesson06, Question5) {
  EXPECT_TRUE(question("06.w5", [](Question& it) {
    const worksheet06::SmallBlock block = worksheet06::your_block();
    const auto row = [](const std::array<std::int64_t, 2>& pair) {
      return "(" + std::to_string(pair[0]) + ", " + std::to_string(pair[1]) + ")";
    };
    const auto matrix = [&](const std::array<std::array<std::int64_t, 2>, 2>& rows) {
      return "rows " + row(rows[0]) + " " + row(rows[1]);
    };
    const std::string given = "x " + row(block.x) + ", W_value " + matrix(block.value_weight) +
                              ", W_out " + matrix(block.out_weight) + ", W_expand " +
                              row(block.expand_weight) + " (a column), W_contract " +
                              row(block.contract_weight) + ": ";
    // The first number of x is the larger.
    const std::int64_t value[2] = {block.value_weight[0][0] - block.value_weight[1][0],
                                   block.value_weight[0][1] - block.value_weight[1][1]};
    std::int64_t middle[2], correction[2], transposed[2];
    for (std::size_t i = 0; i < 2; ++i) {
      correction[i] = value[0] * block.out_weight[0][i] + value[1] * block.out_weight[1][i];
      transposed[i] = value[0] * block.out_weight[i][0] + value[1] * block.out_weight[i][1];
      middle[i] = block.x[i] + correction[i];
    }
    const std::int64_t normed[2] = {1, -1};
    for (std::size_t i = 0; i < 2; ++i) {
      it.number(given + "middle, number " + std::to_string(i),
                is_named() ? worksheet06::kMyMiddle[i] : worksheet::kUnanswered, middle[i],
                {{"residual_lost", correction[i]},
                 {"residual_of_normed", normed[i] + correction[i]},
                 {"no_projection", block.x[i] + value[i]},
                 {"transposed", block.x[i] + transposed[i]}});
    }
    const auto expanded = static_cast<double>((middle[0] > middle[1] ? 1 : -1) *
                                              (block.expand_weight[0] - block.expand_weight[1]));
    for (std::size_t i = 0; i < 2; ++i) {
      const auto weight = static_cast<double>(block.contract_weight[i]);
      const auto stream = static_cast<double>(middle[i]);
      const double right = stream + gelu(expanded) * weight;
      // The sheet's four digits, times a weight of up to 4.
      it.real_near(given + "y, number " + std::to_string(i),
                   is_named() ? worksheet06::kMyY[i] : worksheet::kUnansweredReal, right, 2e-3,
                   {{"y_residual_lost", gelu(expanded) * weight},
                    {"y_residual_of_x", static_cast<double>(block.x[i]) + gelu(expanded) * weight},
                    {"norm_of_x", stream + gelu(static_cast<double>(block.expand_weight[0] -
                                                                    block.expand_weight[1])) *
                                               weight},
                    {"no_gelu", stream + expanded * weight}});
    }
  }));
}

TEST(Lesson06, Question6) {
  EXPECT_TRUE(question("06.w6", [](Question& it) {
    const auto count = [&](std::int64_t answer, std::int64_t C, std::int64_t F) {
      const std::int64_t right = 4 * C * C + 4 * C + 2 * C * F + F + C + 4 * C;
      it.number(text("C", C) + ", " + text("F", F), answer, right,
                {{"no_biases_no_norms", 4 * C * C + 2 * C * F},
                 {"no_norms", right - 4 * C},
                 {"one_norm", right - 2 * C},
                 {"no_biases", right - 4 * C - F - C},
                 {"no_out_projection", right - C * C - C},
                 {"one_of_three", right - 2 * C * C - 2 * C},
                 {"one_mlp_matrix", right - C * F}});
    };
    for (int i = 0; i < 10; ++i) {
      const std::int64_t C = it.random(3, 2048), F = it.random(2049, 8192);
      count(worksheet06::block_parameters(C, F), C, F);
    }
    count(worksheet06::kParametersOfABlock, 768, 3072);
    it.number("12 blocks", worksheet06::kParametersOf12, 85'054'464,
              {{"no_biases_no_norms", 84'934'656}, {"one_block", 7'087'872}});
  }));
}

TEST(Lesson06, Question7) {
  EXPECT_TRUE(question("06.w7", [](Question& it) {
    const double blocks = 85'054'464, mlps = 56'669'184;
    it.real("blocks, untied", worksheet06::kBlocksOfUntied, 100 * blocks / 98'820'096, 6e-4,
            {{"claimed", 66.7}, {"claimed", 94}, {"tied", 92.1}, {"as_a_share", 0.861}});
    it.real("blocks, tied", worksheet06::kBlocksOfTied, 100 * blocks / 92'331'264, 6e-4,
            {{"claimed", 66.7}, {"claimed", 94}, {"untied", 86.1}, {"as_a_share", 0.921}});
    it.real("MLPs, untied", worksheet06::kMlpsOfUntied, 100 * mlps / 98'820'096, 9e-4,
            {{"of_a_block", 66.6}, {"of_a_block", 66.7}, {"tied", 61.4}, {"as_a_share", 0.573}});
  }));
}

TEST(Lesson06, Question8) {
  EXPECT_TRUE(question("06.w8", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t B = it.random(3, 16), T = it.random(17, 2048);
      const std::int64_t C = it.random(65, 2048), F = it.random(2049, 8192);
      const std::int64_t numbers = B * T * (7 * C + 2 * F);
      it.number(text("B", B) + ", " + text("T", T) + ", " + text("C", C) + ", " + text("F", F),
                worksheet06::state_bytes(B, T, C, F), 4 * numbers,
                {{"numbers", numbers},
                 {"qkv_is_three", 4 * B * T * (5 * C + 2 * F)},
                 {"one_wide", 4 * B * T * (7 * C + F)},
                 {"one_sequence", 4 * T * (7 * C + 2 * F)},
                 {"y_is_the_next_ones", 4 * B * T * (8 * C + 2 * F)}});
    }
    it.number("12 blocks", worksheet06::kStateBytes120M, 4'529'848'320,
              {{"one_block", 377'487'360}, {"numbers", 1'132'462'080}});
  }));
}

}  // namespace
}  // namespace andrea
