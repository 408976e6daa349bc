// File: hard_cases.h
//
// What hard_cases.cu shows of itself to its test.

#ifndef ANDREA_SIMULATOR_REWRITER_TESTDATA_HARD_CASES_H_
#define ANDREA_SIMULATOR_REWRITER_TESTDATA_HARD_CASES_H_

#include <string>
#include <vector>

// Runs every launch of the file; what each kernel was given, in order.
std::vector<std::string> run_hard_cases();

// The same of the launches whose lines the file knows: the line of each.
std::vector<int> lines_of_launches();

#endif  // ANDREA_SIMULATOR_REWRITER_TESTDATA_HARD_CASES_H_
