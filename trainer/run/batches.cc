#include "trainer/run/batches.h"

#include <algorithm>
#include <utility>

#include "trainer/corpus/document_packing.h"

namespace andrea {

std::vector<std::int64_t> window_starts(const Corpus& corpus, int T) {
  std::vector<std::int64_t> starts;
  const SplitSummary& summary = corpus.summary().training;
  if (summary.tokens > summary.documents * T) return starts;
  for (const PackedRow& row : pack_documents(corpus.training(), T)) {
    // As far as a window of T + 1 tokens follows.
    if (row.start + T < corpus.training().size()) starts.push_back(row.start);
  }
  return starts;
}

Batches::Batches(const TokenShards& shards, std::vector<std::int64_t> starts,
                 const BatchShape& shape, int T, std::uint64_t seed)
    : shards_(shards),
      starts_(std::move(starts)),
      shape_(shape),
      T_(T),
      seed_(seed),
      window_(static_cast<std::size_t>(T) + 1) {
  windows_per_epoch(shards_.size(), T);  // refuses what is too short
  const std::size_t tokens = static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(T);
  batch_.tokens.resize(tokens);
  batch_.targets.resize(tokens);
}

const Batch& Batches::read(std::int64_t step, int accumulation, int rank) {
  for (int row = 0; row < shape_.rows; ++row) {
    const std::int64_t sample = sample_index(shape_, step - 1, accumulation, row, rank);
    shards_.read(window_start(sample), T_ + 1, window_.data());
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * T_;
    std::copy(window_.begin(), window_.end() - 1, batch_.tokens.begin() + at);
    std::copy(window_.begin() + 1, window_.end(), batch_.targets.begin() + at);
  }
  return batch_;
}

std::int64_t Batches::window_start(std::int64_t sample) const {
  if (starts_.empty()) return sample_start(sample, shards_.size(), T_, seed_);
  const auto places = static_cast<std::int64_t>(starts_.size());
  return starts_[static_cast<std::size_t>(sample_place(sample, places, seed_))];
}

}  // namespace andrea
