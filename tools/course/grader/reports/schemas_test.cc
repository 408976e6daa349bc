// What other systems read is held to what they have published: every name, where it may stand, and
// what it may hold.
//
// - Gradescope: "Autograder Specifications" of its documentation.
// - JUnit: junit-10.xsd of Jenkins' xUnit plugin. Only what the exports use of it is in the table.
// - GitHub Classroom: the two notices of its autograding-grading-reporter.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tools/course/grader/reports/exports.h"

namespace andrea::grader {
namespace {

using nlohmann::json;

constexpr const char* kKernel = "lessons/00_first_kernel/kernel.cu";

// One exercise for each outcome there is.
std::vector<course::Lesson> lessons() {
  course::Lesson lesson;
  lesson.number = "00";
  lesson.name = "first_kernel";
  for (const char* const id : {"00.1", "00.2", "00.3"}) {
    course::Exercise exercise;
    exercise.id = id;
    exercise.title = "A <title>";
    exercise.file = "kernel.cu";
    exercise.points = 2;
    lesson.exercises.push_back(exercise);
  }
  course::Lesson later = lesson;
  later.number = "01";
  later.name = "embedding_lookup";
  return {lesson, later};
}

Student student() {
  Student one;
  one.name = "ada & \"co\"";
  one.files = {{kKernel, "text"}};
  FileResult& kernel = one.results[kKernel];
  kernel.outcome = Outcome::passed;
  kernel.marks["00.1"].outcome = Outcome::passed;
  kernel.marks["00.2"] = {Outcome::failed, "no_offset", "It is wrong: \xff <b> & ]]>"};
  kernel.marks["00.3"] = {Outcome::not_graded, "", "The judge did not come to it."};
  one.remarks = {"it has a constructor."};
  return one;
}

// A member of one of Gradescope's objects.
struct Member {
  bool is_needed;
  std::function<bool(const json&)> fits;
};
using Members = std::map<std::string, Member>;

bool is_text(const json& value) { return value.is_string(); }
bool is_number(const json& value) { return value.is_number(); }

std::function<bool(const json&)> one_of(std::set<std::string> words) {
  return [words = std::move(words)](const json& value) {
    return value.is_string() && words.count(value.get<std::string>()) > 0;
  };
}

const std::set<std::string> kFormats = {"text", "html", "simple_format", "md", "ansi"};
const std::set<std::string> kVisibilities = {"hidden", "after_due_date", "after_published",
                                             "visible"};

void expect_members(const json& object, const Members& members) {
  ASSERT_TRUE(object.is_object()) << object;
  for (const auto& [name, value] : object.items()) {
    const auto known = members.find(name);
    ASSERT_NE(known, members.end()) << "there is no '" << name << "'";
    EXPECT_TRUE(known->second.fits(value)) << name << ": " << value;
  }
  for (const auto& [name, member] : members) {
    EXPECT_TRUE(!member.is_needed || object.contains(name)) << "'" << name << "' is missing";
  }
}

TEST(Schema, Gradescope) {
  const json results = json::parse(gradescope(student(), lessons()));
  // The score is needed, since it is what counts where the tests' scores add up to another.
  expect_members(results,
                 {{"score", {true, is_number}},
                  {"execution_time", {false, is_number}},
                  {"output", {false, is_text}},
                  {"output_format", {false, one_of(kFormats)}},
                  {"test_output_format", {false, one_of(kFormats)}},
                  {"test_name_format", {false, one_of(kFormats)}},
                  {"visibility", {false, one_of(kVisibilities)}},
                  {"stdout_visibility", {false, one_of(kVisibilities)}},
                  {"extra_data", {false, [](const json& value) { return value.is_object(); }}},
                  {"tests", {true, [](const json& value) { return value.is_array(); }}},
                  {"leaderboard", {false, [](const json& value) { return value.is_array(); }}}});
  ASSERT_EQ(results["tests"].size(), 6u);
  double sum = 0;
  for (const json& test : results["tests"]) {
    expect_members(test,
                   {{"score", {true, is_number}},
                    {"max_score", {true, is_number}},
                    {"status", {false, one_of({"passed", "failed"})}},
                    {"name", {true, is_text}},
                    {"name_format", {false, one_of(kFormats)}},
                    {"number", {false, is_text}},
                    {"output", {false, is_text}},
                    {"output_format", {false, one_of(kFormats)}},
                    {"tags", {false, [](const json& value) { return value.is_array(); }}},
                    {"visibility", {false, one_of(kVisibilities)}},
                    {"extra_data", {false, [](const json& value) { return value.is_object(); }}}});
    EXPECT_GE(test["score"], 0);
    EXPECT_LE(test["score"], test["max_score"]);
    sum += test["score"].get<double>();
  }
  EXPECT_EQ(results["score"], sum);
}

// What an element of JUnit's may hold. Attributes are needed where they are so marked.
struct Element {
  std::set<std::string> parents;
  std::map<std::string, bool> attributes;
  bool holds_text;
};

const std::map<std::string, Element> kElements = {
    {"testsuites",
     {{""},
      {{"name", false}, {"tests", false}, {"failures", false}, {"errors", false}, {"time", false}},
      false}},
    {"testsuite",
     {{"testsuites"},
      {{"name", true},
       {"tests", true},
       {"failures", true},
       {"errors", true},
       {"skipped", false},
       {"time", false},
       {"timestamp", false}},
      false}},
    {"properties", {{"testsuite"}, {}, false}},
    {"property", {{"properties"}, {{"name", true}, {"value", true}}, false}},
    {"testcase", {{"testsuite"}, {{"name", true}, {"classname", false}, {"time", false}}, false}},
    {"failure", {{"testcase"}, {{"type", false}, {"message", false}}, true}},
    {"error", {{"testcase"}, {{"type", false}, {"message", false}}, true}},
    {"system-out", {{"testcase", "testsuite"}, {}, true}},
};

void expect_attributes(const std::string& name, std::string text) {
  const Element& element = kElements.at(name);
  static const std::regex kAttribute("^ ([a-z]+)=\"([^\"<]*)\"");
  std::set<std::string> given;
  for (std::smatch match; std::regex_search(text, match, kAttribute); text = match.suffix()) {
    const std::string attribute = match[1], value = match[2];
    EXPECT_EQ(element.attributes.count(attribute), 1u) << name << " has a " << attribute;
    EXPECT_TRUE(given.insert(attribute).second) << name << " has two of " << attribute;
    if (attribute == "tests" || attribute == "failures" || attribute == "errors") {
      EXPECT_TRUE(std::regex_match(value, std::regex("[0-9]+"))) << attribute << " is " << value;
    }
  }
  EXPECT_EQ(text, "") << "of " << name;
  for (const auto& [attribute, is_needed] : element.attributes) {
    EXPECT_TRUE(!is_needed || given.count(attribute) > 0) << name << " lacks " << attribute;
  }
}

TEST(Schema, Junit) {
  std::string xml = junit(student(), lessons());
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  ASSERT_EQ(xml.substr(0, head.size()), head);
  xml.erase(0, head.size());

  // Text, and a tag behind it.
  static const std::regex kPiece("^([^<]*)<(/?)([a-z-]+)((?: [a-z]+=\"[^\"<]*\")*)(/?)>");
  static const std::regex kReferences("&(amp|lt|gt|quot|#[0-9]+);");
  std::vector<std::string> open = {""};
  std::map<std::string, int> seen;
  for (std::smatch match; std::regex_search(xml, match, kPiece); xml = match.suffix()) {
    const std::string text = match[1], name = match[3];
    const bool is_blank = text.find_first_not_of(" \n") == std::string::npos;
    EXPECT_TRUE(is_blank || (open.size() > 1 && kElements.at(open.back()).holds_text)) << text;
    EXPECT_FALSE(std::regex_replace(text, kReferences, "").find_first_of("&>") != std::string::npos)
        << text;
    ASSERT_EQ(kElements.count(name), 1u) << name;
    if (match[2].length() > 0) {
      ASSERT_EQ(open.back(), name);
      open.pop_back();
      continue;
    }
    EXPECT_EQ(kElements.at(name).parents.count(open.back()), 1u) << name << " in " << open.back();
    expect_attributes(name, match[4]);
    ++seen[name];
    if (match[5].length() == 0) open.push_back(name);
  }
  EXPECT_EQ(xml, "\n");
  EXPECT_EQ(open, std::vector<std::string>{""});
  EXPECT_EQ(seen["testsuites"], 1);
  EXPECT_EQ(seen["testsuite"], 2);
  EXPECT_EQ(seen["testcase"], 6);
  EXPECT_EQ(seen["error"], 1);
  EXPECT_EQ(seen["failure"], 4);
  EXPECT_NE(junit(student(), lessons()).find("tests=\"6\" failures=\"4\" errors=\"1\""),
            std::string::npos);
}

TEST(Schema, GithubClassroom) {
  const std::string notices = classroom(student(), lessons());
  std::smatch match;
  ASSERT_TRUE(
      std::regex_match(notices, match,
                       std::regex("::notice title=Autograding complete::Points ([0-9]+)/([0-9]+)\n"
                                  "::notice title=Autograding report::(.*)\n")))
      << notices;
  const json report = json::parse(match[3].str());
  EXPECT_EQ(report, json({{"totalPoints", 2}, {"maxPoints", 12}}));
  EXPECT_EQ(match[1], "2");
  EXPECT_EQ(match[2], "12");
}

}  // namespace
}  // namespace andrea::grader
