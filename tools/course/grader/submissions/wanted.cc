#include "tools/course/grader/submissions/wanted.h"

#include <algorithm>
#include <filesystem>

#include "trainer/base/error.h"

namespace andrea::grader {

namespace fs = std::filesystem;

Wanted wanted_of(const course::Course& course, const std::vector<std::string>& numbers) {
  Wanted wanted;
  for (const std::string& number : numbers) {
    const bool known = std::any_of(course.lessons.begin(), course.lessons.end(),
                                   [&](const auto& lesson) { return lesson.number == number; });
    require(known, "there is no lesson '", number, "'; lessons are numbered as 00, 01, ...");
  }
  for (const course::Lesson& lesson : course.lessons) {
    if (!numbers.empty() &&
        std::find(numbers.begin(), numbers.end(), lesson.number) == numbers.end()) {
      continue;
    }
    std::vector<std::string> files = {"answers.md"};
    for (const course::Exercise& exercise : lesson.exercises) files.push_back(exercise.file);
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    for (const std::string& file : files) wanted.paths.push_back(lesson.folder() + "/" + file);
  }
  wanted.at_the_top = numbers.size() == 1;
  return wanted;
}

std::optional<Place> place_of(const Wanted& wanted, const std::string& path) {
  const fs::path whole = fs::path(path).lexically_normal();
  int depth = 0;
  for (const fs::path& part : whole.parent_path()) {
    ++depth;
    const std::string name = part.string();
    if (name == "solutions" || name == "tests" || name == ".git" || name == "__MACOSX" ||
        name.rfind("bazel-", 0) == 0) {
      return {};
    }
  }
  const std::string file = whole.filename().string();
  const std::string folder = whole.parent_path().filename().string();
  const std::string above = whole.parent_path().parent_path().filename().string();
  for (const std::string& one : wanted.paths) {
    const fs::path parts = one;
    if (parts.filename() != file) continue;
    if (parts.parent_path().filename() == folder) {
      return Place{one, (above == "lessons" ? 0 : 1000) + depth};
    }
    if (wanted.at_the_top && depth == 0) return Place{one, 2000};
  }
  return {};
}

}  // namespace andrea::grader
