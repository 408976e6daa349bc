#include "trainer/corpus/document_packing.h"

#include <algorithm>

#include "trainer/base/error.h"

namespace andrea {
namespace {

// Takes documents one after the other and closes a row when the next one does not fit.
class RowPacker {
 public:
  explicit RowPacker(std::int64_t T) : T_(T) {}

  void add_document(std::int64_t start, std::int64_t length) {
    if (row_.length + length > T_) end_row();
    if (row_.length == 0) row_.start = start;
    row_.length += length;
    for (; row_.length > T_; row_ = {row_.start + T_, row_.length - T_}) {
      rows_.push_back({row_.start, T_});
    }
  }

  std::vector<PackedRow> finish() && {
    end_row();
    return std::move(rows_);
  }

 private:
  void end_row() {
    if (row_.length > 0) rows_.push_back(row_);
    row_.length = 0;
  }

  std::int64_t T_;
  PackedRow row_ = {0, 0};
  std::vector<PackedRow> rows_;
};

}  // namespace

std::vector<PackedRow> pack_documents(const TokenShards& tokens, std::int64_t T) {
  require(T >= 1, "a row must have at least one token, not ", T);
  constexpr std::int64_t kChunk = 1 << 16;
  std::vector<int> chunk(kChunk);
  RowPacker packer(T);
  std::int64_t document = 0;
  for (std::int64_t position = 0; position < tokens.size(); position += kChunk) {
    const std::int64_t count = std::min(kChunk, tokens.size() - position);
    tokens.read(position, count, chunk.data());
    for (std::int64_t i = 0; i < count; ++i) {
      if (chunk[i] != kDocumentStart || position + i == document) continue;
      packer.add_document(document, position + i - document);
      document = position + i;
    }
  }
  if (document < tokens.size()) packer.add_document(document, tokens.size() - document);
  return std::move(packer).finish();
}

std::vector<PackedRow> choose_evenly(const std::vector<PackedRow>& rows, std::size_t count) {
  if (count >= rows.size()) return rows;
  std::vector<PackedRow> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(rows[i * rows.size() / count]);
  return chosen;
}

void read_row(const TokenShards& tokens, const PackedRow& row, std::int64_t T, int* inputs,
              int* targets) {
  require(row.length >= 1 && row.length <= T, "a row of ", row.length,
          " tokens does not fit in a context of ", T);
  tokens.read(row.start, row.length, inputs);
  const bool at_end = row.start + row.length == tokens.size();
  std::copy(inputs + 1, inputs + row.length, targets);
  targets[row.length - 1] = kDocumentStart;
  if (!at_end) tokens.read(row.start + row.length, 1, &targets[row.length - 1]);
  std::fill(inputs + row.length, inputs + T, kDocumentStart);
  std::fill(targets + row.length, targets + T, -1);
}

}  // namespace andrea
