#include "simulator/tool/command_line.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "simulator/tool/command_options.h"
#include "simulator/tool/cuda_libraries.h"

namespace simulator {

const std::string_view kHelp =
    R"(usage: ./andrea cuda FILE.cu... [OPTION...] [-- ARGUMENT...]

Builds a CUDA program and runs it on this machine's CPU; no GPU is needed.
FILE is *.cu, or C++ (*.cc, *.cpp, *.cxx) that belongs to the program.

How it runs
  --check         watch every load and store, and tell of races, memory out of
                  bounds or never written, wrong barriers and masks; slower
  --profile       count memory sectors, bank conflicts and divergence by line
  --html FILE     the same as a page, with the source annotated
  --json FILE     write what --check finds for other programs to read
  --seed N        random order of blocks, warps and lanes; 0: by index
  --workers N     threads of the CPU that run blocks; all cores by default
  --timeout S     stop a kernel that gets nowhere for S seconds; 0: never
  -- ARGUMENT...  arguments of the program

How it is built
  -D -U -I -L -l -O -W -f -m -g -std=   as for g++; C++20 at least
  -o FILE         keep the program as FILE, and do not run it
  Options of nvcc that mean nothing here, as -arch=sm_80, are accepted.

What is built stays built until a source, a header or an option changes.
Exit status: the program's own; 86 if an error was found in a kernel; 1 if it
does not build; 2 wrong usage.
)";

namespace {

// What goes to g++ by its first letters. Longer ones first.
constexpr std::string_view kCompilerPrefixes[] = {"-std=", "-D", "-U", "-I", "-L", "-l",
                                                  "-O",    "-W", "-f", "-m", "-g"};
// Those whose value may be the next word.
constexpr std::string_view kValuePrefixes = "DUILl";

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 20 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = list.find(',');
    if (comma != 0 && !list.empty()) parts.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

class Reader {
 public:
  Reader(const std::vector<std::string>& words, CommandLine& result, std::string& problem)
      : words_(words), result_(result), problem_(problem) {}

  bool read() {
    for (; next_ < words_.size() && problem_.empty(); ++next_) {
      const std::string& word = words_[next_];
      if (word == "--") {
        result_.arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(next_) + 1,
                                 words_.end());
        break;
      }
      if (word.size() > 1 && word[0] == '-') {
        read_option(word);
      } else {
        read_source_name(word);
      }
    }
    if (problem_.empty() && !result_.is_help) check();
    return problem_.empty();
  }

 private:
  void read_source_name(const std::string& word) {
    std::error_code error;
    const std::string extension = std::filesystem::path(word).extension().string();
    constexpr std::string_view kExtensions[] = {".cu", ".cc", ".cpp", ".cxx"};
    if (std::filesystem::is_directory(word, error)) {
      problem_ = "'" + word + "' is a folder; name the files in it that are the program";
    } else if (std::find(std::begin(kExtensions), std::end(kExtensions), extension) ==
               std::end(kExtensions)) {
      problem_ =
          "'" + word +
          "' is not a source file (.cu, .cc, .cpp, .cxx); arguments of the program follow --";
    } else if (std::find(result_.sources.begin(), result_.sources.end(), word) !=
               result_.sources.end()) {
      problem_ = "'" + word + "' is given twice";
    } else {
      result_.sources.push_back(word);
    }
  }

  void read_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string_view name = std::string_view(word).substr(0, equals);
    if (const Option* const option = find_option(word)) {
      std::string value;
      if (option->takes_value && equals != std::string::npos) {
        value = word.substr(equals + 1);
      } else if (option->takes_value && !read_next(word, value)) {
        return;
      }
      return take(*option, value);
    }
    for (const std::string_view prefix : kCompilerPrefixes) {
      if (word.starts_with(prefix)) return pass_on(word);
    }
    problem_ = "there is no option '" + word + "'; the nearest is '" + nearest_option(name) +
               "', and './andrea cuda --help' lists all";
  }

  bool read_next(const std::string& option, std::string& value) {
    if (next_ + 1 == words_.size()) {
      problem_ = option + " needs a value";
      return false;
    }
    value = words_[++next_];
    return true;
  }

  void take(const Option& option, const std::string& value) {
    const std::string name(option.name);
    if (option.takes_value && value.empty()) {
      problem_ = name + " needs a value";
      return;
    }
    switch (option.action) {
      case Action::help:
        result_.is_help = true;
        break;
      case Action::check:
        result_.is_check = true;
        break;
      case Action::profile:
        result_.is_check = true;
        set("SIMULATOR_PROFILE", "1");
        if (option.takes_value) set(option.detail, value);
        break;
      case Action::environment:
        if (name != "--json" && !is_number(value)) {
          problem_ = name + " takes a whole number, not '" + value + "'";
        } else if (name == "--workers" && value == "0") {
          problem_ = "--workers takes a number from 1";
        } else {
          set(option.detail, value);
        }
        break;
      case Action::output:
        result_.output = value;
        break;
      case Action::compiler:
        result_.compiler = value;
        break;
      case Action::compile:
        result_.compile_flags.push_back(name);
        if (option.takes_value) result_.compile_flags.push_back(value);
        if (name == "-pthread") result_.link_flags.push_back(name);
        break;
      case Action::compile_list:
        for (const std::string& part : split(value)) pass_on(part);
        break;
      case Action::link_list:
        for (const std::string& part : split(value)) {
          result_.link_flags.insert(result_.link_flags.end(), {"-Xlinker", part});
        }
        break;
      case Action::lambda:
        result_.lint.extended_lambda = true;
        break;
      case Action::constexpr_functions:
        result_.lint.relaxed_constexpr = true;
        break;
      case Action::standard:
        set_standard("-std=" + value);
        break;
      case Action::ignore:
        break;
      case Action::refuse:
        problem_ = name + ": this command " + std::string(option.detail);
        break;
    }
  }

  // An option of g++, perhaps with its value in the next word.
  void pass_on(std::string word) {
    if (word.size() == 2 && kValuePrefixes.find(word[1]) != std::string_view::npos) {
      std::string value;
      if (!read_next(word, value)) return;
      word += value;
    }
    const std::string_view view = word;
    if (view.starts_with("-std=")) {
      set_standard(word);
    } else if (view.starts_with("-I")) {
      result_.include_folders.push_back(word.substr(2));
    } else if (view.starts_with("-l")) {
      add_library(word);
    } else if (view.starts_with("-L") || view.starts_with("-Wl,")) {
      result_.link_flags.push_back(word);
    } else if (view.starts_with("-fsanitize")) {
      problem_ = word +
                 " does not work with the simulator's threads; --check finds wrong uses of " +
                 "memory, and races as well";
    } else {
      result_.compile_flags.push_back(word);
      // -fopenmp, -flto, -m32, -g count in the link as well.
      if (view.starts_with("-f") || view.starts_with("-m") || view.starts_with("-g") ||
          view.starts_with("-O")) {
        result_.link_flags.push_back(word);
      }
    }
  }

  void add_library(const std::string& word) {
    const CudaLibrary* const library = find_cuda_library(word.substr(2));
    if (library == nullptr) {
      result_.link_flags.push_back(word);
    } else if (!library->is_simulated) {
      problem_ = "the simulator has no " + std::string(library->name) + " (" + word + ")";
    }
  }

  // Older ones are raised without a word.
  void set_standard(const std::string& word) {
    constexpr std::string_view kOlder[] = {"98", "03", "0x", "11", "1y", "14", "1z", "17"};
    std::string standard = word;
    for (const std::string_view year : kOlder) {
      for (const std::string_view dialect : {"-std=c++", "-std=gnu++"}) {
        if (word == std::string(dialect) + std::string(year)) {
          standard = std::string(dialect) + "20";
        }
      }
    }
    result_.standard = standard;
  }

  void set(std::string_view variable, const std::string& value) {
    result_.environment.emplace_back(variable, value);
  }

  void check() {
    if (result_.sources.empty()) {
      problem_ = "name the program's source, as in: ./andrea cuda FILE.cu";
    } else if (!result_.output.empty() &&
               !(result_.arguments.empty() && result_.environment.empty())) {
      problem_ =
          "with -o the program is built and not run; give its arguments, and the simulator's "
          "options as SIMULATOR_... in the environment, when you run it";
    }
  }

  const std::vector<std::string>& words_;
  CommandLine& result_;
  std::string& problem_;
  std::size_t next_ = 0;
};

}  // namespace

bool read_command_line(const std::vector<std::string>& words, CommandLine& result,
                       std::string& problem) {
  problem.clear();
  return Reader(words, result, problem).read();
}

bool is_cuda_source(std::string_view path) { return path.ends_with(".cu"); }

}  // namespace simulator
