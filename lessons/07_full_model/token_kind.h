// File: token_kind.h
//
// What a token is in its text, for the program logit_lens: is the loss at words that hold a
// sentence together, or at those that say something?

#ifndef ANDREA_LESSONS_07_FULL_MODEL_TOKEN_KIND_H_
#define ANDREA_LESSONS_07_FULL_MODEL_TOKEN_KIND_H_

#include <cstddef>
#include <span>

#include "trainer/tokenizer/tokenizer.h"

namespace andrea {

enum class TokenKind {
  function_word,  // the first token of an article, conjunction, preposition, pronoun or auxiliary
  other_word,     // the first token of any other word
  rest_of_word,   // a token that goes on with a word
  sign,           // all else, the beginning of the next text among it
};

// The kind of tokens[i]. The words are English: of another language all are other words. What
// belongs to a word behind the last token is not seen. Precondition: 0 < i < tokens.size().
TokenKind token_kind(const Tokenizer& tokenizer, std::span<const int> tokens, std::size_t i);

}  // namespace andrea

#endif  // ANDREA_LESSONS_07_FULL_MODEL_TOKEN_KIND_H_
