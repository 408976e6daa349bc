// The program behind `./andrea grade`, called twice (tools/frontdoor/grade.sh): `prepare` takes the
// submissions in and lays them out for Bazel; then Bazel compiles, runs and judges; then `report`
// tells what came of it.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/course/course.h"
#include "tools/course/grader/marks/build_events.h"
#include "tools/course/grader/marks/marks.h"
#include "tools/course/grader/reports/safe_text.h"
#include "tools/course/grader/reports/table.h"
#include "tools/course/grader/reports/write_reports.h"
#include "tools/course/grader/submissions/submission.h"
#include "tools/course/grader/workspace.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string root = ".", submissions, out, past, confine, events;
  std::vector<std::string> lessons;
  bool unconfined = false;
  GradingOptions grading;
};

fs::path workspace_of(const Options& options) { return fs::path(options.out) / "workspace"; }

course::Course course_at(const fs::path& root) {
  return course::read_course(read_file(root / "lessons/course.json"));
}

// Bazel writes its packages there, and would take them for the instructor's own.
void check_out(Options& options) {
  const fs::path out = fs::weakly_canonical(options.out), root = fs::canonical(options.root);
  const fs::path within = out.lexically_relative(root);
  require(within.empty() || *within.begin() == "..", "the report folder '", options.out,
          "' lies within this repository; choose one outside of it.");
  require(out.string().find_first_of(" \t:%") == std::string::npos, "the report folder '",
          out.string(),
          "' has a blank, a colon or a percent sign in its path, which Bazel cannot "
          "work with; choose another.");
  options.out = out.string();
}

void check_walls(const Options& options) {
  if (options.unconfined) return;
  const std::string command = "'" + options.confine + "' --probe";
  require(std::system(command.c_str()) == 0,
          "students' programs cannot be confined on this machine, for the reason above. Grade on "
          "another one, or with --unconfined: then they run within limits of time and memory, but "
          "see the files and the network; the report says so.");
}

Class class_of(const Options& options, const course::Course& course) {
  const Wanted wanted = wanted_of(course, options.lessons);
  Submissions submissions = read_submissions(options.submissions, wanted);
  Class whole;
  whole.confined = !options.unconfined;
  whole.left_out = submissions.left_out;
  if (!options.past.empty()) {
    whole.past = fs::absolute(options.past).string();
    read_submissions(whole.past, wanted);  // speaks up now, and not when all is graded
  }
  for (const course::Lesson& lesson : course.lessons) {
    const bool chosen = std::find(options.lessons.begin(), options.lessons.end(), lesson.number) !=
                        options.lessons.end();
    const bool found =
        std::any_of(submissions.all.begin(), submissions.all.end(),
                    [&](const Submission& one) { return any_of_lesson(one.files, lesson); });
    if (chosen || (options.lessons.empty() && found)) whole.lessons.push_back(lesson);
  }
  require(!whole.lessons.empty(), "no submission in '", options.submissions,
          "' has a file of a lesson, as lessons/00_first_kernel/kernel.cu.");
  for (Submission& one : submissions.all) {
    Student student;
    student.name = one.name;
    student.id = one.id;
    student.remarks = std::move(one.remarks);
    student.files = std::move(one.files);
    whole.students.push_back(std::move(student));
  }
  return whole;
}

int prepare(Options& options) {
  check_out(options);
  check_walls(options);
  const Class whole = class_of(options, course_at(options.root));
  write_workspace(workspace_of(options), options.root, whole, options.grading);
  // Whatever happens from here on, there is a result for each.
  write_reports(options.out, options.root, whole, false);
  std::printf("%zu submissions, lesson%s", whole.students.size(),
              whole.lessons.size() > 1 ? "s" : "");
  for (const course::Lesson& lesson : whole.lessons) std::printf(" %s", lesson.number.c_str());
  std::printf(".\n");
  for (const std::string& name : whole.left_out) {
    std::printf("Left out, as it is neither a folder nor a .zip or .tar.gz: %s\n",
                terminal_text(name).c_str());
  }
  return 0;
}

// 0 where everything was graded, whatever the grades are.
int report(Options& options) {
  check_out(options);
  Class whole = read_workspace(workspace_of(options), course_at(options.root));
  const BuildEvents events =
      options.events.empty() ? BuildEvents{} : read_build_events(read_file(options.events));
  add_results(whole, events);
  write_reports(options.out, options.root, whole, true);
  std::printf("%s", terminal_table(whole).c_str());
  if (!whole.confined) std::printf("Graded without walls (--unconfined).\n");
  std::printf("The class report: %s\n", (fs::path(options.out) / "index.html").c_str());

  for (const Student& student : whole.students) {
    for (const auto& [path, result] : student.results) {
      if (result.outcome != Outcome::not_graded) continue;
      std::fflush(stdout);
      std::fprintf(
          stderr,
          "andrea grade: not everything could be graded; the same command goes on with what "
          "is left. The first: %s of %s: %s\n",
          path.c_str(), terminal_text(student.name).c_str(), terminal_text(result.words).c_str());
      return 1;
    }
  }
  return 0;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Grades a class: each submission is a folder, a .zip or .tar.gz, or a git repository "
      "(its HEAD). Flags of Bazel may stand behind a --.",
      "andrea grade");
  app.add_option("--root", options.root)->group("");
  app.add_option("--confine", options.confine)->group("");
  app.add_option("--events", options.events)->group("");
  std::string step;
  app.add_option("--step", step)->group("")->check(CLI::IsMember({"prepare", "report"}));
  app.add_option("submissions", options.submissions, "the folder that holds them")->required();
  app.add_option("--out", options.out,
                 "the folder for the reports; grading goes on where it stopped")
      ->required();
  app.add_option("--lesson", options.lessons, "as 03, or 01,03; else all that were handed in")
      ->delimiter(',');
  app.add_option("--timeout", options.grading.seconds,
                 "seconds of the CPU for each run of a student's program")
      ->capture_default_str()
      ->check(CLI::Range(1, 3600));
  app.add_option("--jobs", options.grading.jobs, "how many are judged at once; else one a core")
      ->check(CLI::Range(1, 100000));
  app.add_option("--past", options.past, "submissions of earlier years, to compare with");
  app.add_flag("--unconfined", options.unconfined,
               "where students' programs cannot be confined: run them within limits only");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return step == "report" ? report(options) : prepare(options);
}

}  // namespace
}  // namespace andrea::grader

int main(int argc, char** argv) {
  try {
    return andrea::grader::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "andrea grade: %s\n", error.what());
    return 2;
  }
}
