// File: campaign.h
//
// All mutants of one solution, tried with the tests of its lesson.

#ifndef ANDREA_TESTS_MUTANTS_CAMPAIGN_H_
#define ANDREA_TESTS_MUTANTS_CAMPAIGN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/mutants/bench.h"
#include "tests/mutants/mutant.h"

namespace andrea::mutants {

struct Result {
  std::string exercise, name;
  std::optional<Expected> expected;  // of a written mutant; a mechanical one has none
  // A written mutant is tried with every seed, since a student meets any of them; a mechanical one
  // until it is killed. One that does not compile has one.
  std::vector<Verdict> verdicts;

  bool is_written() const { return expected.has_value(); }
  bool compiled() const { return verdicts.front().kind != Verdict::not_compiled; }
  // By every run of a written one, by the last of a mechanical one.
  bool killed() const;
  // Whether every run said what it should: the sentence, or that there is a report.
  bool named() const;
};

struct Campaign {
  std::string file;                    // of the solution, in messages
  std::string solution;                // its text
  std::vector<std::string> exercises;  // whose mutants are tried
  std::vector<WrittenMutant> written;  // those of other exercises are left out
  bool with_mechanical = true;         // else the written ones alone
  std::vector<std::uint64_t> seeds = {1, 2};
  int at_once = 2;
};

// The solution itself goes first: it must pass, or no mutant's failure means anything. `progress`
// is told what has been done of all. Throws std::runtime_error where a mutant cannot be made.
std::vector<Result> results_of(const Campaign& campaign, const Bench& bench,
                               const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace andrea::mutants

#endif  // ANDREA_TESTS_MUTANTS_CAMPAIGN_H_
