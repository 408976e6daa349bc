// File: score.h
//
// What a campaign shows: the numbers of each exercise, the confusion of sentences, and what is not
// as it should be.

#ifndef ANDREA_TESTS_MUTANTS_SCORE_H_
#define ANDREA_TESTS_MUTANTS_SCORE_H_

#include <string>
#include <vector>

#include "tests/mutants/campaign.h"
#include "tests/mutants/equivalents.h"

namespace andrea::mutants {

struct Score {
  std::string exercise;
  int written = 0;
  int written_killed = 0;
  int named = 0;  // by their own sentence, or by a report where that is right
  int mechanical = 0;
  int mechanical_killed = 0;  // with those that do not compile
  int not_compiled = 0;       // of the mechanical ones
  int equivalent = 0;         // listed as such
};

// One for each of `exercises`, in that order.
std::vector<Score> scores_of(const std::vector<std::string>& exercises,
                             const std::vector<Result>& results,
                             const std::vector<Equivalent>& equivalents);

// The rules, a sentence for each breach:
// - every written mutant compiles and is killed with every seed, by what it says: its sentence or a
//   report; one of `any` kind by no other's sentence;
// - every mechanical mutant is killed or listed as equivalent, and none that is listed is killed or
//   does not exist;
// - an exercise has at least five written mutants, two thirds of them named.
std::vector<std::string> faults_of(const std::vector<std::string>& exercises,
                                   const std::vector<Result>& results,
                                   const std::vector<Equivalent>& equivalents);

// For a terminal, and as Markdown.
std::string table_of(const std::vector<Score>& scores);
std::string markdown_of(const std::vector<Score>& scores);

// For each exercise: what should be said (a row), and what was said (a column), in runs; of a
// mechanical mutant its last one counts. The sentences' columns are called by the letters of their
// rows.
std::string confusion_of(const std::vector<std::string>& exercises,
                         const std::vector<Result>& results);

}  // namespace andrea::mutants

#endif  // ANDREA_TESTS_MUTANTS_SCORE_H_
