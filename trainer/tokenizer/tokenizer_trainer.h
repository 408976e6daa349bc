// File: tokenizer_trainer.h
//
// Learns a tokenizer's merges from text (Sennrich, Haddow, Birch, "Neural machine translation of
// rare words with subword units", ACL 2016): count the pieces of the text, then time and again
// merge the pair of neighbouring tokens that occurs most often within pieces.
//
//   TokenizerTrainer trainer;
//   while (source.next(&document)) trainer.add(document);
//   const Tokenizer tokenizer = trainer.train(8449);
//   if (tokenizer.vocabulary() < 8449) ...  // the text had no more to give
//
// The result depends on the multiset of pieces alone, not on the order of the documents. Of pairs
// that occur equally often, the one with the smaller left part goes first, and of equal left parts
// the one with the smaller right part; parts are compared byte by byte as unsigned numbers, a
// proper prefix being smaller. A pair is never merged when it occurs once only, when the joined
// bytes are a token already (two ids of one text would be told apart by no reader), or when they
// exceed Tokenizer::kMaximumPieceBytes.

#ifndef ANDREA_TRAINER_TOKENIZER_TOKENIZER_TRAINER_H_
#define ANDREA_TRAINER_TOKENIZER_TOKENIZER_TRAINER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "trainer/tokenizer/string_hash.h"
#include "trainer/tokenizer/tokenizer.h"

namespace andrea {

class TokenizerTrainer {
 public:
  // Counts the pieces of a document. Memory grows with the distinct pieces, not with the text.
  void add(std::string_view document);

  // The tokenizer with so many ids (257 for bytes and BOS, the rest merges), or with fewer when no
  // pair is left to merge. Error if vocabulary is below 257 or above Tokenizer::kMaximumVocabulary.
  // May be called again, also after more documents.
  Tokenizer train(int vocabulary) const;

 private:
  std::unordered_map<std::string, std::int64_t, StringHash, std::equal_to<>> piece_counts_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_TOKENIZER_TOKENIZER_TRAINER_H_
