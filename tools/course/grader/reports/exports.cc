#include "tools/course/grader/reports/exports.h"

#include <nlohmann/json.hpp>

#include "tools/course/grader/reports/safe_text.h"
#include "tools/course/grader/reports/table.h"

namespace andrea::grader {
namespace {

std::string shown(const Mark& mark) {
  if (mark.outcome == Outcome::passed) return "";
  const std::string what = word_for(mark.outcome);
  return mark.told.empty() ? what : what + "\n\n" + mark.told;
}

struct Counts {
  int tests = 0, failures = 0, errors = 0;
};

std::string attributes(const Counts& counts) {
  return " tests=\"" + std::to_string(counts.tests) + "\" failures=\"" +
         std::to_string(counts.failures) + "\" errors=\"" + std::to_string(counts.errors) + "\"";
}

std::string property(const std::string& name, int value) {
  return "      <property name=\"" + name + "\" value=\"" + std::to_string(value) + "\"/>\n";
}

}  // namespace

std::string junit(const Student& student, const std::vector<course::Lesson>& lessons) {
  std::string suites;
  Counts all;
  for (const course::Lesson& lesson : lessons) {
    std::string cases;
    Counts counts;
    for (const course::Exercise& exercise : lesson.exercises) {
      const Mark mark = mark_of(student, lesson, exercise);
      const bool passed = mark.outcome == Outcome::passed;
      const bool is_error = mark.outcome == Outcome::not_graded;
      ++counts.tests;
      counts.failures += !passed && !is_error;
      counts.errors += is_error;
      cases += "    <testcase classname=\"lesson " + lesson.number + "\" name=\"" +
               xml_text(exercise.id + " " + exercise.title) + "\">\n";
      if (!passed) {
        const std::string tag = is_error ? "error" : "failure";
        cases += "      <" + tag + " type=\"" +
                 xml_text(mark.mistake.empty() ? word_for(mark.outcome) : mark.mistake) +
                 "\" message=\"" + xml_text(word_for(mark.outcome)) + "\">" + xml_text(mark.told) +
                 "</" + tag + ">\n";
      }
      cases += "      <system-out>points: " + std::to_string(passed ? exercise.points : 0) +
               " of " + std::to_string(exercise.points) + "</system-out>\n    </testcase>\n";
    }
    suites += "  <testsuite name=\"lesson " + lesson.number + "\"" + attributes(counts) +
              ">\n    <properties>\n" + property("points", points_of(student, lesson)) +
              property("of", points_in(lesson)) + "    </properties>\n" + cases +
              "  </testsuite>\n";
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" +
         xml_text(student.name) + "\"" + attributes(all) + ">\n" + suites + "</testsuites>\n";
}

std::string gradescope(const Student& student, const std::vector<course::Lesson>& lessons) {
  nlohmann::json json;
  json["score"] = points_of(student, lessons);
  json["output"] = utf8(remarks_of(student, lessons));
  json["output_format"] = "text";
  json["visibility"] = "visible";
  json["stdout_visibility"] = "hidden";
  json["tests"] = nlohmann::json::array();
  for (const course::Lesson& lesson : lessons) {
    for (const course::Exercise& exercise : lesson.exercises) {
      const Mark mark = mark_of(student, lesson, exercise);
      const bool passed = mark.outcome == Outcome::passed;
      json["tests"].push_back({{"name", exercise.title},
                               {"number", exercise.id},
                               {"score", passed ? exercise.points : 0},
                               {"max_score", exercise.points},
                               {"status", passed ? "passed" : "failed"},
                               {"output", utf8(shown(mark))},
                               {"output_format", "text"},
                               {"visibility", "visible"}});
    }
  }
  return json.dump(1) + "\n";
}

std::string classroom(const Student& student, const std::vector<course::Lesson>& lessons) {
  const std::string points = std::to_string(points_of(student, lessons));
  const std::string most = std::to_string(points_in(lessons));
  return "::notice title=Autograding complete::Points " + points + "/" + most + "\n" +
         "::notice title=Autograding report::{\"totalPoints\":" + points +
         ",\"maxPoints\":" + most + "}\n";
}

}  // namespace andrea::grader
