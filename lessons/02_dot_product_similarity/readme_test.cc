// The numbers that README.md works out by hand are those of the reference.

#include <gtest/gtest.h>

#include "lessons/02_dot_product_similarity/reference.h"

namespace andrea::reference {
namespace {

using M = Matrix<double>;

M matrix(int rows, int columns, std::initializer_list<double> values) {
  return load(values.begin(), rows, columns);
}

const M kX = matrix(3, 2, {1, 2, 3, -1, 0, 2});
const M kTable = matrix(2, 2, {1, 0, 2, 1});
const M kDout = matrix(3, 2, {1, -1, 0, 2, 0.5, 0});

TEST(ReadmeTest, Forward) {
  EXPECT_EQ(dot_similarity_forward(kX, kTable), matrix(3, 2, {1, 4, 3, 5, 0, 2}));
}

TEST(ReadmeTest, Cosines) {
  const M cosines = matrix(3, 2, {0.447, 0.8, 0.949, 0.707, 0, 0.447});
  for (int n = 0; n < 3; ++n) {
    for (int m = 0; m < 2; ++m) {
      EXPECT_NEAR(cosine<double>(kX.row(n), kTable.row(m)), cosines(n, m), 5e-4);
    }
  }
}

TEST(ReadmeTest, Backward) {
  const auto gradients = dot_similarity_backward(kDout, kX, kTable);
  EXPECT_EQ(gradients.dx, matrix(3, 2, {-1, -1, 4, 2, 0.5, 0}));
  EXPECT_EQ(gradients.dtable, matrix(2, 2, {1, 3, 5, -4}));
}

// "A step of 0.1 on dx[1, 0] changes the loss by 0.4."
TEST(ReadmeTest, AGradientForeseesWhatAStepDoes) {
  const auto loss = [&](const M& x) {
    return dot_similarity_forward(x, kTable).cwiseProduct(kDout).sum();
  };
  M moved = kX;
  moved(1, 0) += 0.1;
  EXPECT_NEAR(loss(kX), 7, 1e-12);
  EXPECT_NEAR(loss(moved) - loss(kX), 0.4, 1e-12);
}

// ANDREA-120M's output projection: N = 8 x 1024, M = 8449, C = 768.
TEST(ReadmeTest, Cost) {
  const double N = 8192, V = 8449, C = 768;
  const double operations = 2 * N * V * C;
  const double bytes = 4 * (N * C + V * C + N * V);
  EXPECT_EQ(operations, 106313023488.0);
  EXPECT_EQ(bytes, 327977984.0);
  EXPECT_NEAR(operations / bytes, 324, 0.5);
  EXPECT_EQ(4 * 2 * N * V * C, 425252093952.0);               // loaded by 02.4
  EXPECT_EQ(4 * (N * C * 265 + V * C * 256), 13313507328.0);  // by 02.5: 265 and 256 tiles of rows
}

}  // namespace
}  // namespace andrea::reference
