#include "tools/course/grader/reports/table.h"

#include <algorithm>
#include <map>
#include <vector>

#include "tools/course/grader/reports/safe_text.h"

namespace andrea::grader {
namespace {

constexpr std::size_t kWidestName = 32;

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width > columns_of(text) ? width - columns_of(text) : 0, ' ');
  return right ? blanks + text : text + blanks;
}

std::string shortened(std::string name) {
  if (columns_of(name) <= kWidestName) return name;
  while (columns_of(name) > kWidestName - 3) name.pop_back();
  return name + "...";
}

}  // namespace

std::string remarks_of(const Student& student, const std::vector<course::Lesson>& lessons) {
  std::map<Outcome, std::vector<std::string>> files;
  for (const course::Lesson& lesson : lessons) {
    if (!any_of_lesson(student.files, lesson)) {
      files[Outcome::missing].push_back("lesson " + lesson.number);
      continue;
    }
    for (const course::Exercise& exercise : lesson.exercises) {
      std::vector<std::string>& alike = files[mark_of(student, lesson, exercise).outcome];
      const std::string file = lesson.number + "/" + exercise.file;
      if (std::find(alike.begin(), alike.end(), file) == alike.end()) alike.push_back(file);
    }
  }
  std::string all;
  const auto add = [&](const std::string& remark) { all += (all.empty() ? "" : "; ") + remark; };
  for (const Outcome outcome :
       {Outcome::not_graded, Outcome::not_compiled, Outcome::refused, Outcome::missing}) {
    if (files[outcome].empty()) continue;
    std::string list;
    for (const std::string& file : files[outcome]) list += (list.empty() ? "" : ", ") + file;
    add(word_for(outcome) + (": " + list));
  }
  for (const std::string& remark : student.remarks) add(remark);
  return all;
}

std::string terminal_table(const Class& whole) {
  std::vector<std::vector<std::string>> rows = {{"student"}};
  for (const course::Lesson& lesson : whole.lessons) rows[0].push_back(lesson.number);
  rows[0].push_back("points");
  for (const Student& student : whole.students) {
    std::vector<std::string> row = {shortened(terminal_text(student.name))};
    for (const course::Lesson& lesson : whole.lessons) {
      row.push_back(std::to_string(points_of(student, lesson)));
    }
    row.push_back(std::to_string(points_of(student, whole.lessons)));
    rows.push_back(row);
  }
  std::vector<std::string> most = {"of"};
  for (const course::Lesson& lesson : whole.lessons) {
    most.push_back(std::to_string(points_in(lesson)));
  }
  most.push_back(std::to_string(points_in(whole.lessons)));
  rows.push_back(most);

  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string table;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    for (std::size_t column = 0; column < rows[i].size(); ++column) {
      line += padded(rows[i][column], widths[column], column > 0) + "  ";
    }
    if (i > 0 && i <= whole.students.size()) {
      line += terminal_text(remarks_of(whole.students[i - 1], whole.lessons));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + "\n";
  }
  return table;
}

std::string csv_table(const Class& whole) {
  std::string table = "student,points,of";
  for (const course::Lesson& lesson : whole.lessons) table += ",lesson " + lesson.number;
  for (const course::Lesson& lesson : whole.lessons) {
    for (const course::Exercise& exercise : lesson.exercises) table += "," + exercise.id;
  }
  table += ",mistakes,remarks\r\n";
  for (const Student& student : whole.students) {
    table += csv_field(student.name) + "," + std::to_string(points_of(student, whole.lessons)) +
             "," + std::to_string(points_in(whole.lessons));
    for (const course::Lesson& lesson : whole.lessons) {
      table += "," + std::to_string(points_of(student, lesson));
    }
    std::string mistakes;
    for (const course::Lesson& lesson : whole.lessons) {
      for (const course::Exercise& exercise : lesson.exercises) {
        const Mark mark = mark_of(student, lesson, exercise);
        // No number for what nobody could grade: 0 would say that it is wrong.
        table += mark.outcome == Outcome::passed       ? "," + std::to_string(exercise.points)
                 : mark.outcome == Outcome::not_graded ? ","
                                                       : ",0";
        if (!mark.mistake.empty()) mistakes += exercise.id + "." + mark.mistake + " ";
      }
    }
    table +=
        "," + csv_field(mistakes) + "," + csv_field(remarks_of(student, whole.lessons)) + "\r\n";
  }
  return table;
}

}  // namespace andrea::grader
