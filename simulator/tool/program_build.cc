#include "simulator/tool/program_build.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

#include "simulator/rewriter/includes.h"
#include "simulator/rewriter/source_file.h"
#include "simulator/tool/compiler_call.h"
#include "simulator/tool/compiler_messages.h"
#include "simulator/tool/content_hash.h"
#include "simulator/tool/dependency_file.h"
#include "simulator/tool/kernel_flags.h"
#include "simulator/tool/linker_messages.h"
#include "simulator/tool/process.h"
#include "simulator/tool/shared_gaps.h"
#include "simulator/tool/terminal.h"

namespace simulator {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

void append(Words& words, const auto& more) {
  words.insert(words.end(), std::begin(more), std::end(more));
}

std::string current_folder() {
  std::error_code error;
  return fs::current_path(error).string();
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Bytes of disk with less of which nothing is compiled.
constexpr std::uintmax_t kLeastSpace = 1 << 20;

// One source on its way.
struct Unit {
  std::string source;
  Program program;  // Of a *.cu file.
  std::string object, dependencies, messages;
  std::optional<Process> compiler;
};

class Builder {
 public:
  Builder(const CommandLine& command, const Installation& installation, const BuildCache& cache)
      : command_(command), installation_(installation), cache_(cache) {}

  ~Builder() {
    std::error_code ignored;
    if (!work_.empty()) fs::remove_all(work_, ignored);
  }

  std::string build() {
    if (find_program(command_.compiler).empty()) {
      tell("there is no " + command_.compiler +
           " here to compile with; on Debian and Ubuntu: sudo apt install g++");
      return "";
    }
    clock_gettime(CLOCK_REALTIME_COARSE, &begin_);  // The clock of files' times.
    std::string problem;
    work_ = cache_.new_work_folder(problem);
    if (work_.empty()) {
      tell(problem);
      return "";
    }
    if (!read_sources() || !compile() || !prepare_check_objects() || !link()) return "";
    const std::string program =
        cache_.store(recipe_of(command_, installation_), name_of_program(command_), dependencies(),
                     work_, problem);
    if (program.empty()) tell(problem);
    return program;
  }

 private:
  // All sources are judged before the first is compiled.
  bool read_sources() {
    bool is_good = true;
    for (const std::string& source : command_.sources) {
      Unit& unit = units_.emplace_back();
      unit.source = source;
      const std::string base = work_ + "/" + std::to_string(units_.size());
      unit.object = base + ".o";
      unit.dependencies = base + ".d";
      unit.messages = base + ".txt";
      std::string problem;
      if (!is_cuda_source(source)) {
        if (!read_source(source, problem)) is_good = tell(problem);
        continue;
      }
      ProgramOptions options;
      options.output_folder = base;
      for (const std::string& folder : command_.include_folders) {
        if (!is_toolkit(folder)) options.include_folders.push_back(folder);
      }
      options.lints = true;
      options.lint = command_.lint;
      unit.program = rewrite_program(source, options, problem);
      for (const ProgramFile& file : unit.program.files) {
        show_messages(describe(file.findings, file.source, file.path));
      }
      if (unit.program.has_findings()) is_good = false;
      if (problem.empty() && is_good) write_program(unit.program, problem);
      if (!problem.empty()) is_good = tell(problem);
    }
    return is_good;
  }

  bool compile() {
    const ProgressLine progress("Compiling " + command_.sources.front() + " ...");
    const std::size_t most_at_once = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t i = 0; i < units_.size(); ++i) {
      if (i >= most_at_once) units_[i - most_at_once].compiler->wait();
      Unit& unit = units_[i];
      unit.compiler.emplace(words_for(unit), compiler_variables(work_), unit.messages);
      if (unit.compiler->start_error() != 0) {
        return tell(command_.compiler +
                    " cannot be started: " + std::strerror(unit.compiler->start_error()));
      }
    }
    bool is_good = true;
    for (Unit& unit : units_) {
      const int status = unit.compiler->wait();
      CompiledProgram program{installation_.headers_folder, {}};
      for (const ProgramFile& file : unit.program.files) program.files.push_back(&file);
      const std::string output = contents_of(unit.messages);
      progress.erase();
      show_messages(readable_compiler_messages(output, program));
      if (status != 0) is_good = explain(status, output);
    }
    return is_good;
  }

  Words words_for(const Unit& unit) const {
    const bool is_cuda = is_cuda_source(unit.source);
    Words words = compile_words(command_, installation_, is_cuda);
    append(words, unit.program.arguments);
    for (const std::string& folder : command_.include_folders) {
      append(words, Words{is_toolkit(folder) ? "-idirafter" : "-I", folder});
    }
    append(words, Words{"-MD", "-MF", unit.dependencies, "-c", "-o", unit.object});
    if (is_cuda) {
      const std::string copies = unit.object.substr(0, unit.object.size() - 2);
      words.push_back("-fdebug-prefix-map=" + copies + "=");
      words.push_back(unit.program.files.front().output);
    } else {
      words.push_back(unit.source);
    }
    return words;
  }

  // Copies of memory in watched code are watched as well, and no __shared__ array ends where the
  // next one begins.
  bool prepare_check_objects() {
    if (!command_.is_check) return true;
    for (const Unit& unit : units_) {
      Words words = {"objcopy"};
      for (const char* const hook : kHooks) append(words, Words{"--redefine-sym", hook});
      words.push_back(unit.object);
      if (!run(words, unit.messages)) {
        show_messages(contents_of(unit.messages));
        return false;
      }
      if (!is_cuda_source(unit.source)) continue;
      const std::string problem = add_shared_gaps(unit.object);
      if (!problem.empty()) return tell(problem);
    }
    return true;
  }

  bool link() {
    Words words = {command_.compiler};
    for (const Unit& unit : units_) words.push_back(unit.object);
    append(words, command_.link_flags);
    append(words, Words{installation_.library,
                        "-Wl,-rpath," + fs::path(installation_.library).parent_path().string(),
                        "-Wl,--dependency-file=" + link_dependencies(), "-o", program()});
    const std::string messages = work_ + "/link.txt";
    const bool is_good = run(words, messages);
    show_messages(
        readable_linker_messages(contents_of(messages), current_folder(), command_.sources));
    return is_good;
  }

  bool run(const Words& words, const std::string& messages) {
    Process process(words, compiler_variables(work_), messages);
    if (process.start_error() != 0) {
      return tell(words[0] + " cannot be started (" + std::strerror(process.start_error()) +
                  "); on Debian and Ubuntu: sudo apt install binutils");
    }
    const int status = process.wait();
    return status == 0 || explain(status, contents_of(messages));
  }

  // What the messages themselves do not say. Always false.
  bool explain(int status, const std::string& output) {
    // On a full disk there may be no room for the messages either.
    std::error_code error;
    const fs::space_info space = fs::space(work_, error);
    if (output.find(std::strerror(ENOSPC)) != std::string::npos ||
        (!error && space.available < kLeastSpace)) {
      return tell("the disk is full that holds " + work_);
    }
    if (status > 128) {
      return tell("the compiler was ended by signal " + std::to_string(status - 128) +
                  "; there may be too little memory");
    }
    if (output.empty()) tell("the compiler gave up without a word");
    return false;
  }

  // Every file that the compiler or the linker read, with what it held. Nothing if one of them has
  // changed since the build began, so that nobody knows what was read.
  std::optional<std::vector<Dependency>> dependencies() const {
    std::map<std::string, std::uint64_t> all;
    std::set<std::string> paths;
    for (const Unit& unit : units_) {
      append_paths(contents_of(unit.dependencies), paths);
      for (const ProgramFile& file : unit.program.files) {
        all[file.path] = hash_of_text(file.source);
      }
    }
    append_paths(contents_of(link_dependencies()), paths);
    for (const std::string& path : paths) {
      if (all.contains(path)) continue;
      struct stat status = {};
      const auto hash = hash_of_file(path);
      if (!hash || stat(path.c_str(), &status) != 0 || is_later(status.st_mtim, begin_)) {
        return std::nullopt;
      }
      all[path] = *hash;
    }
    std::vector<Dependency> result;
    for (const auto& [path, hash] : all) result.push_back({path, hash});
    return result;
  }

  void append_paths(const std::string& dependency_file, std::set<std::string>& paths) const {
    for (const std::string& path : paths_of_dependency_file(dependency_file)) {
      if (path.starts_with(work_ + "/")) continue;
      paths.insert(path);
    }
  }

  static bool is_later(const timespec& a, const timespec& b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
  }

  std::string program() const { return work_ + "/" + name_of_program(command_); }
  std::string link_dependencies() const { return work_ + "/link.d"; }

  const CommandLine& command_;
  const Installation& installation_;
  const BuildCache& cache_;
  timespec begin_ = {};
  std::string work_;
  std::vector<Unit> units_;
};

}  // namespace

std::string name_of_program(const CommandLine& command) {
  return fs::path(command.sources.front()).stem().string();
}

std::string build_program(const CommandLine& command, const Installation& installation,
                          const BuildCache& cache) {
  return Builder(command, installation, cache).build();
}

}  // namespace simulator
