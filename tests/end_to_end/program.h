// File: program.h
//
// The program `andrea` itself as a child process, and a small run for it to train.
//
//   class SampleTest : public ProgramTest {};
//   TEST_F(SampleTest, ...) {
//     train_small_run("run");
//     const Outcome outcome = andrea({"sample", "--checkpoint", "run"});
//     EXPECT_EQ(outcome.status, 0) << outcome.errors;
//   }

#ifndef ANDREA_TESTS_END_TO_END_PROGRAM_H_
#define ANDREA_TESTS_END_TO_END_PROGRAM_H_

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace andrea {

using Words = std::vector<std::string>;

struct Outcome {
  int status;  // the exit status; 128 + the signal's number when a signal ended the program
  std::string output;
  std::string errors;
};

// The program while it runs. Input and output are files, so that it never waits for its reader.
class Program {
 public:
  Program(const Words& arguments, const std::filesystem::path& folder, std::string_view input = "");

  // Kills the program unless wait() has been called.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool running();
  void send(int signal);

  // Returns once the program has ended.
  Outcome wait();

 private:
  pid_t process_ = -1;
  int status_ = 0;
  bool ended_ = false;
  int input_;
  int output_;
  int errors_;
};

std::string contents_of(const std::filesystem::path& file);
void write_contents(const std::filesystem::path& file, std::string_view contents);
void flip_a_bit(const std::filesystem::path& file);  // in its middle

// A test in a folder of its own, in which "text.txt" has a few kilobytes of text.
class ProgramTest : public testing::Test {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  // Runs the program in the folder.
  Outcome andrea(const Words& arguments, std::string_view input = "") const;

  // `andrea train` of a model of some thousand parameters, for 30 steps, with a checkpoint every
  // ten steps, on one thread. Flags given here replace these.
  static Words small_run(const std::string& run, const Words& flags = {});

  // Trains it to its end.
  void train_small_run(const std::string& run, const Words& flags = {}) const;

  // A run's checkpoints, the oldest first.
  std::vector<std::filesystem::path> checkpoints_of(const std::string& run) const;

  // All that two runs of the same data, seed and steps must share bit for bit: what was written
  // down of every step (but its speed) and of every sample, and the files of the last checkpoint
  // (but the time spent).
  std::string essence_of(const std::string& run) const;

 private:
  std::filesystem::path folder_;
};

// Waits until the file or folder exists, or the program has ended. False if it has ended first.
bool wait_for(const std::filesystem::path& path, Program& program);

// The number of lines in a file; 0 if there is none.
int lines_of(const std::filesystem::path& file);

}  // namespace andrea

#endif  // ANDREA_TESTS_END_TO_END_PROGRAM_H_
