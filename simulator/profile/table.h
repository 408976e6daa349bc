// File: table.h
//
// The profile of a program as text, for a terminal of 80 columns.

#ifndef ANDREA_SIMULATOR_PROFILE_TABLE_H_
#define ANDREA_SIMULATOR_PROFILE_TABLE_H_

#include <simulator/counters.h>

#include <string>
#include <vector>

namespace simulator {

// The kernels that cost most first.
std::string profile_table(const std::vector<KernelCounters>& kernels, bool colours);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_TABLE_H_
