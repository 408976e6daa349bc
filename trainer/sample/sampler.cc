#include "trainer/sample/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trainer/base/error.h"

namespace andrea {
namespace {

using Candidate = std::pair<float, int>;

bool likelier(const Candidate& a, const Candidate& b) {
  return a.first != b.first ? a.first > b.first : a.second < b.second;
}

}  // namespace

void check_sampling(const SamplingOptions& options) {
  require(options.temperature >= 0 && std::isfinite(options.temperature), "--temperature is ",
          options.temperature, "; it must be 0 or more");
  require(options.top_k >= 0, "--top-k is ", options.top_k, "; it must be 0 (all) or more");
  require(options.top_p > 0 && options.top_p <= 1, "--top-p is ", options.top_p,
          "; it must be above 0 and at most 1");
}

Sampler::Sampler(const SamplingOptions& options, std::uint64_t stream)
    : options_(options), random_(options.seed, stream) {
  check_sampling(options);
}

int Sampler::choose(std::span<const float> logits) {
  candidates_.clear();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    require(logits[i] < std::numeric_limits<float>::infinity(),
            "the model's logits are not numbers: its weights are damaged");
    candidates_.emplace_back(logits[i], static_cast<int>(i));
  }
  if (options_.temperature == 0) {
    return std::min_element(candidates_.begin(), candidates_.end(), likelier)->second;
  }

  const bool cut = options_.top_k > 0 || options_.top_p < 1;
  if (options_.top_k > 0 && static_cast<std::size_t>(options_.top_k) < candidates_.size()) {
    std::nth_element(candidates_.begin(), candidates_.begin() + options_.top_k, candidates_.end(),
                     likelier);
    candidates_.resize(static_cast<std::size_t>(options_.top_k));
  }
  if (cut) std::sort(candidates_.begin(), candidates_.end(), likelier);

  const double largest = std::max_element(candidates_.begin(), candidates_.end())->first;
  const auto weight = [&](const Candidate& candidate) {
    return std::exp((candidate.first - largest) / options_.temperature);
  };
  double total = 0;
  for (const Candidate& candidate : candidates_) total += weight(candidate);
  if (options_.top_p < 1) {
    double kept = 0;
    std::size_t count = 0;
    while (count < candidates_.size() && kept < options_.top_p * total) {
      kept += weight(candidates_[count++]);
    }
    candidates_.resize(count);
    total = kept;
  }

  double remaining = random_.uniform() * total;
  for (const Candidate& candidate : candidates_) {
    remaining -= weight(candidate);
    if (remaining < 0) return candidate.second;
  }
  return candidates_.back().second;  // rounding left a crumb of the total
}

}  // namespace andrea
