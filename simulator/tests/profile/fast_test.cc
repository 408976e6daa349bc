// Kernels of the fast build cannot be counted, and that is said.

#include <gtest/gtest.h>
#include <simulator/counters.h>

#include <stdexcept>

#include "simulator/tests/profile/kernels.h"

namespace {

TEST(FastBuild, SaysThatNothingWasCounted) {
  simulator::start_counting();
  profile_test::vector_add(100, 32);
  const simulator::Counters counters = simulator::stop_counting();
  EXPECT_FALSE(counters.counted());
  EXPECT_THROW((void)counters.kernels(), std::logic_error);
  EXPECT_THROW((void)counters.kernel("profile_test::add"), std::logic_error);
  EXPECT_THROW((void)counters.total(), std::logic_error);
}

}  // namespace
