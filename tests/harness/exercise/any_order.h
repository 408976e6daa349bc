// File: any_order.h
//
// Whether a kernel leaves the same bits in whatever order its blocks and threads run.
//
//   EXPECT_TRUE(same_bits_in_any_order("01.6", [] { ...; return out.to_host(); }));

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_ANY_ORDER_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_ANY_ORDER_H_

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace andrea {

// Does the work in several processes, each with an order of its own. A difference is told by the
// exercise's sentence `order`.
::testing::AssertionResult same_bits_in_any_order(const std::string& id,
                                                  const std::function<std::vector<float>()>& work);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_ANY_ORDER_H_
