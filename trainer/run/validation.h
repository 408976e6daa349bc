// File: validation.h
//
// How well a model predicts text that it was not trained on.

#ifndef ANDREA_TRAINER_RUN_VALIDATION_H_
#define ANDREA_TRAINER_RUN_VALIDATION_H_

#include <cstdint>
#include <vector>

#include "trainer/corpus/document_packing.h"
#include "trainer/corpus/token_shards.h"
#include "trainer/model/evaluator.h"
#include "trainer/tokenizer/tokenizer.h"

namespace andrea {

struct ValidationResult {
  double nats = 0;          // the sum of all losses
  std::int64_t tokens = 0;  // predicted, ends of documents included
  std::int64_t bytes = 0;   // of text

  double loss() const;           // nats a token
  double bits_per_byte() const;  // comparable between tokenizers; an end has no bytes
  double perplexity() const;     // exp(loss)
};

// Predicts every token of the given rows once.
ValidationResult validate(Evaluator& evaluator, const Tokenizer& tokenizer,
                          const TokenShards& shards, const std::vector<PackedRow>& rows);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_VALIDATION_H_
