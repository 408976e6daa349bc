// File: simulator/rewriter/rewrite_main.cc
//
// The rewriter as a program: see kUsage.

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/rewriter/includes.h"
#include "simulator/rewriter/lint.h"
#include "simulator/rewriter/rewriter.h"
#include "simulator/rewriter/source_file.h"

namespace simulator {
namespace {

constexpr std::string_view kUsage =
    R"(usage: rewrite INPUT.cu --out OUTPUT.cc [--path SHOWN_PATH] [--lint]
       rewrite INPUT.cu --out-dir DIRECTORY [-I DIRECTORY]... [--lint]

Turns CUDA C++ into C++ for the simulator.
  --out       writes the one file
  --path      how messages call it (default: INPUT.cu)
  --out-dir   writes the file and what it includes, and prints the compiler's
              arguments, one a line: the source, then options
  -I          where to look for included files, as the compiler does
  --lint      also finds what nvcc would refuse; --extended-lambda and
              --expt-relaxed-constexpr allow what they allow there
Exit status: 0 written; 1 something was found, nothing written; 2 usage or an
unusable file.
)";

constexpr int kWritten = 0, kFound = 1, kUnusable = 2;

struct Options {
  std::string input, out, shown_path;
  ProgramOptions program;
};

// Empty if the command line can be used, else what is wrong with it.
std::string read_options(const std::vector<std::string>& words, Options& options) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    std::string* value = word == "--out"       ? &options.out
                         : word == "--path"    ? &options.shown_path
                         : word == "--out-dir" ? &options.program.output_folder
                                               : nullptr;
    if (word == "-I") value = &options.program.include_folders.emplace_back();
    if (value != nullptr) {
      if (i + 1 == words.size()) return word + " needs a value";
      *value = words[++i];
    } else if (word.starts_with("-I")) {
      options.program.include_folders.push_back(word.substr(2));
    } else if (word == "--lint") {
      options.program.lints = true;
    } else if (word == "--extended-lambda") {
      options.program.lint.extended_lambda = true;
    } else if (word == "--expt-relaxed-constexpr") {
      options.program.lint.relaxed_constexpr = true;
    } else if (word.size() > 1 && word[0] == '-') {
      return "there is no option " + word;
    } else if (!options.input.empty()) {
      return "one input at a time, not " + options.input + " and " + word;
    } else {
      options.input = word;
    }
  }
  if (options.input.empty()) return "no input";
  const bool has_folder = !options.program.output_folder.empty();
  if (options.out.empty() != has_folder) return "give either --out or --out-dir";
  if (has_folder && !options.shown_path.empty()) return "--path goes with --out";
  if (!has_folder && !options.program.include_folders.empty()) return "-I goes with --out-dir";
  if (options.shown_path.empty()) options.shown_path = options.input;
  return "";
}

int refuse(const std::string& problem) {
  std::cerr << "rewrite: " << problem << '\n';
  return kUnusable;
}

int rewrite_file(const Options& options) {
  std::string problem;
  const auto source = read_source(options.input, problem);
  if (!source) return refuse(problem);
  const Rewritten rewritten = rewrite(*source, options.shown_path);
  std::vector<Finding> findings = rewritten.findings;
  if (options.program.lints) {
    const std::vector<Finding> more = lint(*source, options.program.lint);
    findings.insert(findings.end(), more.begin(), more.end());
  }
  if (!findings.empty()) {
    std::cerr << describe(findings, *source, options.shown_path);
    return kFound;
  }
  return write_source(options.out, rewritten.text, problem) ? kWritten : refuse(problem);
}

int rewrite_with_includes(const Options& options) {
  std::string problem;
  const Program program = rewrite_program(options.input, options.program, problem);
  if (!problem.empty()) return refuse(problem);
  if (program.has_findings()) {
    for (const ProgramFile& file : program.files) {
      std::cerr << describe(file.findings, file.source, file.path);
    }
    return kFound;
  }
  if (!write_program(program, problem)) return refuse(problem);
  std::cout << program.files.front().output << '\n';
  for (const std::string& argument : program.arguments) std::cout << argument << '\n';
  return kWritten;
}

int run(const std::vector<std::string>& words) {
  Options options;
  const std::string problem = read_options(words, options);
  if (!problem.empty()) {
    std::cerr << "rewrite: " << problem << '\n' << kUsage;
    return kUnusable;
  }
  return options.out.empty() ? rewrite_with_includes(options) : rewrite_file(options);
}

}  // namespace
}  // namespace simulator

int main(int count, char** words) {
  return simulator::run(std::vector<std::string>(words + 1, words + count));
}
