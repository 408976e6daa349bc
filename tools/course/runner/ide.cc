#include "tools/course/runner/ide.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// In the order of their names, below the given folders of the root.
std::vector<fs::path> sources(const fs::path& root) {
  std::vector<fs::path> found;
  for (const char* folder : {"lessons", "solutions"}) {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder, error)) {
      const std::string kind = entry.path().extension();
      if (kind == ".cu" || kind == ".cuh" || kind == ".cc" || kind == ".h") {
        found.push_back(entry.path());
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> arguments_of(const fs::path& root, const fs::path& source) {
  const std::string kind = source.extension();
  const bool is_cuda = kind == ".cu" || kind == ".cuh";
  std::vector<std::string> words = {"clang++", "-std=c++20"};
  if (is_cuda) {
    // The language with its <<<...>>>, without looking for NVIDIA's toolkit; editor.h says how it
    // gets on with the simulator's headers.
    for (const char* word :
         {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version",
          "-Xclang", "-fcuda-allow-variadic-functions", "-include",
          "tools/course/runner/editor.h"}) {
      words.emplace_back(word);
    }
  } else if (kind == ".h") {
    words.insert(words.end(), {"-x", "c++"});
  }
  words.insert(words.end(), {"-I" + root.string(), "-I" + (root / "simulator/include").string()});
  // Where Debian has Eigen.
  words.emplace_back("-isystem/usr/include/eigen3");
  words.insert(words.end(), {"-Wall", "-Wextra"});
  // What stands there for the student to use is unused until then (tools/bazel/lesson.bzl).
  for (const char* word :
       {"-Wno-unused-but-set-variable", "-Wno-unused-const-variable", "-Wno-unused-function",
        "-Wno-unused-parameter", "-Wno-unused-variable"}) {
    words.emplace_back(word);
  }
  words.insert(words.end(), {"-c", source.string()});
  return words;
}

}  // namespace

std::string compile_commands(const fs::path& root) {
  nlohmann::json all = nlohmann::json::array();
  for (const fs::path& source : sources(root)) {
    all.push_back({{"directory", root.string()},
                   {"file", source.string()},
                   {"arguments", arguments_of(root, source)}});
  }
  return all.dump(1) + "\n";
}

Page ide(const fs::path& root) {
  replace_file(root / "compile_commands.json", compile_commands(root));
  Page page;
  page.add("compile_commands.json is written, with the paths of this checkout.", Style::good);
  page.add(
      "clangd reads it (in VS Code by the extension \"clangd\", elsewhere by the editor's language "
      "server): errors, completion and definitions in kernel.cu, without a CUDA toolkit.");
  page.add("Run ./andrea ide again if this folder has moved.", Style::faint);
  return page;
}

}  // namespace andrea::course
