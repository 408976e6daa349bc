#include <utility>
#include <vector>

#include "tools/course/grader/reports/answers.h"
#include "tools/course/grader/reports/sections.h"
#include "tools/course/grader/reports/table.h"
#include "trainer/report/html.h"

namespace andrea::grader {
namespace {

// A test's picture may be long; the start has the reason.
constexpr std::size_t kMostTold = 6000;

std::string block(const std::string& text) {
  const std::string_view start = utf8_start(text, kMostTold);
  return "<pre>" + shown(std::string(start)) + (start.size() < text.size() ? "\n..." : "") +
         "</pre>\n";
}

std::string student_part(const Student& student, const Class& whole) {
  std::string inner;
  const std::string remarks = remarks_of(student, whole.lessons);
  if (!remarks.empty()) inner += "<p>" + shown(remarks) + "</p>\n";
  for (const course::Lesson& lesson : whole.lessons) {
    for (const auto& [path, result] : student.results) {
      if (path.rfind(lesson.folder() + "/", 0) != 0 || result.outcome == Outcome::passed) continue;
      inner +=
          "<h4>" + shown(path) + ": " + word_for(result.outcome) + "</h4>\n" + block(result.words);
    }
    for (const course::Exercise& exercise : lesson.exercises) {
      const Mark mark = mark_of(student, lesson, exercise);
      if (mark.outcome != Outcome::failed) continue;
      inner += "<h4>" + shown(exercise.id + " " + exercise.title) +
               (mark.mistake.empty() ? "" : " <code>" + shown(mark.mistake) + "</code>") +
               "</h4>\n" + block(mark.told);
    }
  }
  if (inner.empty()) inner = "<p>Everything is right.</p>\n";
  return "<details class=\"student\" id=\"" + anchor_of(student) + "\"><summary><span>" +
         shown(student.name) + "</span><span class=\"points\">" +
         std::to_string(points_of(student, whole.lessons)) + " of " +
         std::to_string(points_in(whole.lessons)) + "</span></summary>\n" + inner + "</details>\n";
}

}  // namespace

std::string students_section(const Class& whole, const PageParts&) {
  std::string html = "<section>\n<h2>Each submission</h2>\n";
  for (const Student& student : whole.students) html += student_part(student, whole);
  return html + "</section>\n";
}

std::string answers_section(const Class& whole, const PageParts& parts) {
  std::string html;
  for (const course::Lesson& lesson : whole.lessons) {
    const auto written = parts.questions.find(lesson.number);
    if (written == parts.questions.end()) continue;
    const std::vector<std::string> questions = questions_in(written->second.stub);
    std::vector<std::pair<const Student*, std::vector<std::string>>> handed_in;
    for (const Student& student : whole.students) {
      const auto file = student.files.find(lesson.folder() + "/answers.md");
      if (file == student.files.end()) continue;
      handed_in.emplace_back(&student, answers_in(file->second, written->second.stub));
    }
    std::string of_lesson;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      std::string all;
      int count = 0;
      for (const auto& [student, answers] : handed_in) {
        if (answers[i].empty()) continue;
        ++count;
        all += "<dt>" + shown(student->name) + "</dt><dd>" + shown(answers[i]) + "</dd>\n";
      }
      of_lesson += "<details class=\"question\"><summary><span class=\"count\">" +
                   std::to_string(count) + "</span><span>" + shown(questions[i]) +
                   "</span></summary>\n<dl class=\"answers\">" + all + "</dl></details>\n";
    }
    if (of_lesson.empty()) continue;
    html += "<h3>" + shown(lesson.number + " " + lesson.title) + "</h3>\n";
    if (!written->second.rubric.empty()) {
      html += "<details class=\"rubric\"><summary>The rubric, 0 to 3 for each</summary><pre>" +
              shown(written->second.rubric) + "</pre></details>\n";
    }
    html += of_lesson;
  }
  if (html.empty()) return "";
  return "<section>\n<h2>Answers in words</h2>\n<p class=\"note\">No machine grades these, and "
         "they "
         "are in no total.</p>\n" +
         html + "</section>\n";
}

}  // namespace andrea::grader
