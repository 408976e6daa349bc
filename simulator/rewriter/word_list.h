// File: simulator/rewriter/word_list.h
//
// Membership in a short list of words.

#ifndef ANDREA_SIMULATOR_REWRITER_WORD_LIST_H_
#define ANDREA_SIMULATOR_REWRITER_WORD_LIST_H_

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace simulator {

// Whether the list has the word.
inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_WORD_LIST_H_
