// File: own_tokens.h
//
// What a student has written, as tokens that say nothing of names, numbers, layout and comments.

#ifndef ANDREA_TOOLS_COURSE_GRADER_LIKENESS_OWN_TOKENS_H_
#define ANDREA_TOOLS_COURSE_GRADER_LIKENESS_OWN_TOKENS_H_

#include <string>
#include <vector>

namespace andrea::grader {

struct OwnToken {
  std::string kind;  // of a name "n", of a number "0", of a string "s", else the token itself
  std::string text;  // as it stands there
  int line = 0;      // from 1
};

inline constexpr const char* kGap = "gap";

// The tokens of the lines that `stub` does not have: the longest common subsequence of lines is
// left out, blanks at their ends not counting. A token of kind kGap stands between two that the
// stub keeps apart.
std::vector<OwnToken> own_tokens(const std::string& text, const std::string& stub);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_LIKENESS_OWN_TOKENS_H_
