// File: exercise.h
//
// The test of one exercise: the student's function with many sizes, the smallest first. The first
// failure is told for a learner: one cause, at the smallest sizes that show it, with a picture,
// and, where it can be known, the mistake.
//
//   TEST(Lesson02, Exercise1) {
//     EXPECT_TRUE(exercise("02.1", {"N", "C"}, {{1, 1}, {2, 3}, {33, 97}}, [](Trial& trial) {
//       ...                                                              // trial.h
//     }));
//   }

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_EXERCISE_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_EXERCISE_H_

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/harness/exercise/trial.h"

namespace andrea {

// `sizes`: in ascending order, each with a number for each name. The work is done in a process of
// its own. The test's result has the properties `exercise` and, where one was recognised,
// `mistake`.
::testing::AssertionResult exercise(const std::string& id, const std::vector<std::string>& names,
                                    const std::vector<std::vector<int>>& sizes,
                                    const std::function<void(Trial&)>& body);

// The test of a contract's functions, which a lesson's kernel.cu makes of its exercises' steps, in
// a line of its own behind theirs:
//
//   TEST(Lesson03, Whole) { EXPECT_TRUE(whole("03.7", "kernels/attention.h", ...)); }
//
// `id`: the last of the exercises, whose catalogue has the sentences of trial.looks_like and
// trial.require.
::testing::AssertionResult whole(const std::string& id, const std::string& contract,
                                 const std::vector<std::string>& names,
                                 const std::vector<std::vector<int>>& sizes,
                                 const std::function<void(Trial&)>& body);

// Each of the sizes twice, with a last number more: whether gradients are added, 0 and 1.
inline std::vector<std::vector<int>> both_ways(const std::vector<std::vector<int>>& sizes) {
  std::vector<std::vector<int>> result;
  for (const std::vector<int>& size : sizes) {
    for (const int add : {0, 1}) {
      result.push_back(size);
      result.back().push_back(add);
    }
  }
  return result;
}

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_EXERCISE_H_
