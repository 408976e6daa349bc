// File: bench.h
//
// Builds a changed solution with a lesson's tests, in the check build, and runs them: what do they
// say of the mistake?

#ifndef ANDREA_TESTS_MUTANTS_BENCH_H_
#define ANDREA_TESTS_MUTANTS_BENCH_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace andrea::mutants {

struct Verdict {
  enum Kind { survived, killed, not_compiled } kind = survived;
  std::string mistake;  // a sentence's name, "report", "unsolved", "crash", or empty
  std::string told;     // what the test or the compiler said
};

// Its functions may be called by several threads, each with names of its own.
class Bench {
 public:
  // `tool` is //simulator/tool:cuda, `link_line` the file that link_line.bzl makes, `folder` an
  // empty folder to work in. Paths are as in the folder where this program runs. Throws
  // std::runtime_error where a file is missing.
  Bench(std::string tool, const std::filesystem::path& link_line, std::filesystem::path folder);

  // Builds the source as a program and returns its path; empty, with the compiler's words in
  // `said`, where it does not compile.
  std::string build(const std::string& name, const std::string& source, std::string& said) const;

  // Runs the test of one exercise ("02.1": Lesson02.Exercise1), which is stopped after `seconds`.
  // Throws std::runtime_error where the program has no such test.
  Verdict run(const std::string& program, const std::string& exercise, std::uint64_t seed,
              int seconds) const;

 private:
  std::string tool_;
  std::vector<std::string> link_flags_;
  std::filesystem::path folder_;
};

}  // namespace andrea::mutants

#endif  // ANDREA_TESTS_MUTANTS_BENCH_H_
