// File: mutant.h
//
// A written mutant: a solution with a typical mistake, as small edits of its text. They stand in
// tests/mutants/NN_name/<part>.mutants:
//
//     == 03.1 no_scale
//     - sum / sqrtf(static_cast<float>(D))
//     + sum
//
//     == 03.1 no_guard report
//     - if (i >= n) return;
//
// A head names the exercise and what the test must say: a sentence, by its name in the lesson's
// messages.json ("03.1.no_scale"), a `report` of the simulator, or `any` failure. Lines with `-`
// are text that occurs exactly once in the solution, without what STUB gives to the student; those
// with `+` stand instead of it; a `-` behind a `+` begins a further edit. Spaces at the start of a
// line do not count. Lines that begin with `#` are comments.

#ifndef ANDREA_TESTS_MUTANTS_MUTANT_H_
#define ANDREA_TESTS_MUTANTS_MUTANT_H_

#include <string>
#include <vector>

namespace andrea::mutants {

enum class Expected { sentence, report, any };

struct Edit {
  std::string from, to;  // lines without the spaces at their start
};

struct WrittenMutant {
  std::string exercise;  // "03.1"
  std::string name;      // "no_scale"
  Expected expected = Expected::sentence;
  std::vector<Edit> edits;
  int line = 0;  // of its head, from 1
};

// `file` is the name in messages. Throws std::runtime_error, with file and line, for what is
// neither head nor edit, and for a mutant that repeats or has no edit.
std::vector<WrittenMutant> read_mutants(const std::string& text, const std::string& file);

// The solution with the mistake, its lines without the spaces at their start, so that numbers of
// lines stay. Throws std::runtime_error where a text to be replaced does not occur exactly once.
std::string applied(const WrittenMutant& mutant, const std::string& solution);

}  // namespace andrea::mutants

#endif  // ANDREA_TESTS_MUTANTS_MUTANT_H_
