// File: seed.h
//
// Where the random numbers of a test come from: a seed of its own in every run, so that a wrong
// kernel does not survive by fitting one set of inputs. It is printed, and
//
//   bazel test //tests/kernels:linear_test --test_env=ANDREA_TEST_SEED=1234
//
// repeats a run exactly.

#ifndef ANDREA_TESTS_HARNESS_SEED_H_
#define ANDREA_TESTS_HARNESS_SEED_H_

#include <cstdint>

namespace andrea {

// The seed of this run: $ANDREA_TEST_SEED, or a fresh one. The same in every call.
std::uint64_t test_seed();

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_SEED_H_
