// Proves that the tests of a part of a lesson cannot be fooled: every mutant of its solution must
// fail, and be told by its own sentence.
//
//   bazel run //tests/mutants:00_first_kernel_kernel -- --only 00.4 --written

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/harness/exercise/the_course.h"
#include "tests/mutants/bench.h"
#include "tests/mutants/campaign.h"
#include "tests/mutants/equivalents.h"
#include "tests/mutants/score.h"
#include "trainer/base/file.h"

namespace andrea::mutants {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string lesson, part, tool, link_line, only, markdown;
  bool shows_all = false, written_alone = false;
};

// A folder of this process alone, which goes with it.
class WorkFolder {
 public:
  WorkFolder() {
    const char* const given = std::getenv("TEST_TMPDIR");
    std::string name = (given != nullptr ? fs::path(given) : fs::temp_directory_path()) / "XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const course::Lesson& lesson_of(const Options& options) {
  for (const course::Lesson& lesson : the_course().lessons) {
    if (lesson.number + "_" + lesson.name == options.lesson) return lesson;
  }
  throw std::runtime_error("the course has no lesson '" + options.lesson + "'");
}

std::vector<std::string> exercises_of(const Options& options) {
  std::vector<std::string> ids;
  for (const course::Exercise& exercise : lesson_of(options).exercises) {
    const bool is_chosen = options.only.empty() || exercise.id == options.only;
    if (exercise.file == options.part + ".cu" && is_chosen) ids.push_back(exercise.id);
  }
  if (ids.empty()) throw std::runtime_error("the course has no exercises in this part");
  return ids;
}

// `bazel run` starts a program elsewhere, and tells where it was called.
fs::path output_path(const std::string& name) {
  const char* const called_in = std::getenv("BUILD_WORKING_DIRECTORY");
  return called_in == nullptr ? fs::path(name) : fs::path(called_in) / name;
}

void show(const std::vector<Result>& results) {
  for (const Result& result : results) {
    if (!result.is_written()) continue;
    std::printf("---- %s %s\n%s\n", result.exercise.c_str(), result.name.c_str(),
                result.verdicts.front().told.c_str());
  }
}

int run(const Options& options) {
  const fs::path folder = fs::path("tests/mutants") / options.lesson;
  const fs::path mutants = folder / (options.part + ".mutants");
  const fs::path solution = fs::path(lesson_of(options).solution_folder()) / (options.part + ".cu");
  Campaign campaign;
  campaign.file = solution.string();
  campaign.solution = read_file(solution);
  campaign.exercises = exercises_of(options);
  campaign.written = read_mutants(read_file(mutants), mutants.string());
  const fs::path list = folder / "equivalent.txt";
  std::vector<Equivalent> equivalents;
  campaign.with_mechanical = !options.written_alone;
  if (fs::exists(list) && campaign.with_mechanical)
    equivalents = read_equivalents(read_file(list), list.string());

  const WorkFolder work;
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Result> results =
      results_of(campaign, Bench(options.tool, options.link_line, work.path()),
                 [](std::size_t done, std::size_t all) {
                   if (done % 20 == 0) std::fprintf(stderr, "%zu of %zu mutants\n", done, all);
                 });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;

  if (options.shows_all) show(results);
  const std::vector<std::string> faults = faults_of(campaign.exercises, results, equivalents);
  for (const std::string& fault : faults) std::printf("FAULT %s\n", fault.c_str());
  const std::vector<Score> scores = scores_of(campaign.exercises, results, equivalents);
  std::printf("\n%s\n%s\n%zu mutants, %.1f seconds each, %zu faults.\n", table_of(scores).c_str(),
              confusion_of(campaign.exercises, results).c_str(), results.size(),
              took.count() / static_cast<double>(std::max<std::size_t>(results.size(), 1)),
              faults.size());
  if (!options.markdown.empty()) {
    write_file(output_path(options.markdown), markdown_of(scores));
  }
  return faults.empty() ? 0 : 1;
}

}  // namespace
}  // namespace andrea::mutants

int main(int argc, char** argv) {
  andrea::mutants::Options options;
  CLI::App app("Tries the mutants of a part of a lesson.");
  app.add_option("lesson", options.lesson, "00_first_kernel")->required();
  app.add_option("part", options.part, "kernel or further")->required();
  app.add_option("tool", options.tool, "//simulator/tool:cuda")->required();
  app.add_option("link_line", options.link_line, "what a mutant is linked with")->required();
  app.add_option("--only", options.only, "the mutants of one exercise: 00.4");
  app.add_option("--markdown", options.markdown, "writes the table of scores there");
  app.add_flag("--written", options.written_alone, "tries the written mutants alone");
  app.add_flag("--show", options.shows_all, "shows what each written mutant is told");
  CLI11_PARSE(app, argc, argv);
  try {
    return andrea::mutants::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
