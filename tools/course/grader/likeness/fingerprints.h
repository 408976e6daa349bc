// File: fingerprints.h
//
// Few numbers that stand for a text, chosen so that two texts with a long enough piece in common
// have a number in common: winnowing, by S. Schleimer, D. Wilkerson and A. Aiken, "Winnowing: Local
// Algorithms for Document Fingerprinting", SIGMOD 2003. Of the hashes of all runs of kRun tokens,
// the least in each window of kWindow of them is kept. A common piece of kRun + kWindow - 1 tokens
// is always found, one of less than kRun never.

#ifndef ANDREA_TOOLS_COURSE_GRADER_LIKENESS_FINGERPRINTS_H_
#define ANDREA_TOOLS_COURSE_GRADER_LIKENESS_FINGERPRINTS_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tools/course/grader/likeness/own_tokens.h"

namespace andrea::grader {

inline constexpr int kRun = 16;
inline constexpr int kWindow = 8;

struct Fingerprint {
  std::uint64_t hash = 0;
  int first = 0;  // of the run's tokens
};

// What of a token counts: that it is a name, or which one.
enum class Compared { form, letter };

// Those of the tokens; runs over a gap are left out, and so are those in `known`.
std::vector<Fingerprint> fingerprints(const std::vector<OwnToken>& tokens,
                                      const std::set<std::uint64_t>& known, Compared what);

// The hash of every run of the text, as of a stub.
std::set<std::uint64_t> all_runs(const std::string& text, Compared what);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_LIKENESS_FINGERPRINTS_H_
