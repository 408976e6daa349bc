// File: profile.h
//
// ./andrea profile: what an exercise's kernels ask of memory, counted by the simulator, beside the
// same of the rung below, which does the same task in a plainer way.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_PROFILE_H_
#define ANDREA_TOOLS_COURSE_RUNNER_PROFILE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/course/runner/page.h"
#include "tools/course/runner/workshop.h"

namespace andrea::course {

// One run of an exercise's kernels with one set of sizes; numbers by the names that the harness
// writes (tests/harness/exercise/profile_log.h).
struct CostlyLine {
  std::string place, kind;            // "kernel.cu:31", "global load"
  std::uint64_t cost = 0, least = 0;  // sectors of global, wavefronts of shared memory
};

struct Counted {
  std::string exercise;
  std::string sizes;  // "N=64, M=32"
  std::vector<std::string> kernels;
  std::map<std::string, std::uint64_t> numbers;
  std::vector<CostlyLine> lines;  // that cost more than they need
};

// Throws Error where a line is none that the harness writes.
std::vector<Counted> counted_from(const std::string& lines);

// All runs of one exercise with the same sizes as one.
Counted added_up(const std::vector<Counted>& runs);

// `below` is what the rung below asks with the same sizes, if it could be counted.
Page profile_page(const Course& course, const Counted& own, const std::optional<Counted>& below);

// Builds, runs, and shows.
Page profile(const Workshop& workshop, const std::string& selection);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_PROFILE_H_
