#include "tests/end_to_end/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace andrea {
namespace {

namespace fs = std::filesystem;

void check(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("cannot ") + what);
}

// Tests are started where the program's path is relative to.
const fs::path& program_path() {
  static const fs::path path = [] {
    const char* given = std::getenv("ANDREA_PROGRAM");
    check(given != nullptr, "find the program: ANDREA_PROGRAM is not set");
    return fs::absolute(given);
  }();
  return path;
}

// Before any test has changed the working folder.
[[maybe_unused]] const fs::path& kProgram = program_path();

int memory_file(std::string_view contents = "") {
  const int file = memfd_create("stream", MFD_CLOEXEC);
  check(file >= 0, "make a file in memory");
  check(write(file, contents.data(), contents.size()) == static_cast<ssize_t>(contents.size()),
        "write a file in memory");
  lseek(file, 0, SEEK_SET);
  return file;
}

std::string contents_of_descriptor(int file) {
  std::string contents;
  char chunk[4096];
  lseek(file, 0, SEEK_SET);
  for (ssize_t got; (got = read(file, chunk, sizeof chunk)) > 0;) {
    contents.append(chunk, static_cast<std::size_t>(got));
  }
  return contents;
}

}  // namespace

Program::Program(const Words& arguments, const fs::path& folder, std::string_view input)
    : input_(memory_file(input)), output_(memory_file()), errors_(memory_file()) {
  const std::string program = program_path().string();
  std::vector<char*> values = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) {
    values.push_back(const_cast<char*>(argument.c_str()));
  }
  values.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_adddup2(&actions, input_, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output_, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors_, STDERR_FILENO);
  const int failure =
      posix_spawn(&process_, program.c_str(), &actions, nullptr, values.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  check(failure == 0, "start the program");
}

Program::~Program() {
  if (!ended_) {
    send(SIGKILL);
    waitpid(process_, &status_, 0);
  }
  for (const int file : {input_, output_, errors_}) close(file);
}

bool Program::running() {
  if (!ended_) ended_ = waitpid(process_, &status_, WNOHANG) == process_;
  return !ended_;
}

void Program::send(int signal) {
  if (!ended_) kill(process_, signal);
}

Outcome Program::wait() {
  if (!ended_) waitpid(process_, &status_, 0);
  ended_ = true;
  const int status = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return {status, contents_of_descriptor(output_), contents_of_descriptor(errors_)};
}

std::string contents_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write_contents(const fs::path& file, std::string_view contents) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << contents;
}

void flip_a_bit(const fs::path& file) {
  std::string contents = contents_of(file);
  contents.at(contents.size() / 2) ^= 1;
  write_contents(file, contents);
}

int lines_of(const fs::path& file) {
  const std::string contents = contents_of(file);
  return static_cast<int>(std::count(contents.begin(), contents.end(), '\n'));
}

bool wait_for(const fs::path& path, Program& program) {
  while (!fs::exists(path)) {
    if (!program.running()) return false;
    usleep(50);
  }
  return true;
}

ProgramTest::ProgramTest() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  folder_ =
      fs::path(testing::TempDir()) / (std::string(test->test_suite_name()) + "." + test->name());
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  // Sentences enough that none are alike, out of few enough words that there is much to merge.
  const char* const words[] = {"the",  "cat",  "a",   "dog",  "sees",  "and",
                               "runs", "home", "old", "tree", "under", "rain"};
  std::string text;
  unsigned number = 1;
  for (int sentence = 0; sentence < 400; ++sentence) {
    for (int word = 0; word < 9; ++word) {
      number = number * 1664525u + 1013904223u;  // Knuth's and Lewis's generator
      text += words[(number >> 16) % std::size(words)];
      text += word < 8 ? " " : ".\n\n";
    }
  }
  write_contents(path("text.txt"), text);
}

ProgramTest::~ProgramTest() {
  if (!HasFailure()) fs::remove_all(folder_);
}

Outcome ProgramTest::andrea(const Words& arguments, std::string_view input) const {
  return Program(arguments, folder_, input).wait();
}

Words ProgramTest::small_run(const std::string& run, const Words& flags) {
  Words arguments = {"train"};
  if (std::find(flags.begin(), flags.end(), "--text") == flags.end()) {
    arguments.insert(arguments.end(), {"--text", "text.txt"});
  }
  const Words usual = {"--layers",
                       "1",
                       "--heads",
                       "2",
                       "--width",
                       "16",
                       "--context",
                       "16",
                       "--vocabulary",
                       "280",
                       "--batch",
                       "4",
                       "--steps",
                       "30",
                       "--warmup",
                       "5",
                       "--learning-rate",
                       "0.01",
                       "--checkpoint-every",
                       "10",
                       "--validate-every",
                       "10",
                       "--sample-every",
                       "10",
                       "--threads",
                       "1",
                       "--out",
                       run};
  arguments.insert(arguments.end(), usual.begin(), usual.end());
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return arguments;
}

void ProgramTest::train_small_run(const std::string& run, const Words& flags) const {
  const Outcome outcome = andrea(small_run(run, flags));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  ASSERT_EQ(outcome.errors, "");
}

std::vector<fs::path> ProgramTest::checkpoints_of(const std::string& run) const {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(path(run) / "checkpoints")) {
    folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string ProgramTest::essence_of(const std::string& run) const {
  std::string essence;
  std::ifstream metrics(path(run) / "metrics.jsonl");
  for (std::string line; std::getline(metrics, line);) {
    const std::size_t speed = line.find(",\"tokens_per_second\"");
    essence += line.substr(0, speed) + line.substr(line.find_first_of(",}", speed + 1)) + "\n";
  }
  essence += contents_of(path(run) / "samples.jsonl");

  const fs::path last = checkpoints_of(run).back();
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(last)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    essence += last.filename().string() + "/" + file.filename().string() + "\n";
    // The time spent is in the one, and so its checksum in the other.
    const std::string name = file.filename().string();
    if (name != "state.json" && name != "checksums.json") essence += contents_of(file);
  }
  return essence;
}

}  // namespace andrea
