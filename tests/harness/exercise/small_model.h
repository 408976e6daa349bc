// File: small_model.h
//
// The chain of operations in which the lessons' kernels are tried together (together.h): a model
// that is as small as it can be, forward and backward.
//
//   tokens -> embedding -> (attention) -> (MLP) -> logits -> loss, and back
//
// Each part is there from the lesson on in which it becomes the student's: a residual sublayer with
// attention from 03, norms from 04, a residual MLP from 05. In 06 two blocks take the place
// of the sublayers, and in 07 it is a training step of a whole model (training_step.h). In each
// together_test.cc:
//
//   TEST(Lesson02, Together) { EXPECT_TRUE(small_model({"embedding", "dot_similarity"})); }
//
// and in BUILD: together_test("02_dot_product_similarity"), of lesson.bzl.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_SMALL_MODEL_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_SMALL_MODEL_H_

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace andrea {

// `own`: the operations that are linked from the student's lessons. The others are the cpu set's.
::testing::AssertionResult small_model(const std::set<std::string>& own);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_SMALL_MODEL_H_
