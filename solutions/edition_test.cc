// The student edition of this very tree: it can be made, tells no answer, and has what it should.

#include "tools/course/edition.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// A test sees its files through links.
fs::path root() { return fs::canonical("WORKSPACE").parent_path(); }

TEST(TheEditionTest, IsWrittenAndTellsNoAnswer) {
  const TestFolder folder;
  const fs::path to = folder.path() / "edition";
  const std::size_t files = export_edition(root(), to, "");
  EXPECT_GT(files, 500u);
  for (const char* const there : {"andrea", "WORKSPACE", "AGENTS.md", "lessons/course.json",
                                  "lessons/07_full_model/kernel.cu", "trainer/BUILD"}) {
    EXPECT_TRUE(fs::exists(to / there)) << there;
  }
  for (const char* const left_out : {"solutions", "exam", ".ci", ".git", "tests/mutants",
                                     "tests/own_model", "docs/instructor"}) {
    EXPECT_FALSE(fs::exists(to / left_out)) << left_out;
  }
  EXPECT_NE(read_file(to / "lessons/03_attention/kernel.cu").find("// TODO(03.1)"),
            std::string::npos);
}

TEST(TheEditionTest, NoTextNamesWhatIsNotThere) {
  for (const auto& [path, text] : edition_of(tracked_files(root()), "")) {
    if (!path.ends_with(".md")) continue;
    for (const char* const folder : {"solutions/", "docs/instructor/", "tests/mutants/"}) {
      EXPECT_EQ(text.find(folder), std::string::npos) << path << " names " << folder;
    }
  }
}

TEST(TheEditionTest, EachExamCanBeHandedOut) {
  const Files tree = tracked_files(root());
  Files all;
  for (const std::string exam : {"00", "01", "02", "03", "04", "05", "06", "07"}) {
    const Files edition = edition_of(tree, exam);
    all.insert(edition.begin(), edition.end());
    int of_exams = 0;
    for (const auto& [path, text] : edition) {
      if (!path.starts_with("exam/")) continue;
      EXPECT_TRUE(path.starts_with("exam/x" + exam)) << path;
      ++of_exams;
    }
    EXPECT_EQ(of_exams, 8) << exam;
  }
  EXPECT_EQ(faults_of_edition(all, tree), std::vector<std::string>());
}

}  // namespace
}  // namespace andrea::course
