#include "tools/course/grader/reports/write_reports.h"

#include <array>
#include <ctime>
#include <string>

#include "tools/course/grader/reports/answers.h"
#include "tools/course/grader/reports/exports.h"
#include "tools/course/grader/reports/page.h"
#include "tools/course/grader/reports/table.h"
#include "tools/course/grader/submissions/submission.h"
#include "tools/course/stub.h"
#include "trainer/base/file.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

std::string text_or_nothing(const fs::path& path) {
  return fs::exists(path) ? read_file(path) : std::string();
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%d %B %Y, %H:%M", std::localtime(&time));
  return text.data();
}

// The class's files of one name, the solution's, and those of earlier years.
LikeFiles likeness_of(const std::string& path, const fs::path& root, const course::Lesson& lesson,
                      const Class& whole, const std::vector<Submission>& past) {
  LikeFiles files;
  files.path = path;
  for (const Student& student : whole.students) {
    const auto file = student.files.find(path);
    if (file != student.files.end()) files.works.push_back({student.name, file->second, true});
  }
  for (const Submission& earlier : past) {
    const auto file = earlier.files.find(path);
    if (file != earlier.files.end()) {
      files.works.push_back({earlier.name + " (past)", file->second, false});
    }
  }
  const fs::path solution = root / lesson.solution_folder() / fs::path(path).filename();
  const std::string text = text_or_nothing(solution);
  if (!text.empty()) {
    files.works.push_back({"the solution", text, false});
    files.too_short = too_short_to_tell(text, solution.string());
  }
  const std::string stub =
      text.empty() ? text_or_nothing(root / path) : course::stub_of(text, solution.string());
  files.pairs = likenesses(files.works, stub);
  return files;
}

}  // namespace

void write_reports(const fs::path& folder, const fs::path& root, const Class& whole,
                   bool with_likeness) {
  for (const Student& student : whole.students) {
    const fs::path own = folder / "submissions" / student.id;
    fs::create_directories(own);
    replace_file(own / "results.json", gradescope(student, whole.lessons));
    replace_file(own / "junit.xml", junit(student, whole.lessons));
    replace_file(own / "classroom.txt", classroom(student, whole.lessons));
  }
  replace_file(folder / "grades.csv", csv_table(whole));

  PageParts parts;
  parts.date = now();
  std::vector<Submission> past;
  if (with_likeness && !whole.past.empty()) {
    past = read_submissions(whole.past, wanted_of({whole.lessons}, {})).all;
  }
  for (const course::Lesson& lesson : whole.lessons) {
    const fs::path messages = root / lesson.folder() / "messages.json";
    if (fs::exists(messages)) parts.catalogue.add(read_file(messages));
    const std::string questions = text_or_nothing(root / lesson.folder() / "answers.md");
    if (!questions.empty()) {
      parts.questions[lesson.number] = {
          questions, rubric_in(text_or_nothing(root / lesson.solution_folder() / "NOTES.md"))};
    }
    if (!with_likeness) continue;
    for (const std::string& path : wanted_of({whole.lessons}, {lesson.number}).paths) {
      if (fs::path(path).extension() == ".md") continue;
      parts.alike.push_back(likeness_of(path, root, lesson, whole, past));
    }
  }
  replace_file(folder / "index.html", class_page(whole, parts));
}

}  // namespace andrea::grader
