// File: pre_tokenizer.h
//
// Cuts text into the pieces that byte-pair merges never cross: words with the space before them,
// numbers, runs of punctuation, runs of white space. The rule is GPT-2's regular expression,
//
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// where \p{L} and \p{N} are Unicode's letters and numbers (as the installed PCRE2 knows them) and
// \s is Unicode's White_Space. So "I've  seen 42 cats!" is cut into
// "I", "'ve", " ", " seen", " 42", " cats", "!".
//
//   PreTokenizer pieces(text);
//   for (std::string_view piece; pieces.next(&piece);) count(piece);
//
// The pieces joined are the text, whatever its bytes. Where the text is not valid UTF-8, each
// maximal run of invalid bytes is one piece, and the text on either side of it is cut as if it
// stood alone.

#ifndef ANDREA_TRAINER_TOKENIZER_PRE_TOKENIZER_H_
#define ANDREA_TRAINER_TOKENIZER_PRE_TOKENIZER_H_

#include <pcre2.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace andrea {

class PreTokenizer {
 public:
  // Does not copy the text.
  explicit PreTokenizer(std::string_view text);

  // Puts the next piece, a part of the text and never empty, into *piece; false at the end.
  bool next(std::string_view* piece);

 private:
  struct Free {
    void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
  };

  std::string_view rest_;        // the text not yet cut
  std::size_t valid_bytes_ = 0;  // how much of rest_, from its start, is known to be valid UTF-8
  std::unique_ptr<pcre2_match_data, Free> match_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_TOKENIZER_PRE_TOKENIZER_H_
