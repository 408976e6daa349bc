// File: sampler.h
//
// Chooses the next token from logits.

#ifndef ANDREA_TRAINER_SAMPLE_SAMPLER_H_
#define ANDREA_TRAINER_SAMPLE_SAMPLER_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trainer/base/random.h"

namespace andrea {

// How a token is chosen.
struct SamplingOptions {
  double temperature = 0.8;  // 0: always the likeliest token, the lowest id among equals
  int top_k = 0;             // only the k likeliest tokens; 0: all
  double top_p = 1.0;        // only the likeliest tokens that together have this probability
                             // (nucleus sampling, Holtzman et al. 2020)
  std::uint64_t seed = 1;    // of the choices
};

// Throws Error unless temperature >= 0, top_k >= 0 and 0 < top_p <= 1.
void check_sampling(const SamplingOptions& options);

class Sampler {
 public:
  // Choices are a function of the options and of the logits so far; `stream` makes several texts of
  // one seed differ.
  explicit Sampler(const SamplingOptions& options, std::uint64_t stream = 0);

  // Error when a logit is NaN or infinity: the model is broken.
  int choose(std::span<const float> logits);

 private:
  SamplingOptions options_;
  Random random_;
  std::vector<std::pair<float, int>> candidates_;  // logit and token, kept to spare allocations
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_SAMPLE_SAMPLER_H_
