#include <algorithm>
#include <map>
#include <vector>

#include "tools/course/grader/reports/sections.h"

namespace andrea::grader {
namespace {

struct Mistake {
  std::string exercise, title, name;
  std::vector<const Student*> who;
};

std::string bar(std::size_t part, std::size_t whole) {
  const std::size_t percent = whole == 0 ? 0 : 100 * part / whole;
  return "<span class=\"bar\"><span style=\"width:" + std::to_string(percent) +
         "%\"></span></span>";
}

std::string names_of(const std::vector<const Student*>& students) {
  std::string names;
  for (const Student* student : students) {
    names += std::string(names.empty() ? "" : ", ") + "<a href=\"#" + anchor_of(*student) + "\">" +
             shown(student->name) + "</a>";
  }
  return names;
}

}  // namespace

std::string mistakes_section(const Class& whole, const PageParts& parts) {
  std::vector<Mistake> mistakes;
  std::string solved;
  for (const course::Lesson& lesson : whole.lessons) {
    for (const course::Exercise& exercise : lesson.exercises) {
      std::map<std::string, std::vector<const Student*>> by_name;
      std::size_t right = 0, tried = 0;
      for (const Student& student : whole.students) {
        const Mark mark = mark_of(student, lesson, exercise);
        right += mark.outcome == Outcome::passed;
        tried += mark.outcome == Outcome::passed || mark.outcome == Outcome::failed;
        if (mark.outcome == Outcome::failed) by_name[mark.mistake].push_back(&student);
      }
      solved += "<tr><th scope=\"row\">" + shown(exercise.id + " " + exercise.title) + "</th><td>" +
                std::to_string(right) + " of " + std::to_string(whole.students.size()) +
                "</td><td>" + bar(right, whole.students.size()) + "</td></tr>\n";
      for (auto& [name, who] : by_name) {
        mistakes.push_back({exercise.id, exercise.title, name, std::move(who)});
      }
    }
  }
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [](const Mistake& a, const Mistake& b) { return a.who.size() > b.who.size(); });

  std::string html = "<section>\n<h2>What the class finds hard</h2>\n";
  if (mistakes.empty()) html += "<p>Nobody made a mistake.</p>\n";
  // The rest is told with each student.
  const std::size_t most = std::min<std::size_t>(mistakes.size(), 40);
  for (std::size_t i = 0; i < most; ++i) {
    const Mistake& one = mistakes[i];
    html += "<details class=\"mistake\"><summary><span class=\"count\">" +
            std::to_string(one.who.size()) + "</span><span><b>" +
            shown(one.exercise + " " + one.title) + "</b> " +
            shown(parts.catalogue.sentence(one.exercise, one.name)) +
            (one.name.empty() ? "" : " <code>" + shown(one.name) + "</code>") +
            "</span></summary>\n<p>" + names_of(one.who) + "</p></details>\n";
  }
  html += "<h3>How many have it right</h3>\n<table class=\"solved\">\n" + solved + "</table>\n";
  return html + "</section>\n";
}

}  // namespace andrea::grader
