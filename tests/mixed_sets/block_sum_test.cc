// That two sets can be linked together whose kernels use the same inline function with shared
// memory of its own.

#include "tests/mixed_sets/block_sum.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/device_buffer.h"

namespace andrea {
namespace {

TEST(BlockSumTest, TwoSetsHaveItEach) {
  DeviceBuffer<float> sum(1);
  std::vector<float> result(1);
  first_set::sum_of_indices(sum.data(), 64);
  sum.download(result);
  EXPECT_EQ(result[0], 2016);
  second_set::sum_of_indices(sum.data(), 96);
  sum.download(result);
  EXPECT_EQ(result[0], 4560);
}

}  // namespace
}  // namespace andrea
