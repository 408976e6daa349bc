// With a right attention the small model learns to write backwards.

#include <gtest/gtest.h>
#include <omp.h>

#include "lessons/03_attention/reverser.h"

namespace andrea {
namespace {

TEST(ReverserTest, LearnsToWriteBackwards) {
  omp_set_num_threads(1);
  Reverser reverser(1);
  EXPECT_LT(reverser.accuracy(), 0.2);
  double loss = 0;
  for (int step = 0; step < 80; ++step) loss = reverser.train();
  EXPECT_LT(loss, 0.05);
  EXPECT_GE(reverser.accuracy(), 0.99);
  EXPECT_EQ(reverser.continuation("abcdefgh"), "hgfedcba");
}

}  // namespace
}  // namespace andrea
