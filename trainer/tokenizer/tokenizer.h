// File: tokenizer.h
//
// Text to token ids and back: byte-level byte-pair encoding in GPT-2's form. Text is cut into
// pieces (pre_tokenizer.h), each piece begins as its bytes, and neighbouring tokens are merged by a
// list of rules, the earlier rule first, until none applies. Ids:
//
//   0 .. 255   the bytes, id = value
//   256        BOS, the beginning of a document; tools know it by the text <|endoftext|>
//   257 + i    merge i: a pair of smaller ids, whose bytes it joins
//
//   Tokenizer tokenizer({{'t', 'h'}, {257, 'e'}});       // 257 is "th", 258 is "the"
//   tokenizer.encode("the hat");                         // 258, ' ', 'h', 'a', 't'
//   tokenizer.decode(tokenizer.encode(text)) == text;    // for every byte string
//
// A Tokenizer does not change after construction, so any number of threads may use it at once.

#ifndef ANDREA_TRAINER_TOKENIZER_TOKENIZER_H_
#define ANDREA_TRAINER_TOKENIZER_TOKENIZER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trainer/tokenizer/string_hash.h"

namespace andrea {

class Tokenizer {
 public:
  static constexpr int kBos = 256;                               // the id that begins each document
  static constexpr int kFirstMerge = 257;                        // the first id that is no byte
  static constexpr std::string_view kBosText = "<|endoftext|>";  // as files name the id kBos

  // An id fits in 16 bits, as token shards store it.
  static constexpr int kMaximumVocabulary = 65536;

  // Longer tokens come only from long runs of one character. The limit bounds the memory that a
  // list of merges can ask for, since each merge may double a length.
  static constexpr std::size_t kMaximumPieceBytes = 1024;

  // Merges in order of rank. Error if a merge names BOS or an id that is not smaller than its own,
  // makes bytes that another id (or kBosText) has already, or exceeds one of the limits above.
  explicit Tokenizer(std::vector<std::pair<int, int>> merges);

  int vocabulary() const { return static_cast<int>(pieces_.size()); }  // how many ids there are
  const std::vector<std::pair<int, int>>& merges() const { return merges_; }  // in order of rank

  // The bytes of an id; empty for BOS. Valid as long as the tokenizer. Error if out of range.
  std::string_view piece(int id) const;

  // Appends the ids of the text. Never yields BOS, not even for text that spells it.
  void encode(std::string_view text, std::vector<int>* ids) const;
  std::vector<int> encode(std::string_view text) const;

  // The pieces joined. Error if an id is out of range.
  std::string decode(std::span<const int> ids) const;

 private:
  class Merger;

  int merge_of(int left, int right) const;

  std::vector<std::pair<int, int>> merges_;
  std::vector<std::string> pieces_;                   // by id
  std::unordered_map<std::uint32_t, int> merge_ids_;  // by pair
  // The ids of the pieces that encode as one token, which are most pieces of a text: looking one
  // up is cheaper than merging its bytes. Not every id is here: the rules may make another
  // division of its bytes first.
  std::unordered_map<std::string, int, StringHash, std::equal_to<>> whole_pieces_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_TOKENIZER_TOKENIZER_H_
