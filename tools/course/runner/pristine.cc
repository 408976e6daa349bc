#include "tools/course/runner/pristine.h"

#include "tools/course/stub.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/process.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// What git prints; nothing where it fails, or is not there.
std::optional<std::string> from_git(const fs::path& root, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-c", "core.quotepath=off"});
  try {
    const ProcessResult git = run_process(words, root);
    return git.status == 0 ? std::optional(git.output) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<std::string> first_of_history(const fs::path& root, const std::string& path) {
  const auto commits = from_git(root, {"log", "--diff-filter=A", "--format=%H", "--", path});
  if (!commits || commits->empty()) return std::nullopt;
  std::string first = *commits;  // the newest first
  first.pop_back();
  first = first.substr(first.rfind('\n') + 1);
  // Paths of `git show` begin at the top of the repository; "./" makes it this folder.
  return from_git(root, {"show", first + ":./" + path});
}

}  // namespace

fs::path stub_copy(const Lesson& lesson, const std::string& file) {
  return fs::path("tools/course/stubs") / fs::path(lesson.folder()).filename() / file;
}

std::optional<std::string> pristine(const fs::path& root, const Lesson& lesson,
                                    const std::string& file) {
  const fs::path solution = root / lesson.solution_folder() / file;
  if (fs::is_regular_file(solution)) {
    return stub_of(read_file(solution), lesson.solution_folder() + "/" + file);
  }
  const fs::path copy = root / stub_copy(lesson, file);
  if (fs::is_regular_file(copy)) return read_file(copy);
  return first_of_history(root, lesson.folder() + "/" + file);
}

}  // namespace andrea::course
