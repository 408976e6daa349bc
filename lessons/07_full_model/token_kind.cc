#include "lessons/07_full_model/token_kind.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

namespace andrea {
namespace {

const std::set<std::string, std::less<>> kFunctionWords = {
    "a",    "about", "after", "all",  "an",   "and",  "as",    "at",    "be",   "been", "before",
    "but",  "by",    "could", "did",  "for",  "from", "had",   "has",   "have", "he",   "her",
    "him",  "his",   "if",    "in",   "into", "is",   "it",    "its",   "me",   "my",   "not",
    "of",   "off",   "on",    "or",   "out",  "over", "she",   "so",    "that", "the",  "their",
    "them", "then",  "there", "they", "this", "to",   "under", "until", "up",   "was",  "we",
    "were", "when",  "where", "who",  "will", "with", "would", "you",   "your"};

// Bytes from 0x80 on are taken for letters of other alphabets.
bool is_letter(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= 0x80 || std::isalpha(value) != 0;
}

}  // namespace

TokenKind token_kind(const Tokenizer& tokenizer, std::span<const int> tokens, std::size_t i) {
  std::string_view piece = tokenizer.piece(tokens[i]);
  const bool spaced = piece.starts_with(' ');
  if (spaced) piece.remove_prefix(1);
  if (piece.empty() || !is_letter(piece.front())) return TokenKind::sign;
  const std::string_view before = tokenizer.piece(tokens[i - 1]);
  if (!spaced && !before.empty() && is_letter(before.back())) return TokenKind::rest_of_word;

  std::string word(piece);
  for (const int token : tokens.subspan(i + 1)) {
    const std::string_view next = tokenizer.piece(token);
    if (next.empty() || !is_letter(next.front())) break;
    word += next;
  }
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return kFunctionWords.contains(word) ? TokenKind::function_word : TokenKind::other_word;
}

}  // namespace andrea
