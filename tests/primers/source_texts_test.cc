// The counts, shares and errors in docs/source_texts.md are computed here, the counts from the
// model's own layout.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>

#include "kernels/parameter_layout.h"
#include "tests/harness/document.h"

namespace andrea {
namespace {

std::int64_t parameters(const ModelConfig& config) {
  return ParameterLayout(config).parameter_count();
}

// "86.1 %"
std::string percent(std::int64_t part, std::int64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%",
                100 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

class SourceTextsTest : public ::testing::Test {
 protected:
  static std::int64_t blocks() { return parameters({}) - parameters({.layers = 0}); }

  const Document page_{"docs/source_texts.md"};
  const std::int64_t untied_ = parameters({});
  const std::int64_t tied_ = parameters({.tied = true});
  const std::int64_t table_ = untied_ - tied_;
  const std::int64_t positions_ = parameters({}) - parameters({.positions = Positions::none});
};

TEST_F(SourceTextsTest, Counts) {
  const std::int64_t block = blocks() / 12;
  EXPECT_TRUE(page_.has("a block of " + grouped(block) + " parameters"));
  EXPECT_TRUE(page_.has("8,449 x 768 = " + grouped(table_) + ","));
  EXPECT_TRUE(page_.has("a model of " + grouped(untied_) + ", or tied " + grouped(tied_) + "."));
  const ModelConfig bare = {.norm = NormPlacement::none, .biases = false};
  ModelConfig bare_tied = bare;
  bare_tied.tied = true;
  EXPECT_TRUE(page_.has(grouped(parameters(bare_tied)) + " and " + grouped(parameters(bare)) +
                        " parameters: the published 98.7M"));
  EXPECT_TRUE(page_.has(grouped(table_) + ". Twice that, " + grouped(2 * table_) + ","));
  EXPECT_TRUE(page_.has(grouped(blocks()) + " + " + grouped(2 * table_) + " = " +
                        grouped(blocks() + 2 * table_) + "; with " + grouped(positions_)));
  EXPECT_TRUE(page_.has(grouped(table_) + " + " + grouped(positions_) + " = " +
                        grouped(table_ + positions_) + ", 7.28M"));
}

TEST_F(SourceTextsTest, Shares) {
  const ModelConfig config;
  const std::int64_t mlp =
      2 * config.width * config.mlp_width + config.width + std::int64_t{config.mlp_width};
  EXPECT_TRUE(page_.has("= " + grouped(blocks()) + ", and / " + grouped(untied_) + " = " +
                        percent(blocks(), untied_) + "; tied, / " + grouped(tied_) + " = " +
                        percent(blocks(), tied_) + "."));
  EXPECT_TRUE(page_.has("12 x " + grouped(mlp) + " = " + grouped(12 * mlp) + ", and / " +
                        grouped(untied_) + " = " + percent(12 * mlp, untied_) + "."));
  EXPECT_TRUE(page_.has(grouped(table_) + " / " + grouped(untied_) + " = " +
                        percent(table_, untied_) + "."));
  EXPECT_TRUE(
      page_.has("and " + percent(table_ + positions_, untied_) + " of " + grouped(untied_) + "."));
}

TEST_F(SourceTextsTest, TheTanhForm) {
  double of_phi = 0, of_gelu = 0, where = 0, lowest = 0, lowest_at = 0;
  for (int i = -60000; i <= 60000; ++i) {
    const double x = i / 10000.0;
    const double exact = std::erfc(-x / std::numbers::sqrt2) / 2;
    const double u = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
    const double phi = (1 + std::tanh(u)) / 2;
    of_phi = std::max(of_phi, std::abs(phi - exact));
    if (x < 0 && std::abs(x * (phi - exact)) > of_gelu) {
      of_gelu = std::abs(x * (phi - exact));
      where = x;
    }
    if (x * phi < lowest) {
      lowest = x * phi;
      lowest_at = x;
    }
  }
  EXPECT_TRUE(page_.has("True to " + text_of_number(of_phi, 2) + "; GELU by it to " +
                        text_of_number(of_gelu, 2) + ", at x = "));
  EXPECT_NEAR(where, -2.70, 0.005);
  EXPECT_TRUE(page_.has("Its lowest value is -0.170, at x = -0.752."));
  EXPECT_NEAR(lowest, -0.170, 5e-4);
  EXPECT_NEAR(lowest_at, -0.752, 1e-3);
}

}  // namespace
}  // namespace andrea
