// File: profile_log.h
//
// What the runs of exercises ask of memory, written down for `./andrea profile`: a line of JSON a
// run, appended to the file that ANDREA_EXERCISE_PROFILE names. While a run is counted the checker
// does not watch it.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_PROFILE_LOG_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_PROFILE_LOG_H_

#include <simulator/counters.h>

#include <string>
#include <vector>

namespace andrea {

// Whether runs are to be counted.
bool profiles();

// `sizes`: "N=2, C=33". Writes nothing where nothing was counted.
void log_profile(const std::string& exercise, const std::string& sizes,
                 const simulator::Counters& counters);

// The sizes that an exercise is to be run with, or, where ANDREA_EXERCISE_SIZES ("N=2, C=33,
// add=1") has a number for each of the names, only those.
std::vector<std::vector<int>> sizes_to_run(const std::vector<std::string>& names,
                                           const std::vector<std::vector<int>>& sizes);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_PROFILE_LOG_H_
