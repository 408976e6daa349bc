#include <algorithm>
#include <cstdio>

#include "tools/course/grader/reports/sections.h"

namespace andrea::grader {
namespace {

std::string tile(const std::string& name, const std::string& figure, const std::string& unit) {
  return "<div class=\"tile\"><dt>" + name + "</dt><dd><strong>" + figure + "</strong> <small>" +
         unit + "</small></dd></div>\n";
}

struct Sign {
  const char* sign;
  const char* style;
};

// The shape says it, the colour only helps.
Sign sign_of(const Mark& mark) {
  switch (mark.outcome) {
    case Outcome::passed:
      return {"✓", "right"};
    case Outcome::failed:
      if (mark.mistake == "unsolved") return {"○", "none"};
      return {mark.mistake.empty() ? "✗" : "✗<sup>n</sup>", "wrong"};
    case Outcome::not_compiled:
    case Outcome::refused:
      return {"⚠", "wrong"};
    case Outcome::missing:
      return {"–", "none"};
    case Outcome::not_graded:
      break;
  }
  return {"?", "open"};
}

std::string cell(const Student& student, const course::Lesson& lesson,
                 const course::Exercise& exercise, const PageParts& parts) {
  const Mark mark = mark_of(student, lesson, exercise);
  const Sign sign = sign_of(mark);
  std::string words = word_for(mark.outcome);
  if (mark.outcome == Outcome::failed) words = parts.catalogue.sentence(exercise.id, mark.mistake);
  const std::string title = shown(exercise.id + ": " + words);
  std::string inner = std::string("<span aria-label=\"") + title + "\">" + sign.sign + "</span>";
  if (mark.outcome != Outcome::passed && mark.outcome != Outcome::missing) {
    inner = "<a href=\"#" + anchor_of(student) + "\">" + inner + "</a>";
  }
  return "<td class=\"" + std::string(sign.style) + "\" title=\"" + title + "\">" + inner + "</td>";
}

}  // namespace

std::string summary_section(const Class& whole, const PageParts& parts) {
  const int most = points_in(whole.lessons);
  double sum = 0;
  int not_compiled = 0, not_graded = 0;
  for (const Student& student : whole.students) {
    sum += points_of(student, whole.lessons);
    bool any = false, open = false;
    for (const course::Lesson& lesson : whole.lessons) {
      for (const course::Exercise& exercise : lesson.exercises) {
        const Outcome outcome = mark_of(student, lesson, exercise).outcome;
        any = any || outcome == Outcome::not_compiled || outcome == Outcome::refused;
        open = open || outcome == Outcome::not_graded;
      }
    }
    not_compiled += any;
    not_graded += open;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, whole.students.size()));
  char mean[32];
  std::snprintf(mean, sizeof(mean), "%.1f", sum / count);
  std::string titles;
  for (const course::Lesson& lesson : whole.lessons) {
    titles += (titles.empty() ? "" : ", ") + lesson.number + " " + lesson.title;
  }
  std::string html = "<header>\n<p class=\"overline\">Class report, " + shown(parts.date) +
                     "</p>\n<h1>" + shown(titles) + "</h1>\n<dl class=\"tiles\">\n" +
                     tile("Submissions", std::to_string(whole.students.size()), "") +
                     tile("Mean", mean, "of " + std::to_string(most) + " points") +
                     tile("Not compiled", std::to_string(not_compiled), "submissions") + "</dl>\n";
  if (not_graded > 0) {
    html += "<p class=\"notice\"><strong>" + std::to_string(not_graded) +
            " submissions are not graded to the end.</strong> What is marked with ? is no 0; the "
            "same command goes on where it stopped.</p>\n";
  }
  if (!whole.confined) {
    html +=
        "<p class=\"notice\"><strong>Graded without walls (--unconfined).</strong> Students' "
        "programs ran within limits of time and memory, but could see this machine's files and "
        "network.</p>\n";
  }
  if (!whole.left_out.empty()) {
    std::string names;
    for (const std::string& name : whole.left_out) names += (names.empty() ? "" : ", ") + name;
    html += "<p class=\"notice\">Neither a folder nor a .zip or .tar.gz, and so not looked at: " +
            shown(names) + ".</p>\n";
  }
  return html + "</header>\n";
}

std::string marks_section(const Class& whole, const PageParts& parts) {
  std::string html =
      "<section>\n<h2>Who has what</h2>\n<p class=\"legend\">"
      "<span><b class=\"right\">✓</b> right</span> "
      "<span><b class=\"wrong\">✗</b> wrong, <b class=\"wrong\">✗<sup>n</sup></b> "
      "by a mistake that has a name</span> "
      "<span><b class=\"wrong\">⚠</b> does not compile, or was refused</span> "
      "<span><b class=\"none\">○</b> not begun</span> "
      "<span><b class=\"none\">–</b> not handed in</span> "
      "<span><b class=\"open\">?</b> not graded</span></p>\n";
  for (const course::Lesson& lesson : whole.lessons) {
    html += "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Marks of lesson " +
            lesson.number + "\"><table class=\"marks\">\n<caption>" +
            shown(lesson.number + " " + lesson.title) + ", of " +
            std::to_string(points_in(lesson)) +
            " points</caption>\n<thead><tr><th scope=\"col\">Student</th>"
            "<th scope=\"col\">Points</th>";
    for (const course::Exercise& exercise : lesson.exercises) {
      html += "<th scope=\"col\" title=\"" + shown(exercise.title) + ", " +
              std::to_string(exercise.points) + " points\">" + exercise.id.substr(2) + "</th>";
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const Student& student : whole.students) {
      html += "<tr><th scope=\"row\"><a href=\"#" + anchor_of(student) + "\">" +
              shown(student.name) + "</a></th><td class=\"points\">" +
              std::to_string(points_of(student, lesson)) + "</td>";
      for (const course::Exercise& exercise : lesson.exercises) {
        html += cell(student, lesson, exercise, parts);
      }
      html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
  }
  return html + "</section>\n";
}

}  // namespace andrea::grader
