#include "trainer/run/batches.h"

#include <algorithm>

namespace andrea {

Batches::Batches(const TokenShards& shards, const BatchShape& shape, int T, std::uint64_t seed)
    : shards_(shards),
      shape_(shape),
      T_(T),
      seed_(seed),
      window_(static_cast<std::size_t>(T) + 1),
      batch_{std::vector<int>(static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(T)),
             std::vector<int>(static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(T))} {
}

const Batch& Batches::read(std::int64_t step, int accumulation, int rank) {
  for (int row = 0; row < shape_.rows; ++row) {
    const std::int64_t sample = sample_index(shape_, step - 1, accumulation, row, rank);
    shards_.read(sample_start(sample, shards_.size(), T_, seed_), T_ + 1, window_.data());
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * T_;
    std::copy(window_.begin(), window_.end() - 1, batch_.tokens.begin() + at);
    std::copy(window_.begin() + 1, window_.end(), batch_.targets.begin() + at);
  }
  return batch_;
}

}  // namespace andrea
