// The program behind `./andrea course`.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/course/course.h"
#include "tools/course/stub.h"
#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// Regular files directly in the folder, by name; none where there is no folder.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool has_regions(const std::string& text) { return text.find("// SOLUTION(") != std::string::npos; }

// Every exercise file against what its solution yields. Returns how many differ.
int stubs(const fs::path& root, bool write) {
  const Course course = read_course(read_file(root / "lessons/course.json"));
  int files = 0, different = 0;
  for (const Lesson& lesson : course.lessons) {
    for (const fs::path& solution : files_in(root / lesson.solution_folder())) {
      const std::string text = read_file(solution);
      if (!has_regions(text)) continue;
      ++files;
      const fs::path name = fs::path(lesson.folder()) / solution.filename();
      const std::string stub = stub_of(text, solution.lexically_relative(root).string());
      if (fs::exists(root / name) && read_file(root / name) == stub) continue;
      ++different;
      if (write) replace_file(root / name, stub);
      std::printf("%s %s what its solution yields.\n", name.c_str(), write ? "is now" : "is not");
    }
  }
  std::printf("%d of %d exercise files %s.\n", different, files, write ? "written" : "differ");
  return write ? 0 : different;
}

int run(int argc, char** argv) {
  CLI::App app("The course as data.", "andrea course");
  app.require_subcommand(1);
  std::string root = ".";
  app.add_option("--root", root, "the repository")->group("");
  bool write = false;
  CLI::App* const command =
      app.add_subcommand("stubs", "whether the exercises in lessons/ are what the solutions yield");
  command->add_flag("--write", write, "make them so: work in lessons/ is lost");
  CLI11_PARSE(app, argc, argv);
  return stubs(root, write) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace andrea::course

int main(int argc, char** argv) {
  try {
    return andrea::course::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "andrea course: %s\n", error.what());
    return 1;
  }
}
