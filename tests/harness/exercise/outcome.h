// File: outcome.h
//
// A test's work in a process of its own, and how it ended, in words for a learner: with the work's
// own verdict, a report of the simulator, a crash, or not at all.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_OUTCOME_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_OUTCOME_H_

#include <functional>
#include <string>

namespace andrea {

struct Outcome {
  bool well = false;         // nothing is wrong
  std::string mistake = "";  // its name, "unsolved", "report", or empty
  std::string told = "";     // with a note of the simulator, if there is one
  std::string verdict = "";  // the work's own words, which a report has replaced in `told`
  bool answered = false;     // with the work's own verdict
  std::string remark = "";   // where all is well
};

// How a verdict begins that all is well, where a remark follows.
inline constexpr const char* kWell = "well\n";

// Where in a verdict a note of the simulator has its place, which explains the numbers before it;
// without this mark it stands at the end.
inline constexpr char kPlaceOfNote = '\f';
// How a line begins that says that nothing is seen in the numbers. A note takes its place.
inline constexpr char kUnlessNoted = '\v';

// Prints a mark and the name of a case ("N=2, C=33"), to which all belongs that is printed up to
// the next one. Only what belongs to the last is told.
void begin_printing_of(const std::string& named_case);

// `work` returns nothing where all is well, or kWell and a remark; else a line with the mistake's
// name, which may be empty, and what is told. A report goes before it: wrong numbers after one are
// its consequence. Lines are wrapped (wrapped.h), but for what the work printed.
// It is stopped after 20 seconds, or after ANDREA_EXERCISE_SECONDS.
Outcome outcome_of(const std::function<std::string()>& work);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_OUTCOME_H_
