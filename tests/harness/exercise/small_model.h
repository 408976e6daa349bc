// File: small_model.h
//
// The chain of operations in which the lessons' kernels are tried together (together.h): a model
// that is as small as it can be, forward and backward.
//
//   tokens -> embedding -> (linear -> attention -> residual) -> logits -> loss, and back
//
// The part in brackets is there where attention is the student's. In each together_test.cc:
//
//   TEST(Lesson02, Together) { EXPECT_TRUE(small_model({"embedding", "dot_similarity"})); }
//
// and in BUILD: together_test(own = {"embedding": "01_embedding_lookup", ...}), of lesson.bzl.

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
