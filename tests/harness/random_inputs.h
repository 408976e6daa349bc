// File: random_inputs.h
//
// Random inputs of tests, all from test_seed(): numbers that are no integers, so that no wrong
// index happens to fit.

#ifndef ANDREA_TESTS_HARNESS_RANDOM_INPUTS_H_
#define ANDREA_TESTS_HARNESS_RANDOM_INPUTS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "tests/harness/seed.h"

namespace andrea {

class RandomInputs {
 public:
  RandomInputs() : generator_(test_seed()) {}

  // Uniform between -scale and scale.
  std::vector<float> numbers(std::int64_t count, float scale = 1) {
    std::uniform_real_distribution<float> distribution(-scale, scale);
    std::vector<float> result(static_cast<std::size_t>(count));
    for (float& number : result) number = distribution(generator_);
    return result;
  }

  // Uniform in lowest .. bound - 1.
  std::vector<int> integers(std::int64_t count, int bound, int lowest = 0) {
    std::uniform_int_distribution<int> distribution(lowest, bound - 1);
    std::vector<int> result(static_cast<std::size_t>(count));
    for (int& number : result) number = distribution(generator_);
    return result;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_RANDOM_INPUTS_H_
