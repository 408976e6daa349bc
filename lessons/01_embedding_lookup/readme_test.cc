// The numbers of README.md: what it works out by hand is what the reference computes, and its costs
// are those of ANDREA-120M.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lessons/01_embedding_lookup/reference.h"
#include "tests/harness/document.h"

namespace andrea {
namespace {

using reference::Matrix;

constexpr int B = 2, T = 3, C = 2, V = 4;
const std::vector<int> kTokens = {2, 0, 2, 1, 2, 0};

Matrix<double> matrix(int rows, const std::vector<double>& numbers) {
  return Eigen::Map<const Matrix<double>>(numbers.data(), rows, C);
}

TEST(ReadmeTest, ByHand) {
  const Document readme("lessons/01_embedding_lookup/README.md");
  const auto token_table = matrix(V, {0.1, -0.2, 0.5, 0.3, -0.4, 0.8, 0.7, 0.6});
  const auto position_table = matrix(T, {0.01, 0.02, 0.03, -0.01, -0.02, 0.05});
  const auto dout = matrix(B * T, {1, 2, 3, -1, -2, 4, 0.5, 1, 2, -3, -1, 0.5});
  const auto out = reference::embedding_forward(kTokens, T, token_table, position_table);
  const auto gradients = reference::embedding_backward(dout, kTokens, T, V);

  const std::vector<std::string> uses_of_id = {"1, 5", "3", "0, 2, 4", "none"};
  for (int v = 0; v < V; ++v) {
    EXPECT_TRUE(readme.has_row({std::to_string(v), text_of(token_table.row(v))}));
    EXPECT_TRUE(readme.has_row({std::to_string(v), uses_of_id[static_cast<std::size_t>(v)],
                                text_of(gradients.dtoken_table.row(v))}));
  }
  for (int t = 0; t < T; ++t) {
    EXPECT_TRUE(readme.has_row({std::to_string(t), text_of(position_table.row(t))}));
    EXPECT_TRUE(readme.has_row({std::to_string(t), std::to_string(t) + ", " + std::to_string(T + t),
                                text_of(gradients.dposition_table.row(t))}));
  }
  for (int n = 0; n < B * T; ++n) {
    EXPECT_TRUE(readme.has_row(
        {std::to_string(n), std::to_string(n / T) + ", " + std::to_string(n % T),
         std::to_string(kTokens[static_cast<std::size_t>(n)]), text_of(out.row(n))}));
    EXPECT_TRUE(readme.has_row({std::to_string(n), text_of(dout.row(n))}));
  }
}

TEST(ReadmeTest, Costs) {
  const Document readme("lessons/01_embedding_lookup/README.md");
  constexpr std::int64_t N = 8 * 1024, width = 768, ids = 8449;
  for (const std::int64_t number :
       {N * width, 4 * N * width, 8 * N * width, 4 * N, 4 * ids * width, 7 * 1024 * width,
        4 * 1024 * width, 12 * N * width, 2 * N * ids * width, N * ids, 4 * N * ids,
        N * ids * (width / 128) * 4, N * 24, ids * width, 2 * ids * width, 1024 * width,
        (ids + 1024) * width, 4 * (ids + 1024) * width}) {
    EXPECT_TRUE(readme.has(grouped(number)));
  }
}

}  // namespace
}  // namespace andrea
