// The judge: the tests of a part of a lesson, of which the student's functions are proxies.
//
//   judge --student PATH [--launcher "PATH ARGUMENT..."] [--seconds-a-call N]
//         [--seconds-an-exercise N] [--seconds N] [--all_must_fail] [GoogleTest's options]
//
// A result in GoogleTest's XML goes to $XML_OUTPUT_FILE, or where --gtest_output says, with the
// properties that the tests have without a judge: `exercise`, `mistake`. Whoever gives points
// counts the exercises that course.json names, and takes an absent one, or a file that is not
// there, for 0. The status is 0 where all tests have passed (or all have failed, if they must), 1
// where not, 2 for a wrong command line.

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

#include "tests/harness/exercise/printer.h"
#include "tools/course/judge/student_program.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  andrea::judge::ProgramOptions options;
  std::string launcher;
  int seconds_an_exercise = 60;
  bool all_must_fail = false;
  CLI::App app("Judges a part of a lesson.");
  app.add_option("--student", options.student, "the student's program")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--launcher", launcher, "a program, with its arguments, that starts it");
  app.add_option("--seconds-a-call", options.seconds_a_call)->check(CLI::PositiveNumber);
  app.add_option("--seconds-an-exercise", seconds_an_exercise)->check(CLI::PositiveNumber);
  app.add_option("--seconds", options.seconds, "for all calls together")
      ->check(CLI::PositiveNumber);
  app.add_flag("--all_must_fail", all_must_fail);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  std::istringstream words(launcher);
  for (std::string word; words >> word;) options.launcher.push_back(word);
  setenv("ANDREA_EXERCISE_SECONDS", std::to_string(seconds_an_exercise).c_str(), 1);
  // A kernel without end is told by the simulator, with its line, before the call is over.
  setenv("SIMULATOR_TIMEOUT", std::to_string(std::max(1, options.seconds_a_call / 5)).c_str(), 0);
  // What this process holds is not for a student's program of the same user: /proc shows nothing.
  prctl(PR_SET_DUMPABLE, 0);

  andrea::judge::StudentProgram program(options);
  andrea::judge::set_student_program(program);
  andrea::print_as_exercises();
  const bool well = RUN_ALL_TESTS() == 0;
  if (!all_must_fail) return well ? 0 : 1;
  return ::testing::UnitTest::GetInstance()->successful_test_count() == 0 ? 0 : 1;
}
