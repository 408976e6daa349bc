#include "trainer/run/validation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace andrea {

double ValidationResult::loss() const { return nats / static_cast<double>(tokens); }

double ValidationResult::bits_per_byte() const {
  return nats / std::numbers::ln2 / static_cast<double>(bytes);
}

double ValidationResult::perplexity() const { return std::exp(loss()); }

ValidationResult validate(Evaluator& evaluator, const Tokenizer& tokenizer,
                          const TokenShards& shards, const std::vector<PackedRow>& rows) {
  const auto B = static_cast<std::size_t>(evaluator.B());
  const auto T = static_cast<std::size_t>(evaluator.T());
  std::vector<int> inputs(B * T);
  std::vector<int> targets(B * T);
  ValidationResult result;
  for (std::size_t first = 0; first < rows.size(); first += B) {
    // Rows missing from the last batch are padding from end to end.
    std::fill(inputs.begin(), inputs.end(), Tokenizer::kBos);
    std::fill(targets.begin(), targets.end(), -1);
    for (std::size_t b = 0; b < B && first + b < rows.size(); ++b) {
      read_row(shards, rows[first + b], static_cast<std::int64_t>(T), &inputs[b * T],
               &targets[b * T]);
    }
    result.nats += evaluator.loss(inputs, targets);
    for (const int target : targets) {
      if (target < 0) continue;
      ++result.tokens;
      result.bytes += static_cast<std::int64_t>(tokenizer.piece(target).size());
    }
  }
  return result;
}

}  // namespace andrea
