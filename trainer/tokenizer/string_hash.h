// File: string_hash.h
//
// Lets a hash table with std::string keys be searched by std::string_view, without a copy:
//
//   std::unordered_map<std::string, int, StringHash, std::equal_to<>> counts;

#ifndef ANDREA_TRAINER_TOKENIZER_STRING_HASH_H_
#define ANDREA_TRAINER_TOKENIZER_STRING_HASH_H_

#include <cstddef>
#include <functional>
#include <string_view>

namespace andrea {

struct StringHash {
  // Lets a map of strings be asked for a view.
  using is_transparent = void;
  // The same of a string and of its view.
  std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_TOKENIZER_STRING_HASH_H_
