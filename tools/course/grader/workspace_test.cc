#include "tools/course/grader/workspace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKernel = "lessons/00_first_kernel/kernel.cu";
constexpr const char* kWorksheet = "lessons/00_first_kernel/worksheet.h";
constexpr const char* kAnswers = "lessons/00_first_kernel/answers.md";
constexpr const char* kPackage = "graded/ada/lessons/00_first_kernel";

course::Course a_course() {
  course::Course course;
  course.lessons.resize(2);
  course.lessons[0].number = "00";
  course.lessons[0].name = "first_kernel";
  course.lessons[1].number = "01";
  course.lessons[1].name = "other";
  return course;
}

Class a_class() {
  Class whole;
  whole.lessons = {a_course().lessons[0]};
  Student ada;
  ada.name = "ada";
  ada.id = "ada";
  ada.remarks = {"it is odd."};
  ada.files = {{kKernel, "// hers"}, {kWorksheet, "x"}, {kAnswers, "words"}};
  Student bob;
  bob.name = "bob";
  bob.id = "bob";
  whole.students = {ada, bob};
  return whole;
}

TEST(Workspace, APackageForEachLesson) {
  const TestFolder folder;
  write_workspace(folder.path(), folder.path(), a_class(), {7, 3});
  EXPECT_EQ(read_file(folder.path() / "graded/ada" / kKernel), "// hers");
  const std::string build = read_file(folder.path() / kPackage / "BUILD");
  EXPECT_NE(build.find("seconds = 7"), std::string::npos) << build;
  EXPECT_NE(build.find("confined = True"), std::string::npos) << build;
  EXPECT_EQ(read_file(folder.path() / "targets"),
            "//" + std::string(kPackage) + ":kernel\n//" + kPackage + ":worksheet\n");
  EXPECT_NE(read_file(folder.path() / "bazel.flags").find("--jobs=3"), std::string::npos);
}

TEST(Workspace, WhatIsTheSameStaysUntouchedAndWhatIsOldGoes) {
  const TestFolder folder;
  write_workspace(folder.path(), folder.path(), a_class(), {});
  const auto time = fs::last_write_time(folder.path() / "graded/ada" / kKernel);
  Class whole = a_class();
  whole.students[0].files.erase(kWorksheet);
  whole.students[1].files[kKernel] = "his";
  write_workspace(folder.path(), folder.path(), whole, {});
  EXPECT_EQ(fs::last_write_time(folder.path() / "graded/ada" / kKernel), time);
  EXPECT_FALSE(fs::exists(folder.path() / "graded/ada" / kWorksheet));
  EXPECT_TRUE(fs::exists(folder.path() / "graded/bob" / kKernel));
  whole.students.pop_back();
  write_workspace(folder.path(), folder.path(), whole, {});
  EXPECT_FALSE(fs::exists(folder.path() / "graded/bob" / kKernel));
  EXPECT_FALSE(fs::exists(folder.path() / "graded/bob/lessons/00_first_kernel/BUILD"));
}

TEST(Workspace, ReadAgain) {
  const TestFolder folder;
  Class whole = a_class();
  whole.confined = false;
  whole.past = "/past";
  whole.left_out = {"a.txt"};
  write_workspace(folder.path(), folder.path(), whole, {});
  const Class again = read_workspace(folder.path(), a_course());
  ASSERT_EQ(again.lessons.size(), 1u);
  EXPECT_EQ(again.lessons[0].number, "00");
  ASSERT_EQ(again.students.size(), 2u);
  EXPECT_EQ(again.students[0].files, whole.students[0].files);
  EXPECT_EQ(again.students[0].remarks, whole.students[0].remarks);
  EXPECT_FALSE(again.confined);
  EXPECT_EQ(again.past, "/past");
  EXPECT_EQ(again.left_out, whole.left_out);
}

TEST(Workspace, NoneThere) {
  const TestFolder folder;
  EXPECT_THROW(read_workspace(folder.path(), a_course()), Error);
  folder.write("class.json", "{");
  EXPECT_THROW(read_workspace(folder.path(), a_course()), Error);
}

// A judge's own words, the compiler's, and the grader's trouble are three things.
TEST(Workspace, WhoseFaultItIs) {
  const TestFolder folder;
  Class whole = a_class();
  const std::string label = std::string("//") + kPackage;
  BuildEvents events;
  events.failed = {{label + ":kernel_student_kernels_check_object", "CppCompile", "error: x"},
                   {label + ":worksheet", "Judge", "Nothing was judged: no walls."},
                   {"//simulator:x", "CppCompile", "error: not the student's"}};
  add_results(whole, events);
  const auto& results = whole.students[0].results;
  EXPECT_EQ(results.at(kKernel).outcome, Outcome::not_compiled);
  EXPECT_EQ(results.at(kKernel).words, "error: x\n");
  EXPECT_EQ(results.at(kWorksheet).outcome, Outcome::not_graded);
  EXPECT_EQ(results.at(kWorksheet).words, "Nothing was judged: no walls.");
  EXPECT_EQ(results.count(kAnswers), 0u);

  events.failed[0].kind = "LookAtStudent";
  whole = a_class();
  add_results(whole, events);
  EXPECT_EQ(whole.students[0].results.at(kKernel).outcome, Outcome::refused);
}

TEST(Workspace, TheJudgesWords) {
  const TestFolder folder;
  Class whole = a_class();
  BuildEvents events;
  events.files[std::string(kPackage) + "/kernel.json"] = folder.write(
      "kernel.json",
      R"({"testsuites":[{"testsuite":[{"status":"RUN","result":"COMPLETED","exercise":"00.1"}]}]})");
  events.files[std::string(kPackage) + "/kernel_student_object.remarks.txt"] =
      folder.write("remarks", "it has a constructor.\n");
  add_results(whole, events);
  EXPECT_EQ(whole.students[0].remarks.back(), "it has a constructor.");
  EXPECT_EQ(whole.students[0].results.at(kKernel).marks.at("00.1").outcome, Outcome::passed);
  EXPECT_EQ(whole.students[0].results.at(kWorksheet).outcome, Outcome::not_graded);
}

}  // namespace
}  // namespace andrea::grader
