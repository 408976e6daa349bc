// File: spelling_look.h
//
// Spellings that this look and the compiler could read differently, so that one sees a comment or a
// text where the other sees code: a word cut in two by the end of its line, a raw string of several
// lines, whose lines the preprocessor's output has as they are, digraphs. Behind one of them
// whatever is refused could be hidden. None is of any use to an exercise.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_SPELLING_LOOK_H_
#define ANDREA_TOOLS_COURSE_JUDGE_SPELLING_LOOK_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/rewriter/tokens.h"

namespace andrea::judge {

struct OddSpelling {
  int line = 0;      // from 1
  std::string what;  // "has a raw string of several lines"
};

// In a source as it was written. `tokens`: all of them, comments and blanks too.
std::vector<OddSpelling> odd_spellings(const std::vector<simulator::Token>& tokens);

// Whether a digraph begins with the token at `i`: <: for [, or <% for {.
bool is_digraph(const std::vector<simulator::Token>& tokens, std::size_t i);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_SPELLING_LOOK_H_
