// confine [LIMITS] [--library FILE]... [--trouble FILE] -- PROGRAM INPUT OUTPUT
//
// Runs a student's program as `PROGRAM INPUT OUTPUT`, where it can harm nobody and learn nothing:
// see walls.h for what it sees, limits.h for what it may take and what this ends with. What the
// program prints comes out here, the start of each stream; a sentence that begins "confine:" says
// why it was stopped, or why nothing was run.
//
// confine --probe tells whether that is possible on this machine.

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tools/course/grader/confine/inside.h"
#include "tools/course/grader/confine/limits.h"
#include "tools/course/grader/confine/walls.h"
#include "tools/course/grader/confine/watched.h"

namespace andrea::confine {
namespace {

namespace fs = std::filesystem;

// The word that makes this program, started once more behind the walls, take the last steps.
constexpr const char* kInside = "--inside";

struct Options {
  Limits limits;
  std::int64_t memory_megabytes = limits.memory_bytes >> 20;
  std::int64_t file_megabytes = limits.file_bytes >> 20;
  bool probe = false, unconfined = false;
  std::string trouble;
  std::vector<std::string> libraries, words;

  Limits all_limits() const {
    Limits all = limits;
    all.memory_bytes = memory_megabytes << 20;
    all.file_bytes = file_megabytes << 20;
    return all;
  }
};

std::string self() { return fs::read_symlink("/proc/self/exe").string(); }

std::vector<std::string> inside_words(const std::string& confine, const Options& options,
                                      const std::vector<std::string>& words) {
  std::vector<std::string> result = {confine,
                                     kInside,
                                     std::to_string(options.limits.seconds),
                                     std::to_string(options.memory_megabytes),
                                     std::to_string(options.limits.processes),
                                     std::to_string(options.file_megabytes)};
  result.insert(result.end(), words.begin(), words.end());
  return result;
}

[[noreturn]] void last_steps(int argc, char** argv) {
  Limits limits;
  limits.seconds = std::atoi(argv[2]);
  limits.memory_bytes = std::atoll(argv[3]) << 20;
  limits.processes = std::atoi(argv[4]);
  limits.file_bytes = std::atoll(argv[5]) << 20;
  run_inside(limits, std::vector<std::string>(argv + 6, argv + argc), 3);
}

// What the program has for an environment, and bwrap before it.
void replace_environment(const std::string& libraries) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const char* name : {"OMP_NUM_THREADS", "SIMULATOR_WORKERS", "NO_COLOR"}) {
    if (const char* value = std::getenv(name)) kept.emplace_back(name, value);
  }
  clearenv();
  for (const auto& [name, value] : kept) setenv(name.c_str(), value.c_str(), 1);
  setenv("PATH", "/usr/bin:/bin", 1);
  setenv("LANG", "C.UTF-8", 1);
  setenv("HOME", "/nonexistent", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
}

void start_words(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  std::fprintf(stderr, "%s cannot be started; Debian's package bubblewrap has it.\n", arguments[0]);
}

End confined(const Options& options, const Judged& judged) {
  const std::vector<std::string> words =
      walled(judged, self(),
             inside_words(kConfine, options,
                          options.probe ? std::vector<std::string>{kConfine, "--version"}
                                        : std::vector<std::string>{kProgram, kInput, kOutput}));
  return watched(options.all_limits(), [&](int) {
    replace_environment(kLibraries);
    start_words(words);
  });
}

// Without walls, by limits alone. All files are open beforehand and called by their numbers, so
// that nobody need not reach the folders that they are in.
End unconfined(const Options& options, const Judged& judged) {
  return watched(options.all_limits(), [&](int ready) {
    const auto number = [&](const std::string& path, int how) {
      return "/proc/self/fd/" + std::to_string(open(path.c_str(), how));
    };
    const std::string folder =
        judged.libraries.empty() ? "/" : fs::path(judged.libraries[0]).parent_path().string();
    replace_environment(number(folder, O_RDONLY | O_DIRECTORY));
    const std::vector<std::string> words = {number(judged.program, O_RDONLY),
                                            number(judged.input, O_RDONLY),
                                            number(judged.output, O_RDWR)};
    run_inside(options.all_limits(), words, ready);
  });
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Runs a student's program where it can harm nobody.", "confine");
  app.set_version_flag("--version", "confine");
  app.add_flag("--probe", options.probe, "tell whether that is possible here");
  app.add_flag("--unconfined", options.unconfined,
               "limits alone: the program sees files and network");
  app.add_option("--library", options.libraries, "a shared library that the program needs")
      ->take_all()
      ->expected(1);
  app.add_option("--trouble", options.trouble, "a file that is told why nothing was run");
  app.add_option("--seconds", options.limits.seconds, "of the CPU")->capture_default_str();
  app.add_option("--memory-megabytes", options.memory_megabytes)->capture_default_str();
  app.add_option("--processes", options.limits.processes)->capture_default_str();
  app.add_option("--file-megabytes", options.file_megabytes)->capture_default_str();
  app.add_option("words", options.words, "PROGRAM INPUT OUTPUT")->expected(0, 3);
  CLI11_PARSE(app, argc, argv);

  // Whoever is stopped, by Ctrl-C or otherwise, must not leave a program behind.
  prctl(PR_SET_PDEATHSIG, SIGKILL);

  Judged judged{self(), "/dev/null", "/dev/null", options.libraries};
  if (!options.probe) {
    if (options.words.size() != 3) {
      std::fprintf(stderr, "confine: what is run is PROGRAM INPUT OUTPUT, behind a --.\n");
      return kNotRun;
    }
    for (std::string& word : options.words) word = fs::absolute(word).string();
    for (std::string& library : judged.libraries) library = fs::absolute(library).string();
    judged.program = options.words[0];
    judged.input = options.words[1];
    judged.output = options.words[2];
    // A file must be there to be let through; what it held is nobody's answer.
    const int made = open(judged.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (made < 0) {
      std::fprintf(stderr, "confine: '%s' cannot be written.\n", judged.output.c_str());
      return kNotRun;
    }
    close(made);
    if (geteuid() == 0) {  // the program will be nobody's
      chmod(judged.input.c_str(), 0644);
      chmod(judged.output.c_str(), 0666);
    }
  }
  const End end = options.unconfined ? unconfined(options, judged) : confined(options, judged);
  if (options.probe && end.status == 0) return 0;
  std::fwrite(end.printed.data(), 1, end.printed.size(), stdout);
  std::fflush(stdout);
  std::fwrite(end.complained.data(), 1, end.complained.size(), stderr);
  if (!end.reason.empty()) std::fprintf(stderr, "confine: %s\n", end.reason.c_str());
  if (end.status == kNotRun && !options.trouble.empty()) {
    std::ofstream(options.trouble, std::ios::app) << end.reason << "\n";
  }
  // Who has written nothing has not answered.
  if (!options.probe && fs::file_size(judged.output) == 0) fs::remove(judged.output);
  return end.status;
}

}  // namespace
}  // namespace andrea::confine

int main(int argc, char** argv) {
  if (argc > 6 && std::string(argv[1]) == andrea::confine::kInside) {
    andrea::confine::last_steps(argc, argv);
  }
  try {
    return andrea::confine::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "confine: %s\n", error.what());
    return andrea::confine::kNotRun;
  }
}
