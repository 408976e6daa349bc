// File: synthetic.h
//
// A class that never was: submissions of one kernel.cu made from its solution, its stub, the
// written mutants and a list of cheats, with what each exercise of each deserves.

#ifndef ANDREA_TESTS_GRADING_SYNTHETIC_H_
#define ANDREA_TESTS_GRADING_SYNTHETIC_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/mutants/mutant.h"

namespace andrea::grading {

struct SyntheticStudent {
  std::string name;  // says what it is: "student 012, mutant 00.1 no_offset"
  std::string kernel;
  std::set<std::string> right;  // exercises of kernel.cu that deserve their points
};

// The kernel with these exercises as in the solution and the others as in the stub.
std::string with_solved(const std::string& solution, const std::set<std::string>& solved);

// `count` of them, the same in every call: half of them solve all, the others a part, or all but
// for one mutant; and each cheat once. A cheat deserves nothing.
std::vector<SyntheticStudent> synthetic_class(
    const std::string& solution, const std::vector<andrea::mutants::WrittenMutant>& mutants,
    const std::vector<std::pair<std::string, std::string>>& cheats, int count);

// The cheats that are made of code: name, kernel.cu. `tree`: where the instructor's tree lies,
// which a student may have guessed. "{honest}" in one is for synthetic_class() to fill in: the
// folder of another student, whose name is no secret.
std::vector<std::pair<std::string, std::string>> cheats(const std::string& solution,
                                                        const std::string& tree);

// Hands them in: folders, .zip, .tar.gz and git repositories in turn.
void hand_in(const std::vector<SyntheticStudent>& students, const std::string& lesson_folder,
             const std::filesystem::path& folder);

}  // namespace andrea::grading

#endif  // ANDREA_TESTS_GRADING_SYNTHETIC_H_
