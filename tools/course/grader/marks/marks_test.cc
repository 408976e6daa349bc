#include "tools/course/grader/marks/marks.h"

#include <gtest/gtest.h>

#include <string>

#include "tools/course/grader/marks/build_events.h"
#include "tools/course/grader/marks/compiler_words.h"
#include "tools/course/grader/marks/judgement.h"
#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"

namespace andrea::grader {
namespace {

constexpr const char* kKernel = "lessons/00_first_kernel/kernel.cu";

course::Lesson a_lesson() {
  course::Lesson lesson;
  lesson.number = "00";
  lesson.name = "first_kernel";
  for (const auto& [id, points] : {std::pair{"00.1", 2}, std::pair{"00.2", 3}}) {
    course::Exercise exercise;
    exercise.id = id;
    exercise.file = "kernel.cu";
    exercise.points = points;
    lesson.exercises.push_back(exercise);
  }
  return lesson;
}

Student with(const FileResult& result) {
  Student student;
  student.files[kKernel] = "";
  student.results[kKernel] = result;
  return student;
}

// One test of GoogleTest's report.
std::string test(const std::string& exercise, const std::string& more = "",
                 const std::string& result = "COMPLETED") {
  return R"({"name":"x","status":"RUN","result":")" + result + R"(","exercise":")" + exercise +
         "\"" + more + "}";
}
std::string report(const std::string& tests) {
  return R"({"tests":1,"testsuites":[{"name":"Lesson00","testsuite":[)" + tests + "]}]}";
}
constexpr const char* kFailed =
    R"(,"mistake":"no_offset","failures":[{"failure":"a.cc:1\nValue of: x\n  Actual: false (It is wrong.)\nExpected: true"}])";

TEST(Marks, PointsAreTheCourses) {
  FileResult result{Outcome::passed, "", {}};
  result.marks["00.1"].outcome = Outcome::passed;
  result.marks["00.2"].outcome = Outcome::passed;
  result.marks["99.9"].outcome = Outcome::passed;  // of no exercise
  EXPECT_EQ(points_of(with(result), a_lesson()), 5);
  EXPECT_EQ(points_in(a_lesson()), 5);
}

TEST(Marks, WhatNobodySaidAnythingAboutIsZero) {
  EXPECT_EQ(points_of(Student{}, a_lesson()), 0);
  EXPECT_EQ(mark_of(Student{}, a_lesson(), a_lesson().exercises[0]).outcome, Outcome::missing);
  const Student silent = with({Outcome::passed, "", {}});
  EXPECT_EQ(points_of(silent, a_lesson()), 0);
  EXPECT_EQ(mark_of(silent, a_lesson(), a_lesson().exercises[0]).outcome, Outcome::failed);
  for (const Outcome outcome : {Outcome::not_compiled, Outcome::not_graded}) {
    FileResult result{outcome, "words", {}};
    result.marks["00.1"].outcome = Outcome::passed;
    EXPECT_EQ(points_of(with(result), a_lesson()), 0);
  }
}

TEST(Judgement, RightWrongAndMissing) {
  const auto marks = read_judgement(report(test("00.1") + "," + test("00.2", kFailed)));
  EXPECT_EQ(marks.at("00.1").outcome, Outcome::passed);
  EXPECT_EQ(marks.at("00.2").outcome, Outcome::failed);
  EXPECT_EQ(marks.at("00.2").mistake, "no_offset");
  EXPECT_EQ(marks.at("00.2").told, "It is wrong.");
  EXPECT_EQ(marks.count("00.3"), 0u);
}

TEST(Judgement, OfSeveralTestsAllMustPass) {
  for (const std::string& tests :
       {test("00.1") + "," + test("00.1", kFailed), test("00.1", kFailed) + "," + test("00.1")}) {
    EXPECT_EQ(read_judgement(report(tests)).at("00.1").outcome, Outcome::failed);
  }
}

TEST(Judgement, SkippedIsNotGraded) {
  EXPECT_EQ(read_judgement(report(test("00.1", "", "SKIPPED"))).at("00.1").outcome,
            Outcome::not_graded);
}

TEST(Judgement, BytesThatAreNoTextAreNoTrouble) {
  const std::string failed = R"(,"failures":[{"failure":"Your code printed: )";
  const auto marks = read_judgement(report(test("00.1", failed + "gr\xf6\xdf"
                                                                 "er \xff\xfe\"}]") +
                                           "," + test("00.2")));
  EXPECT_EQ(marks.at("00.1").outcome, Outcome::failed);
  EXPECT_EQ(marks.at("00.2").outcome, Outcome::passed);
}

TEST(Judgement, WhatIsNoReport) {
  for (const char* text : {"", "{}", "[1]", R"({"testsuites":[3]})"}) {
    EXPECT_THROW(read_judgement(text), Error) << text;
  }
  EXPECT_TRUE(read_judgement(report("")).empty());
}

TEST(BuildEvents, FilesAndFailures) {
  const TestFolder folder;
  folder.write("std err", "kernel.cu:1: error");
  const std::string uri = "file://" + folder.path().string() + "/std%20err";
  const BuildEvents events = read_build_events(
      R"({"id":{"namedSet":{"id":"0"}},"namedSetOfFiles":{"files":[{"name":"graded/a/k.json","uri":"file:///x/k.json"}]}})"
      "\n"
      R"({"id":{"actionCompleted":{"label":"//graded/a:k_student"}},"action":{"type":"CppCompile","stderr":{"name":"stderr","uri":")" +
      uri + "\"}}}\n" +
      R"({"id":{"actionCompleted":{"label":"//graded/b:k"}},"action":{"success":true}})" +
      "\n{\"cut o");
  EXPECT_EQ(events.files.at("graded/a/k.json"), "/x/k.json");
  ASSERT_EQ(events.failed.size(), 1u);
  EXPECT_EQ(events.failed[0].label, "//graded/a:k_student");
  EXPECT_EQ(events.failed[0].kind, "CppCompile");
  EXPECT_EQ(events.failed[0].words, "kernel.cu:1: error");
}

TEST(CompilerWords, AsTheStudentKnowsThem) {
  EXPECT_EQ(plain_compiler_words("\x1b[1mgraded/ada/lessons/00/kernel.cu:3:1:\x1b[0m error: x\n"),
            "lessons/00/kernel.cu:3:1: error: x\n");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += std::string(1000, 'x') + "\n";
  EXPECT_LT(plain_compiler_words(many).size(), 10000u);
}

}  // namespace
}  // namespace andrea::grader
