// File: page.h
//
// The profile of a program as one HTML file that needs nothing else: a summary for each kernel, its
// source with numbers and bars, a glossary. Light or dark as the reader's system has it.

#ifndef ANDREA_SIMULATOR_PROFILE_PAGE_H_
#define ANDREA_SIMULATOR_PROFILE_PAGE_H_

#include <simulator/counters.h>

#include <string>
#include <vector>

namespace simulator {

// The kernels that cost most first.
std::string profile_page(const std::vector<KernelCounters>& kernels);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_PAGE_H_
