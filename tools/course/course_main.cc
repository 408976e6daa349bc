// The program behind `./andrea course`.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/course/course.h"
#include "tools/course/edition.h"
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

// The lessons, and the exams that are there.
Course whole_course(const fs::path& root) {
  Course course = read_course(read_file(root / "lessons/course.json"));
  if (!fs::is_directory(root / "exam")) return course;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "exam")) {
    const fs::path exam = entry.path() / "exam.json";
    if (fs::exists(exam)) add_exam(course, read_file(exam));
  }
  return course;
}

// Every exercise file against what its solution yields. Returns how many differ.
int stubs(const fs::path& root, bool write) {
  if (!fs::is_directory(root / "solutions")) {
    throw std::runtime_error(
        "there is no solutions/ here, since this is a student edition: nothing to compare the "
        "exercises with.");
  }
  const Course course = whole_course(root);
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

int exported(const fs::path& root, const fs::path& to, const std::string& exam) {
  const std::size_t files = export_edition(root, to, exam);
  std::printf("The student edition%s stands in %s: %zu files, looked through for answers.\n",
              exam.empty() ? "" : (", with exam " + exam + ",").c_str(), to.c_str(), files);
  std::printf(
      "It has no history. Give it one of its own, and try it:\n\n"
      "  cd %s && git init && git add --all && git commit --message 'The course'\n"
      "  ./andrea test\n",
      to.c_str());
  return 0;
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
  std::string student, folder, exam;
  CLI::App* const edition = app.add_subcommand(
      "export", "the student edition: the tree without solutions, notes and exams");
  CLI::Option* const to = edition->add_option("--student", student, "an empty or a new folder");
  edition->add_option("--exam", exam, "the exam of this lesson is to be in it: 03");
  edition->add_option("folder", folder, "the same as --student FOLDER")->excludes(to);
  CLI11_PARSE(app, argc, argv);
  if (command->parsed()) return stubs(root, write) == 0 ? 0 : 1;
  if (folder.empty()) folder = student;
  if (folder.empty()) throw std::runtime_error("export where to? --student FOLDER says it.");
  return exported(root, folder, exam);
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
