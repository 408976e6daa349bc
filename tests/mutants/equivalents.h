// File: equivalents.h
//
// Mechanical mutants that no test can kill, since they compute the same: the file
// tests/mutants/NN_name/equivalent.txt, a line each, with the reason:
//
//     00.3 line 42: 0 to 1  # the loop counts down, and 0 and 1 end it alike
//
// Empty lines and lines that begin with '#' are left out.

#ifndef ANDREA_TESTS_MUTANTS_EQUIVALENTS_H_
#define ANDREA_TESTS_MUTANTS_EQUIVALENTS_H_

#include <string>
#include <vector>

namespace andrea::mutants {

struct Equivalent {
  std::string exercise, name, reason;
};

// `file` is the name in messages. Throws std::runtime_error, with file and line, for a line without
// a mutant or a reason.
std::vector<Equivalent> read_equivalents(const std::string& text, const std::string& file);

}  // namespace andrea::mutants

#endif  // ANDREA_TESTS_MUTANTS_EQUIVALENTS_H_
