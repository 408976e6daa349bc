// File: block_sum.h
//
// The same function in two kernel sets.

#ifndef ANDREA_TESTS_MIXED_SETS_BLOCK_SUM_H_
#define ANDREA_TESTS_MIXED_SETS_BLOCK_SUM_H_

namespace andrea {

// *sum = 0 + 1 + ... + (threads - 1), in device memory.
namespace first_set {
void sum_of_indices(float* sum, int threads);
}
namespace second_set {
void sum_of_indices(float* sum, int threads);
}

}  // namespace andrea

#endif  // ANDREA_TESTS_MIXED_SETS_BLOCK_SUM_H_
