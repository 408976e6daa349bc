// File: likeness.h
//
// Which texts are alike, for a human to look at. It is a list and no verdict: short exercises have
// one natural solution, and two honest students write it alike.

#ifndef ANDREA_TOOLS_COURSE_GRADER_LIKENESS_LIKENESS_H_
#define ANDREA_TOOLS_COURSE_GRADER_LIKENESS_LIKENESS_H_

#include <string>
#include <vector>

namespace andrea::grader {

// One file of one submission, of the solutions, or of a past year.
struct Work {
  std::string who;
  std::string text;
  bool of_the_class = true;  // pairs of which neither is are left out
};

struct Fragment {
  int first_line = 0, last_line = 0;              // in the first work, from 1
  int other_first_line = 0, other_last_line = 0;  // in the second
  int tokens = 0;
};

struct Likeness {
  std::size_t first = 0, second = 0;  // of the works
  int tokens = 0;                     // that they share, more or less
  double share = 0;                   // of what the one with less of its own has written: 0 to 1
  double same_names = 0;              // share of the shared tokens that are the same to the letter
  std::vector<Fragment> fragments;    // the longest first
};

// The pairs that share at least kFewestTokens and kLeastShare, the most alike first. What the stub
// has does not count, nor does what more than a tenth of the class has written, and at least three.
// Compared is twice: by form, whatever the names are; and to the letter, since where all have the
// one natural form, the same names are still worth a look.
inline constexpr int kFewestTokens = 48;
inline constexpr double kLeastShare = 0.4;
std::vector<Likeness> likenesses(const std::vector<Work>& works, const std::string& stub);

// The exercises whose solution is so short that likeness in them says nothing.
std::vector<std::string> too_short_to_tell(const std::string& solution, const std::string& file);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_LIKENESS_LIKENESS_H_
