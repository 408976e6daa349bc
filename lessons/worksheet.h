// File: worksheet.h
//
// What a worksheet answers with.
//
// Its formulas are functions, which the tests try with numbers of their own; its choices and
// predictions are constants. An answer that is not there yet is kUnanswered, which is not the same
// as a wrong one.

#ifndef ANDREA_LESSONS_WORKSHEET_H_
#define ANDREA_LESSONS_WORKSHEET_H_

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace andrea::worksheet {

// Of a formula, and of a number.
inline constexpr std::int64_t kUnanswered = std::numeric_limits<std::int64_t>::min();
inline constexpr double kUnansweredReal = -1e300;

// Of a question with given answers: 'a', 'b', ...
inline constexpr char kNoChoice = '?';

// A number between `lowest` and `highest` that depends on the name and the question alone, so that
// each student has an instance of their own: "Your table has drawn(kName, "01.w2", 5000, 60000)
// rows".
constexpr std::int64_t drawn(const char* name, const char* question, std::int64_t lowest,
                             std::int64_t highest) {
  // FNV-1a, with a step at the end that lets every letter reach every bit.
  std::uint64_t hash = 14695981039346656037u;
  for (const char* text : {name, "|", question}) {
    for (; *text != '\0'; ++text) {
      hash = (hash ^ static_cast<unsigned char>(*text)) * 1099511628211u;
    }
  }
  hash = (hash ^ (hash >> 31)) * 0x9E3779B97F4A7C15u;
  const auto count = static_cast<std::uint64_t>(highest - lowest + 1);
  return lowest + static_cast<std::int64_t>((hash >> 16) % count);
}

}  // namespace andrea::worksheet

#endif  // ANDREA_LESSONS_WORKSHEET_H_
