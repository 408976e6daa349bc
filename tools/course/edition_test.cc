// The student edition of small trees that are made up here. The real one is made by
// //solutions:edition_test.

#include "tools/course/edition.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

constexpr char kSolution[] = R"(// A file.
void kernel() {
  // SOLUTION(01.1): the sum of the products of all columns.
  float sum_of_products = 0;
  for (int column = 0; column < C; ++column) {
    sum_of_products += a_row[column] * b_row[column];
  }
  out[n] = sum_of_products;
  // END(01.1)
}
)";

constexpr char kStub[] = R"(// A file.
void kernel() {
  // TODO(01.1): the sum of the products of all columns, about 5 lines.
}
)";

Files small_tree() {
  return {{".bazelrc", "build\n"},
          {".ci/run", "#!/bin/bash\n"},
          {"README.md",
           "# A course\n\nText.\n\n| folder | what |\n|---|---|\n| `lessons/` | text |\n"
           "| `solutions/` | answers |\n\nFor instructors: `solutions/` has\nnotes.\n\nEnd.\n"},
          {"docs/instructor/AGENTS.md", "# Help, do not write\n"},
          {"docs/instructor/plan.md", "# Exams\n"},
          {"exam/solutions/x01_b/kernel.cu", kSolution},
          {"exam/x01_b/exam.json", "{}\n"},
          {"exam/x01_b/kernel.cu", kStub},
          {"lessons/01_a/BUILD", "load(\"//tools:rule.bzl\", \"lesson\")\n\nlesson()\n"},
          {"lessons/01_a/kernel.cu", "void kernel() { solved(); }\n"},
          {"lessons/01_a/NOTES.md", "# Notes\n"},
          {"solutions/01_a/kernel.cu", kSolution},
          {"tests/mutants/BUILD", ""},
          {"tools/BUILD", ""}};
}

std::string refusal(const Files& tree, const std::string& exam = "") {
  try {
    edition_of(tree, exam);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(EditionTest, LeavesOutWhatTellsAnswersAndCutsTheExercises) {
  const Files tree = small_tree(), edition = edition_of(tree, "");
  std::string paths;
  for (const auto& [path, text] : edition) paths += path + " ";
  EXPECT_EQ(paths,
            ".bazelrc AGENTS.md README.md lessons/01_a/BUILD lessons/01_a/kernel.cu tools/BUILD "
            "tools/course/stubs/01_a/kernel.cu ");
  EXPECT_EQ(edition.at("lessons/01_a/kernel.cu"), kStub);
  EXPECT_EQ(edition.at("AGENTS.md"), "# Help, do not write\n");
  EXPECT_EQ(faults_of_edition(edition, tree), std::vector<std::string>());
}

TEST(EditionTest, TextsDoNotNameWhatIsNotThere) {
  EXPECT_EQ(edition_of(small_tree(), "").at("README.md"),
            "# A course\n\nText.\n\n| folder | what |\n|---|---|\n| `lessons/` | text |\n\nEnd.\n");
  Files tree = small_tree();
  tree["list.md"] = "- a\n- `exam/x01_b`, which\n  is secret\n- b, an example/of it\n";
  EXPECT_EQ(edition_of(tree, "").at("list.md"), "- a\n- b, an example/of it\n");
  tree["page.md"] =
      "# Page\n\n## For some\n\nSee [it](docs/grading.md).\n\n## For all\n\nText.\n\n"
      "## Last\n\n`solutions/` has\nnotes.\n";
  EXPECT_EQ(edition_of(tree, "").at("page.md"), "# Page\n\n## For all\n\nText.\n");
}

TEST(EditionTest, AnExamMayBeInIt) {
  const Files tree = small_tree(), edition = edition_of(tree, "01");
  EXPECT_EQ(edition.at("exam/x01_b/kernel.cu"), kStub);
  EXPECT_EQ(edition.count("exam/x01_b/exam.json"), 1u);
  EXPECT_EQ(edition.count("exam/solutions/x01_b/kernel.cu"), 0u);
  EXPECT_EQ(faults_of_edition(edition, tree), std::vector<std::string>());
  EXPECT_EQ(refusal(tree, "7"), "there is no exam '7'; there are 01.");
}

TEST(EditionTest, AnAnswerIsFoundWhereverItStands) {
  const Files tree = small_tree();
  Files edition = edition_of(tree, "");
  const std::string answer =
      "float sum_of_products = 0;\nfor (int column = 0; column < C; ++column)\n"
      "  // In the order of columns.\n"
      "  sum_of_products +=\n      a_row[column] * b_row[column];\nout[n] = sum_of_products;\n";
  edition["lessons/01_a/hints.md"] = answer;  // which may be nearly the answer
  EXPECT_EQ(faults_of_edition(edition, tree), std::vector<std::string>());
  edition["docs/text.md"] = "As in:\n\n" + answer;
  EXPECT_EQ(faults_of_edition(edition, tree),
            (std::vector<std::string>{
                "docs/text.md has lines of the answer of 01.1 (exam/solutions/x01_b/kernel.cu).",
                "docs/text.md has lines of the answer of 01.1 (solutions/01_a/kernel.cu)."}));
}

TEST(EditionTest, ASolutionAndAMissingPackageAreFound) {
  const Files tree = small_tree();
  Files edition = edition_of(tree, "");
  edition["lessons/01_a/further.cu"] = "// SOLUTION(01.2): do it.\n// END(01.2)\n";
  edition["lessons/01_a/BUILD"] =
      "t(deps = [\"//solutions/01_a:kernels\", \"//tools:x\"], visibility = "
      "[\"//tests:__pkg__\"])\n";
  EXPECT_EQ(faults_of_edition(edition, tree),
            (std::vector<std::string>{
                "lessons/01_a/further.cu is a solution.",
                "lessons/01_a/BUILD names the package //solutions/01_a, which is not there."}));
}

TEST(EditionTest, ADeadLinkIsFound) {
  const Files tree = small_tree();
  Files edition = edition_of(tree, "");
  edition["docs/a.md"] =
      "[up](../README.md#text), [folder](../lessons/01_a/), [same](a.md), [far](https://a.b/c),\n"
      "`x[i](y)`, [here](#part), [gone](../lessons/02_b/README.md)\n";
  EXPECT_EQ(
      faults_of_edition(edition, tree),
      (std::vector<std::string>{"docs/a.md links to lessons/02_b/README.md, which is not there."}));
}

TEST(EditionTest, AStudentEditionHasNone) {
  Files tree = small_tree();
  tree.erase("solutions/01_a/kernel.cu");
  EXPECT_EQ(refusal(tree),
            "there is no solutions/ here, from which the exercises are cut: this is a student "
            "edition already.");
}

// A checkout of small_tree in a folder of its own.
class CheckoutTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [path, text] : small_tree()) {
      fs::create_directories((root_ / path).parent_path());
      write_file(root_ / path, text);
    }
    write_file(root_ / "untracked.md", "nothing that git knows\n");
    const std::string git = "cd '" + root_.string() + "' && git init --quiet && git add ";
    ASSERT_EQ(std::system(
                  (git + ".bazelrc .ci README.md docs exam lessons solutions tests tools").c_str()),
              0);
  }

  std::string refused(const fs::path& to) {
    try {
      export_edition(root_, to, "");
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  TestFolder folder_;
  const fs::path root_ = folder_.path() / "tree", to_ = folder_.path() / "edition";
};

TEST_F(CheckoutTest, IsWrittenToANewFolder) {
  fs::permissions(root_ / ".bazelrc", fs::perms::owner_all);
  EXPECT_EQ(export_edition(root_, to_, ""), 7u);
  EXPECT_EQ(read_file(to_ / "lessons/01_a/kernel.cu"), kStub);
  EXPECT_FALSE(fs::exists(to_ / "solutions"));
  EXPECT_FALSE(fs::exists(to_ / "untracked.md"));
  EXPECT_FALSE(fs::exists(to_ / ".git"));
  EXPECT_EQ(fs::status(to_ / ".bazelrc").permissions(), fs::perms::owner_all);
}

TEST_F(CheckoutTest, AFolderThatIsNotEmptyIsLeftAlone) {
  fs::create_directories(to_);
  write_file(to_ / "mine.txt", "mine");
  EXPECT_EQ(refused(to_),
            "the folder '" + to_.string() + "' is not empty; give an empty or a new one.");
  EXPECT_EQ(refused(to_ / "mine.txt"),
            "'" + (to_ / "mine.txt").string() + "' is no folder; give the name of a new one.");
  EXPECT_EQ(read_file(to_ / "mine.txt"), "mine");
  EXPECT_EQ(refused(root_ / "edition"),
            "'" + (root_ / "edition").string() +
                "' lies in the repository, whose build would find it; give a folder elsewhere.");
  EXPECT_FALSE(fs::exists(to_ / "README.md"));
}

TEST_F(CheckoutTest, NothingIsWrittenWhereAFaultIsFound) {
  write_file(root_ / "tools/BUILD", "t(deps = [\"//solutions/01_a:kernels\"])\n");
  EXPECT_NE(refused(to_).find("tools/BUILD names the package //solutions/01_a"), std::string::npos);
  EXPECT_FALSE(fs::exists(to_));
}

}  // namespace
}  // namespace andrea::course
