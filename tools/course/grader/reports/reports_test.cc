#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/course/grader/marks/marks.h"
#include "tools/course/grader/reports/answers.h"
#include "tools/course/grader/reports/catalogue.h"
#include "tools/course/grader/reports/exports.h"
#include "tools/course/grader/reports/page.h"
#include "tools/course/grader/reports/safe_text.h"
#include "tools/course/grader/reports/table.h"

namespace andrea::grader {
namespace {

constexpr const char* kKernel = "lessons/00_first_kernel/kernel.cu";
constexpr const char* kWorksheet = "lessons/00_first_kernel/worksheet.h";

course::Exercise exercise(const std::string& id, const std::string& file, int points) {
  course::Exercise one;
  one.id = id;
  one.title = "Title of " + id;
  one.file = file;
  one.points = points;
  return one;
}

std::vector<course::Lesson> lessons() {
  course::Lesson lesson;
  lesson.number = "00";
  lesson.name = "first_kernel";
  lesson.title = "Your first kernels";
  lesson.exercises = {exercise("00.1", "kernel.cu", 2), exercise("00.2", "kernel.cu", 3),
                      exercise("00.w1", "worksheet.h", 1)};
  return {lesson};
}

Student student(const std::string& name) {
  Student one;
  one.name = name;
  one.id = "id-of-" + std::to_string(name.size());
  one.files = {{kKernel, "text"}, {kWorksheet, "text"}};
  FileResult& kernel = one.results[kKernel];
  kernel.outcome = Outcome::passed;
  kernel.marks["00.1"] = {Outcome::passed, "", ""};
  kernel.marks["00.2"] = {Outcome::failed, "no_offset", "It looks as if <b> & \x01 \"x\" ]]>"};
  one.results[kWorksheet] = {Outcome::not_compiled, "worksheet.h:1: error: <x>", {}};
  return one;
}

Class a_class(const std::vector<std::string>& names) {
  Class whole;
  whole.lessons = lessons();
  for (const std::string& name : names) whole.students.push_back(student(name));
  return whole;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Names that want to be something else where they are shown.
const std::vector<std::string> kPoisoned = {"=cmd|'/c calc'!A1",
                                            "+1",
                                            "-1",
                                            "@SUM(1)",
                                            "\t=1",
                                            "\r=1",
                                            "a\",\"5",
                                            "a\nb",
                                            "<script>alert(1)</script>",
                                            "\" onclick=\"x",
                                            "\x1b[2J\x1b]0;x\x07",
                                            "\xff\xfe",
                                            "]]></failure>",
                                            "a\xef\xbf\xbf\xef\xbf\xbe",
                                            "::set-output name=x::y",
                                            "\xe2\x80\xae"
                                            "abc"};

TEST(SafeText, Utf8) {
  EXPECT_EQ(utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(utf8("\xc3"), "\xef\xbf\xbd");
  EXPECT_EQ(utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");           // overlong
  EXPECT_EQ(utf8("\xed\xa0\x80").substr(0, 3), "\xef\xbf\xbd");      // a surrogate
  EXPECT_EQ(utf8("\xf4\x90\x80\x80").substr(0, 3), "\xef\xbf\xbd");  // beyond Unicode
}

TEST(SafeText, NothingMovesTheCursor) {
  EXPECT_EQ(terminal_text("a\x1b[2Jb\nc\x7f"), "a?[2Jb?c?");
  EXPECT_EQ(terminal_text("\xc2\x9b"
                          "1m\xe2\x80\xae"
                          "x"),
            "?1m?x");
  EXPECT_EQ(terminal_text("\xc5\x81ukasz"), "\xc5\x81ukasz");
}

TEST(Csv, NoFormulaAndNoFurtherField) {
  for (const std::string& name : kPoisoned) {
    const std::string field = csv_field(name);
    ASSERT_GE(field.size(), 2u);
    EXPECT_EQ(std::string("=+-@\t\r|").find(field[1]), std::string::npos) << field;
    EXPECT_FALSE(has(field, "\n")) << field;
    std::string inner = field.substr(1, field.size() - 2);
    for (std::size_t at; (at = inner.find("\"\"")) != std::string::npos;) inner.erase(at, 2);
    EXPECT_FALSE(has(inner, "\"")) << field;
  }
}

TEST(Csv, ALineAStudent) {
  const std::string table = csv_table(a_class({"ada", "bob"}));
  EXPECT_TRUE(has(table, "student,points,of,lesson 00,00.1,00.2,00.w1,mistakes,remarks\r\n"))
      << table;
  EXPECT_TRUE(
      has(table, "\"ada\",2,6,2,2,0,0,\"00.2.no_offset \",\"does not compile: 00/worksheet.h\""))
      << table;
}

TEST(Csv, WhatIsNotGradedIsNoZero) {
  Class whole = a_class({"ada"});
  whole.students[0].results.clear();
  EXPECT_TRUE(has(csv_table(whole), "\"ada\",0,6,0,,,,")) << csv_table(whole);
}

TEST(Table, PointsAndWhatIsToBeLookedAt) {
  Class whole = a_class({"ada"});
  whole.students.push_back({"bob", "bob", {"it is damaged: x."}, {}, {}});
  EXPECT_EQ(terminal_table(whole),
            "student  00  points\n"
            "ada       2       2  does not compile: 00/worksheet.h\n"
            "bob       0       0  not handed in: lesson 00; it is damaged: x.\n"
            "of        6       6\n");
}

TEST(Table, ALongNameIsCutBetweenItsLetters) {
  std::string name, start;
  for (int i = 0; i < 40; ++i) name += "\xc5\x82";
  for (int i = 0; i < 29; ++i) start += "\xc5\x82";
  EXPECT_TRUE(has(terminal_table(a_class({name})), "\n" + start + "...  "));
}

TEST(Junit, IsWellFormedWhateverTheNameIs) {
  for (const std::string& name : kPoisoned) {
    const std::string xml = junit(student(name), lessons());
    EXPECT_TRUE(has(xml, "tests=\"3\" failures=\"2\" errors=\"0\"")) << xml;
    EXPECT_TRUE(has(xml, "&lt;b&gt; &amp; ? &quot;x&quot; ]]&gt;")) << xml;
    int opened = 0, closed = 0;
    for (std::size_t at = 0; (at = xml.find('<', at)) != std::string::npos; ++at) ++opened;
    for (std::size_t at = 0; (at = xml.find('>', at)) != std::string::npos; ++at) ++closed;
    EXPECT_EQ(opened, closed) << xml;
    for (const char byte : xml) EXPECT_TRUE(byte == '\n' || (byte >= ' ' || byte < 0)) << xml;
    EXPECT_FALSE(has(xml, "\xef\xbf\xbe") || has(xml, "\xef\xbf\xbf")) << xml;
  }
}

TEST(Junit, PointsOfEachSuiteAndEachCase) {
  const std::string xml = junit(student("ada"), lessons());
  EXPECT_TRUE(has(xml, "<property name=\"points\" value=\"2\"/>")) << xml;
  EXPECT_TRUE(has(xml, "<property name=\"of\" value=\"6\"/>")) << xml;
  EXPECT_TRUE(has(xml, "<system-out>points: 2 of 2</system-out>")) << xml;
  EXPECT_TRUE(has(xml, "<system-out>points: 0 of 3</system-out>")) << xml;
}

TEST(Gradescope, AsItsManualSays) {
  const nlohmann::json json = nlohmann::json::parse(gradescope(student("ada"), lessons()));
  EXPECT_EQ(json["score"], 2);
  ASSERT_EQ(json["tests"].size(), 3u);
  const nlohmann::json& right = json["tests"][0];
  EXPECT_EQ(right["score"], 2);
  EXPECT_EQ(right["max_score"], 2);
  EXPECT_EQ(right["status"], "passed");
  EXPECT_EQ(json["tests"][1]["score"], 0);
  EXPECT_EQ(json["tests"][1]["status"], "failed");
  EXPECT_TRUE(has(json["tests"][1]["output"], "It looks as if"));
  EXPECT_TRUE(has(json["tests"][2]["output"], "does not compile"));
  EXPECT_EQ(json["stdout_visibility"], "hidden");
}

TEST(Gradescope, OddBytesAreNoTrouble) {
  Student odd = student("\xff");
  odd.results[kWorksheet].words = "\xff\xfe";
  EXPECT_NO_THROW(nlohmann::json::parse(gradescope(odd, lessons())));
}

TEST(Gradescope, FirstAllIsZero) {
  Student fresh = student("ada");
  fresh.results.clear();
  const nlohmann::json json = nlohmann::json::parse(gradescope(fresh, lessons()));
  EXPECT_EQ(json["score"], 0);
  for (const nlohmann::json& test : json["tests"]) EXPECT_EQ(test["score"], 0);
}

TEST(Classroom, TwoNoticesOfNumbers) {
  EXPECT_EQ(classroom(student("::error::x"), lessons()),
            "::notice title=Autograding complete::Points 2/6\n"
            "::notice title=Autograding report::{\"totalPoints\":2,\"maxPoints\":6}\n");
}

TEST(Catalogue, Sentences) {
  Catalogue catalogue;
  catalogue.add(R"({"00.1": {"no_offset": "the offset is missing {count} times."}})");
  EXPECT_EQ(catalogue.sentence("00.1", "no_offset"), "The offset is missing N times.");
  EXPECT_TRUE(has(catalogue.sentence("00.1", "report"), "simulator"));
  EXPECT_EQ(catalogue.sentence("00.1", "unheard_of"), "unheard_of");
}

constexpr const char* kQuestions =
    "# Answers\n\nA few sentences.\n\n1. Why?\n\n_Your answer:_\n\n2. How\n   so?\n\n_Your "
    "answer:_\n";

TEST(Answers, BesideTheirQuestions) {
  EXPECT_EQ(questions_in(kQuestions), (std::vector<std::string>{"1. Why?", "2. How\n   so?"}));
  EXPECT_EQ(answers_in(kQuestions, kQuestions), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(
      answers_in("# Answers\n1. Why?\n\n_Your answer:_ Because.\nReally.\n\n2. How\n   so?\n\n"
                 "_Your answer:_\n\nLike that.\n",
                 kQuestions),
      (std::vector<std::string>{"Because.\nReally.", "Like that."}));
  EXPECT_EQ(answers_in("nothing of the kind", kQuestions), (std::vector<std::string>{"", ""}));
}

TEST(Answers, TheRubricOfTheNotes) {
  EXPECT_EQ(rubric_in("# N\n## Why\nx\n## Rubric of answers.md\n**1.** 3: y\n\n## Viva\nz\n"),
            "**1.** 3: y");
  EXPECT_EQ(rubric_in("# N\n"), "");
}

TEST(Page, NothingOfAStudentsIsMarkup) {
  Class whole = a_class(kPoisoned);
  whole.left_out = kPoisoned;
  PageParts parts;
  parts.questions["00"] = {kQuestions, "<i>rubric</i>"};
  for (Student& one : whole.students) {
    one.files["lessons/00_first_kernel/answers.md"] = "_Your answer:_ <script>alert(2)</script>";
  }
  const std::string page = class_page(whole, parts);
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "\" onclick"));
  EXPECT_FALSE(has(page, "<i>rubric"));
  EXPECT_FALSE(has(page, "\x1b"));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert(2)"));
}

TEST(Page, WhoWhichExerciseWhichMistake) {
  PageParts parts;
  parts.catalogue.add(R"({"00.2": {"no_offset": "the offset is missing."}})");
  Class whole = a_class({"ada", "bobby"});
  whole.confined = false;
  whole.students[1].results.clear();
  const std::string page = class_page(whole, parts);
  for (const char* part : {"ada", "The offset is missing.", "no_offset", "worksheet.h:1: error",
                           "without walls", "not graded to the end", "Your first kernels"}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
}

TEST(Page, WhatIsAlike) {
  PageParts parts;
  LikeFiles files;
  files.path = kKernel;
  files.works = {{"ada", "one\ntwo\n", true}, {"eve", "uno\ndue\n", true}};
  Likeness pair;
  pair.second = 1;
  pair.share = 0.9;
  pair.fragments = {{2, 2, 1, 1, 60}};
  files.pairs = {pair};
  files.too_short = {"00.1"};
  parts.alike = {files};
  const std::string page = class_page(a_class({"ada", "eve"}), parts);
  for (const char* part : {"90 %", "2  two", "1  uno", "Too short", "no verdict"}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
}

}  // namespace
}  // namespace andrea::grader
