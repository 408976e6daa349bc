#include "simulator/rewriter/includes.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "simulator/rewriter/rewriter.h"
#include "simulator/rewriter/source_file.h"
#include "simulator/rewriter/tokens.h"

namespace simulator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 10000;

struct Include {
  std::string name;  // Empty if a macro names the file.
  bool is_quoted = false;
  int line = 0, column = 0;
};

std::vector<Include> includes_of(std::string_view source) {
  std::vector<Include> includes;
  const std::vector<Token> tokens = tokenize(source);
  int in_line = 0;  // The directive whose include has been read.
  const Token* before = nullptr;
  for (const Token& token : tokens) {
    if (!token.is_significant()) continue;
    const bool follows_include = before != nullptr && before->directive == token.directive &&
                                 (before->is("include") || before->is("import"));
    before = &token;
    if (!follows_include || token.directive == in_line) continue;
    in_line = token.directive;
    Include include;
    include.line = token.line;
    include.column = token.column;
    if (token.kind == TokenKind::header_name && token.terminated && token.text.size() > 2) {
      include.name = token.text.substr(1, token.text.size() - 2);
      include.is_quoted = token.text.front() == '"';
    }
    includes.push_back(include);
  }
  return includes;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

class ProgramReader {
 public:
  ProgramReader(const ProgramOptions& options, std::string& problem)
      : options_(options), problem_(problem) {}

  Program read(const std::string& path) {
    const fs::path source(path);
    fs::path output = copy_of(source.parent_path()) / source.filename();
    add(path, output.replace_extension(".cc"));
    for (std::size_t i = 0; i < program_.files.size() && problem_.empty(); ++i) follow(i);
    if (!problem_.empty()) return {};
    for (const std::string& folder : macro_folders_) {
      program_.arguments.insert(program_.arguments.end(), {"-iquote", folder});
    }
    for (const std::string& folder : options_.include_folders) {
      program_.arguments.insert(program_.arguments.end(), {"-I", copy_of(folder).string()});
    }
    return std::move(program_);
  }

 private:
  // The folder's place below the output folder.
  fs::path copy_of(const fs::path& folder) const {
    return fs::path(options_.output_folder) /
           fs::absolute(folder.empty() ? "." : folder).lexically_normal().relative_path();
  }

  void add(const std::string& path, const fs::path& output) {
    if (!outputs_.insert(output.lexically_normal().string()).second) return;
    if (program_.files.size() == kMostFiles) {
      problem_ = "more than " + std::to_string(kMostFiles) + " files are included";
      return;
    }
    auto source = read_source(path, problem_);
    if (!source) return;
    Rewritten rewritten = rewrite(*source, path);
    ProgramFile file{path, output.lexically_normal().string(), std::move(*source),
                     std::move(rewritten.text), std::move(rewritten.findings)};
    if (options_.lints) {
      const std::vector<Finding> more = lint(file.source, options_.lint);
      file.findings.insert(file.findings.end(), more.begin(), more.end());
    }
    program_.files.push_back(std::move(file));
  }

  // Looks where the compiler looks: beside the includer, then in the folders in order.
  void follow(std::size_t index) {
    const fs::path folder = fs::path(program_.files[index].path).parent_path();
    const fs::path output_folder = fs::path(program_.files[index].output).parent_path();
    for (const Include& include : includes_of(program_.files[index].source)) {
      if (!problem_.empty()) return;
      if (include.name.empty()) {
        const std::string here = folder.empty() ? "." : folder.string();
        if (std::find(macro_folders_.begin(), macro_folders_.end(), here) == macro_folders_.end()) {
          macro_folders_.push_back(here);
        }
      } else if (fs::path(include.name).is_absolute()) {
        check_absolute(index, include);
      } else if (include.is_quoted && is_file(folder / include.name)) {
        add((folder / include.name).string(), output_folder / include.name);
      } else {
        for (const std::string& other : options_.include_folders) {
          if (!is_file(fs::path(other) / include.name)) continue;
          add((fs::path(other) / include.name).string(), copy_of(other) / include.name);
          break;
        }
      }
    }
  }

  // The compiler will take such a file as it is.
  void check_absolute(std::size_t index, const Include& include) {
    std::string ignored;
    const auto source = is_file(include.name) ? read_source(include.name, ignored) : std::nullopt;
    if (!source || !rewrite(*source, include.name).is_changed) return;
    program_.files[index].findings.push_back(
        {Finding::Kind::unsupported, include.line, include.column,
         "a file with launches or dynamic shared memory cannot be included by an absolute path. "
         "Write a relative path, or give its folder with -I"});
  }

  const ProgramOptions& options_;
  std::string& problem_;
  Program program_;
  std::set<std::string> outputs_;
  std::vector<std::string> macro_folders_;
};

}  // namespace

bool Program::has_findings() const {
  return std::any_of(files.begin(), files.end(),
                     [](const ProgramFile& file) { return !file.findings.empty(); });
}

Program rewrite_program(const std::string& path, const ProgramOptions& options,
                        std::string& problem) {
  problem.clear();
  return ProgramReader(options, problem).read(path);
}

bool write_program(const Program& program, std::string& problem) {
  for (const ProgramFile& file : program.files) {
    std::error_code error;
    const fs::path folder = fs::path(file.output).parent_path();
    fs::create_directories(folder, error);
    if (error) {
      problem = folder.string() + " cannot be made: " + error.message();
      return false;
    }
    if (!write_source(file.output, file.text, problem)) return false;
  }
  return true;
}

}  // namespace simulator
