// File: simulator/rewriter/tokens.h
//
// C++ and CUDA text as tokens. No byte is lost: the tokens' texts one after the other are the
// source, so that a tool may change a few of them and leave the rest as it was.
//
// It never fails. A comment or raw string that is not closed runs to the end of the file, a string
// or character to the end of its line (an apostrophe in `#error don't` must not swallow the file);
// either has `terminated` false.
//
// `<<<` and `>>>` are tokens of their own, as for nvcc: of four `>` the first three are one token.
// Formatters that do not know CUDA write `<< <` and `>> >`, which are two tokens here.
//
// Known limits: a name or operator cut in two by a line continuation is two tokens, and there are
// no digraphs.

#ifndef ANDREA_SIMULATOR_REWRITER_TOKENS_H_
#define ANDREA_SIMULATOR_REWRITER_TOKENS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace simulator {

// The sorts of tokens; what they are made of comes back when they are joined.
enum class TokenKind : std::uint8_t {
  identifier,   // Keywords too, and letters beyond ASCII.
  number,       // 1'000, 0x1p-3f
  string,       // With its prefix and suffix; raw strings as well.
  character,    // Likewise.
  header_name,  // <x.h> or "x.h" behind #include.
  punctuation,  // The longest operator there is, but for the rule of `>` above.
  whitespace,   // Blanks, line continuations (blanks may end those), a byte order mark.
  newline,      // LF, CRLF, or CR alone.
  comment,      // Of either form, without the newline that ends it.
  other,        // A byte that no C++ token starts with.
};

struct Token {
  TokenKind kind;          // what sort of token
  bool terminated = true;  // else a string or comment that has no end
  int line = 0;            // From 1.
  int column = 0;          // From 1, in bytes.
  int directive = 0;       // 0 in ordinary code; else which preprocessor line of the file, from 1.
  std::string_view text;   // as it stands in the file

  bool is(std::string_view expected) const { return text == expected; }  // whether it is just this
  // Whether the compiler's parser sees it.
  bool is_significant() const {
    return kind != TokenKind::whitespace && kind != TokenKind::newline &&
           kind != TokenKind::comment;
  }
};

// The tokens refer to `source`, which must outlive them.
std::vector<Token> tokenize(std::string_view source);

// The bytes of a backslash at `position` and the line end behind it, or 0. Compilers let blanks
// stand between.
std::size_t continuation_length(std::string_view source, std::size_t position);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_TOKENS_H_
