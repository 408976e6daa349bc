#include "simulator/tool/compiler_call.h"

#include <cpuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "simulator/tool/compiler_messages.h"
#include "simulator/tool/content_hash.h"
#include "simulator/tool/kernel_flags.h"

namespace simulator {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const auto& more) {
  words.insert(words.end(), std::begin(more), std::end(more));
}

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// What -march=native looks at.
std::string processor() {
  std::string text;
  for (const unsigned leaf : {1u, 7u}) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf, 0, &a, &b, &c, &d);
    if (leaf == 1) b = 0;  // Has the number of the core.
    for (const unsigned part : {a, b, c, d}) text += std::to_string(part) + ' ';
  }
  return text;
}

// Path, size and time stand for the compiler: asking it costs more than all the rest.
std::string identity_of(const std::string& path) {
  struct stat status = {};
  stat(path.c_str(), &status);
  return path + ' ' + std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) +
         '.' + std::to_string(status.st_mtim.tv_nsec);
}

}  // namespace

bool is_toolkit(const std::string& folder) {
  return access((folder + "/cuda_runtime.h").c_str(), R_OK) == 0;
}

std::vector<std::string> compile_words(const CommandLine& command, const Installation& installation,
                                       bool is_cuda) {
  Words words = {command.compiler, command.standard};
  append(words, is_cuda ? Words(std::begin(kLanguageFlags), std::end(kLanguageFlags))
                        : Words{"-x", "c++"});
  append(words, kKernelFlags);
  words.push_back("-march=native");
  // The user's own come later, and win; but what --check watches must not depend on them.
  if (!command.is_check) append(words, kFastFlags);
  append(words, kMessageFlags);
  append(words, command.compile_flags);
  if (command.is_check) append(words, kCheckFlags);
  append(words, Words{"-isystem", installation.headers_folder});
  return words;
}

Variables compiler_variables(const std::string& work_folder) {
  const std::string first = value_of("CPLUS_INCLUDE_PATH"), second = value_of("CPATH");
  return {{"LC_ALL", "C.UTF-8"},
          {"TMPDIR", work_folder},
          {"CPATH", ""},
          {"CPLUS_INCLUDE_PATH", first + (first.empty() || second.empty() ? "" : ":") + second}};
}

std::string recipe_of(const CommandLine& command, const Installation& installation) {
  ContentHash hash;
  std::error_code error;
  hash.add(std::filesystem::current_path(error).string());
  hash.add(identity_of(find_program(command.compiler)));
  hash.add(processor());
  hash.add(std::to_string(hash_of_file(installation.tool).value_or(0)));
  for (const char* const variable : {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"}) {
    hash.add(value_of(variable));
  }
  const auto add_all = [&](const Words& words) {
    for (const std::string& word : words) hash.add(word);
    hash.add("");
  };
  add_all(compile_words(command, installation, true));
  add_all(command.include_folders);
  add_all(command.link_flags);
  add_all(command.sources);
  hash.add(installation.library);
  hash.add(command.lint.extended_lambda ? "lambda" : "");
  hash.add(command.lint.relaxed_constexpr ? "constexpr" : "");
  return hash.digits();
}

}  // namespace simulator
