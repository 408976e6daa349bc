// The class of synthetic.h, to be graded by the real grader (campaign_test.sh, .ci/run).
//
//   synthetic make FOLDER --tree TREE [--count N | --few]    hands them in to FOLDER
//   synthetic check REPORTS --tree TREE [--count N | --few]  compares what they got with what they
//                                                            deserve

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/grading/synthetic.h"
#include "tests/mutants/mutant.h"
#include "tools/course/grader/submissions/submission.h"
#include "trainer/base/file.h"

namespace andrea::grading {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLesson = "00_first_kernel";

int check(const std::vector<SyntheticStudent>& students, const fs::path& reports) {
  int wrong = 0, cheats = 0;
  for (const SyntheticStudent& student : students) {
    const fs::path own = reports / "submissions" / grader::id_of(student.name) / "results.json";
    const nlohmann::json results = nlohmann::json::parse(read_file(own));
    std::string differs;
    for (const nlohmann::json& test : results.at("tests")) {
      const std::string exercise = test.at("number");
      const bool right = student.right.count(exercise) > 0;
      if ((test.at("score") == test.at("max_score")) != right) differs += " " + exercise;
    }
    const bool cheat = student.name.find("cheat") != std::string::npos;
    cheats += cheat;
    if (cheat) {
      std::printf("%-60s %d points\n", student.name.c_str(), results.at("score").get<int>());
    }
    if (differs.empty()) continue;
    ++wrong;
    std::printf("WRONG: %s:%s\n", student.name.c_str(), differs.c_str());
  }
  std::printf("%zu submissions, %d of them cheats: %d got what they do not deserve.\n",
              students.size(), cheats, wrong);
  return wrong == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  CLI::App app("A class that never was.");
  std::string what, folder, tree;
  int count = 200;
  bool few = false;  // one of each kind, for a quick look at the whole
  app.add_option("what", what)->required()->check(CLI::IsMember({"make", "check"}));
  app.add_option("folder", folder)->required();
  app.add_option("--tree", tree)->required();
  app.add_option("--count", count);
  app.add_flag("--few", few);
  CLI11_PARSE(app, argc, argv);

  const std::string file = std::string("solutions/") + kLesson + "/kernel.cu";
  const std::string solution = read_file(fs::path(tree) / file);
  const std::string mutants = std::string("tests/mutants/") + kLesson + "/kernel.mutants";
  std::vector<std::pair<std::string, std::string>> tried = cheats(solution, tree);
  if (few) {
    std::erase_if(tried, [](const auto& cheat) {
      return cheat.first != "does not compile" && cheat.first != "exit 0 at the start" &&
             cheat.first != "includes the solution by its path";
    });
    count = 7;
  }
  const std::vector<SyntheticStudent> students = synthetic_class(
      solution, mutants::read_mutants(read_file(fs::path(tree) / mutants), mutants), tried, count);
  if (what == "check") return check(students, folder);
  hand_in(students, std::string("lessons/") + kLesson, folder);
  return 0;
}

}  // namespace
}  // namespace andrea::grading

int main(int argc, char** argv) {
  try {
    return andrea::grading::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "synthetic: %s\n", error.what());
    return 1;
  }
}
