// Hours, points and concepts in docs/ are those of lessons/course.json.

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <string>
#include <vector>

#include "tests/harness/document.h"
#include "tests/harness/exercise/the_course.h"
#include "tests/pages/course_sums.h"

namespace andrea {
namespace {

using course::Exercise;
using course::Lesson;

TEST(StartPageTest, TheMap) {
  const Document page("docs/start.md");
  const auto row = [](const std::string& name, SumsOfParts sums) {
    std::vector<std::string> cells = {name};
    for (const Part part : {Part::core, Part::worksheet, Part::further}) {
      cells.push_back(std::to_string(sums[part].exercises));
      cells.push_back(hours(sums[part].minutes));
    }
    return cells;
  };
  for (const Lesson& lesson : the_course().lessons) {
    const std::string link = "[" + title_of(lesson) + "](../" + lesson.folder() + "/README.md)";
    EXPECT_TRUE(page.has_row(row(link, sums_of({lesson}))));
  }
  EXPECT_TRUE(page.has_row(row("together", sums_of(the_course().lessons))));
}

TEST(GlossaryTest, HasEachConceptWhereItIsIntroduced) {
  const Document page("docs/glossary.md");
  for (const Lesson& lesson : the_course().lessons) {
    for (const Exercise& exercise : lesson.exercises) {
      for (const std::string& concept_name : exercise.introduces) {
        EXPECT_TRUE(page.has("\n- **" + concept_name + "** ([" + exercise.id + "](../" +
                             lesson.folder() + "/"));
      }
    }
  }
}

TEST(GlossaryTest, IsInOrder) {
  std::ifstream file("docs/glossary.md");
  std::string before;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("- **")) continue;
    std::string term;
    for (const char letter : line.substr(4, line.find("**", 4) - 4)) {
      if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
        term += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      }
    }
    EXPECT_LT(before, term);
    before = term;
  }
  EXPECT_FALSE(before.empty());
}

}  // namespace
}  // namespace andrea
