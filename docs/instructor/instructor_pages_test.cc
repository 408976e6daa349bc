// Hours and points in the instructor's pages are those of lessons/course.json.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/harness/document.h"
#include "tests/harness/exercise/the_course.h"
#include "tests/pages/course_sums.h"

namespace andrea {
namespace {

using course::Exercise;
using course::Lesson;

// "| 00 Your first kernels | 2.6 h | 0.4 h | 0.9 h |", whatever follows.
std::string plan_row(const std::string& name, SumsOfParts sums) {
  std::string row = "\n| " + name + " |";
  for (const Part part : {Part::core, Part::worksheet, Part::further}) {
    row += " " + hours(sums[part].minutes) + " h |";
  }
  return row;
}

TEST(CoursePlanTest, HoursOfLessons) {
  const Document page("docs/instructor/plan.md");
  for (const Lesson& lesson : the_course().lessons) {
    EXPECT_TRUE(page.has(plan_row(title_of(lesson), sums_of({lesson}))));
  }
  EXPECT_TRUE(page.has(plan_row("together", sums_of(the_course().lessons))));
}

// "00.7 to 00.8, 01.1" as ids.
std::vector<std::string> ids_in(const std::string& cell) {
  const std::regex range(R"((\d\d\.w?)(\d+)(?: to \1(\d+))?)");
  std::vector<std::string> ids;
  for (std::sregex_iterator at(cell.begin(), cell.end(), range), end; at != end; ++at) {
    const int first = std::stoi((*at)[2]);
    const int last = (*at)[3].matched ? std::stoi((*at)[3]) : first;
    for (int number = first; number <= last; ++number) {
      ids.push_back((*at)[1].str() + std::to_string(number));
    }
  }
  return ids;
}

// The rows of the table below a heading, as cells.
std::vector<std::vector<std::string>> table_below(const std::string& path,
                                                  const std::string& heading) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  bool below = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) below = line == "## " + heading;
    if (!below || !line.starts_with("| ")) continue;
    std::vector<std::string> cells;
    for (std::size_t begin = 2, end; (end = line.find(" |", begin)) != std::string::npos;
         begin = end + 3) {
      cells.push_back(line.substr(begin, end - begin));
    }
    rows.push_back(cells);
  }
  if (!rows.empty()) rows.erase(rows.begin());  // the names of the columns
  return rows;
}

// Each row's hours are those of its exercises; returns all of these.
std::vector<std::string> check_schedule(const std::string& heading) {
  std::vector<std::string> all;
  for (const auto& cells : table_below("docs/instructor/plan.md", heading)) {
    int minutes = 0;
    for (std::size_t i = 2; i + 1 < cells.size(); ++i) {
      for (const std::string& id : ids_in(cells[i])) {
        minutes += the_exercise(id).minutes;
        all.push_back(id);
      }
    }
    EXPECT_EQ(cells.back(), hours(minutes)) << heading << ", row " << cells.front();
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::string> ids_of(const std::vector<Part>& parts) {
  std::vector<std::string> ids;
  for (const Lesson& lesson : the_course().lessons) {
    for (const Exercise& exercise : lesson.exercises) {
      const bool wanted = std::find(parts.begin(), parts.end(), part_of(exercise)) != parts.end();
      if (wanted) ids.push_back(exercise.id);
    }
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

TEST(CoursePlanTest, EachExerciseHasItsWeek) {
  EXPECT_EQ(check_schedule("Twelve weeks"), ids_of({Part::core, Part::worksheet}));
}

TEST(CoursePlanTest, EachExerciseHasItsDay) {
  EXPECT_EQ(check_schedule("Five days"), ids_of({Part::core}));
}

TEST(AssessmentTest, Points) {
  const Document page("docs/instructor/assessment.md");
  const auto row = [](const std::string& name, SumsOfParts sums) {
    std::vector<std::string> cells = {name};
    int together = 0;
    for (const Part part : {Part::core, Part::worksheet, Part::further}) {
      cells.push_back(std::to_string(sums[part].points));
      together += sums[part].points;
    }
    cells.push_back(std::to_string(together));
    return cells;
  };
  for (const Lesson& lesson : the_course().lessons) {
    EXPECT_TRUE(page.has_row(row(title_of(lesson), sums_of({lesson}))));
  }
  SumsOfParts all = sums_of(the_course().lessons);
  EXPECT_TRUE(page.has_row(row("together", all)));
  std::vector<std::string> cells = {"estimated minutes a point"};
  Sums together;
  const auto add_cell = [&cells](const Sums& sums) {
    char text[16];
    std::snprintf(text, sizeof text, "%.1f", 1.0 * sums.minutes / sums.points);
    cells.push_back(text);
  };
  for (const Part part : {Part::core, Part::worksheet, Part::further}) {
    add_cell(all[part]);
    together.minutes += all[part].minutes;
    together.points += all[part].points;
  }
  add_cell(together);
  EXPECT_TRUE(page.has_row(cells));
}

}  // namespace
}  // namespace andrea
