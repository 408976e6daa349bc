// The numbers of README.md, computed with the reference.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "lessons/00_first_kernel/reference.h"
#include "tests/harness/document.h"

namespace andrea {
namespace {

class ReadmeTest : public ::testing::Test {
 protected:
  const Document readme_{"lessons/00_first_kernel/README.md"};
};

TEST_F(ReadmeTest, Reduction) {
  std::vector<int> partial = {3, 1, 4, 1, 5, 9, 2, 6};
  EXPECT_TRUE(readme_.has_row({"start |", text_of(partial)}));
  for (std::size_t half = 4, round = 1; half > 0; half /= 2, ++round) {
    for (std::size_t thread = 0; thread < half; ++thread) {
      partial[thread] += partial[thread + half];
    }
    partial.resize(half);
    EXPECT_TRUE(readme_.has_row({std::to_string(round), std::to_string(half), text_of(partial)}));
  }
}

TEST_F(ReadmeTest, RowsOfAMatrix) {
  const reference::Matrix<double> x{{1, -2}, {0.5, 4}, {-3, -1}};
  for (int r = 0; r < 3; ++r) {
    EXPECT_TRUE(
        readme_.has_row({std::to_string(r), text_of(x.row(r)), text_of_number(x.row(r).sum()),
                         text_of_number(x.row(r).maxCoeff())}));
  }
}

TEST_F(ReadmeTest, Derivative) {
  const auto silu = [](double x) { return reference::silu(x); };
  for (const double x : {-2.0, 0.0, 1.0, 3.0}) {
    const double s = 1 / (1 + std::exp(-x)), slope = s + x * s * (1 - s);
    EXPECT_NEAR(slope, reference::silu_slope(x), 1e-8);
    const double difference = (silu(x + 0.01) - silu(x - 0.01)) / 0.02;
    EXPECT_TRUE(readme_.has_row({text_of_number(x), text_of_number(s), text_of_number(silu(x)),
                                 text_of_number(slope), text_of_number(difference)}));
  }
  EXPECT_TRUE(readme_.has("(" + text_of_number(silu(1.01), 6) + " - " +
                          text_of_number(silu(0.99), 6) + ") / 0.02"));
}

TEST_F(ReadmeTest, Costs) {
  constexpr std::int64_t numbers = 8 * 1024 * 768;
  EXPECT_TRUE(readme_.has(grouped(numbers)));
  EXPECT_TRUE(readme_.has(grouped(8 * numbers)));
}

}  // namespace
}  // namespace andrea
