// File: together.h
//
// The test of a lesson's kernels together with those of the lessons before it: a chain of
// operations of the contract, forward and then backward, each fed with what the one before it
// wrote. After each operation its tensors are compared with the same chain in the references, and
// the first tensor that departs is named.
//
//   TEST(Lesson02, Together) {
//     EXPECT_TRUE(together({"embedding", "dot_similarity"}, kNames, kSizes, [](Chain& chain) {
//       ...
//       chain.step("dot_similarity", "dot_similarity_forward",
//                  dot_similarity_scratch_bytes(N, V, C), [&](const Launch& launch) {
//                    dot_similarity_forward(stream, table, logits, N, V, C, V, launch);
//                  });
//       chain.expect("logits", [&]<typename Scalar>(Scalar) { return ...; }, C);
//     }));
//   }
//
// tests/harness/exercise/small_model.h is the chain that the lessons share.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_TOGETHER_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_TOGETHER_H_

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/harness/exercise/trial.h"

namespace andrea {

class Chain {
 public:
  // `own`: the operations whose kernels are the student's.
  Chain(Trial& trial, const std::set<std::string>& own) : trial_(trial), own_(own) {}

  Trial& trial() { return trial_; }  // the sizes and the memory of this run

  // Calls an operation's function.
  void step(const std::string& operation, const std::string& function, std::size_t scratch_bytes,
            const std::function<void(const Launch&)>& work);

  // As Trial::expect, of a tensor of the last step. Of all that is expected, in this order, the
  // first that is wrong is told.
  template <typename Reference>
  void expect(const std::string& tensor, const Reference& reference, double accumulated = 1) {
    trial_.expect(tensor, reference, accumulated);
    note(tensor);
  }

  // Empty where all is well; else a line with nothing in it, and what is told.
  std::string verdict() const;

 private:
  void note(const std::string& tensor);

  Trial& trial_;
  const std::set<std::string>& own_;
  std::string operation_, function_;              // of the last step
  std::vector<std::string> agreeing_;             // {"embedded", "logits"}
  std::string first_operation_, first_function_;  // that wrote the first wrong tensor
};

// `own` as above; `sizes` in ascending order, each with a number for each name. The work is done in
// a process of its own.
::testing::AssertionResult together(const std::set<std::string>& own,
                                    const std::vector<std::string>& names,
                                    const std::vector<std::vector<int>>& sizes,
                                    const std::function<void(Chain&)>& body);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_TOGETHER_H_
