// File: document_packing.h
//
// How validation reads a sequence of documents, each a kDocumentStart followed by its tokens: in
// rows of at most T inputs that begin where a document begins, so that no document is met without
// its start. A row holds as many whole documents as fit. A document longer than T is cut into rows
// of T; what remains of it begins a row that is filled up with whole documents like any other.
//
// The rows are consecutive and cover the sequence: each token is an input once, its target is the
// token after it, and the last target of all is the kDocumentStart that would come next. So every
// token of every document and every document's end is predicted exactly once, and the sum of the
// losses over all rows is the whole text's, to be divided by its bytes for bits a byte.
//
//     for (const PackedRow& row : choose_evenly(pack_documents(corpus.validation(), T), 64)) {
//       read_row(corpus.validation(), row, T, inputs, targets);   // T of each, padding has target
//       -1
//     }

#ifndef ANDREA_TRAINER_CORPUS_DOCUMENT_PACKING_H_
#define ANDREA_TRAINER_CORPUS_DOCUMENT_PACKING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trainer/corpus/token_shards.h"

namespace andrea {

// The inputs tokens[start, start + length).
struct PackedRow {
  std::int64_t start;   // of the first input
  std::int64_t length;  // inputs

  bool operator==(const PackedRow&) const = default;
};

// All rows, in order. Reads the tokens once; holds 16 bytes a row. Error: T is not positive.
std::vector<PackedRow> pack_documents(const TokenShards& tokens, std::int64_t T);

// `count` of the rows at even distances, the first among them; all if there are no more than that.
std::vector<PackedRow> choose_evenly(const std::vector<PackedRow>& rows, std::size_t count);

// Fills T inputs and T targets. After the row's own, inputs are kDocumentStart and targets -1: no
// loss is taken there.
void read_row(const TokenShards& tokens, const PackedRow& row, std::int64_t T, int* inputs,
              int* targets);

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_DOCUMENT_PACKING_H_
