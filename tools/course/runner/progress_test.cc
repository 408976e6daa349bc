// What is known of how far a student is, and what is next, on a small course whose tests only
// pretend.

#include "tools/course/runner/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/course/runner/check.h"
#include "tools/course/runner/runner_test.h"
#include "tools/course/runner/status.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

TEST_F(RunnerTest, AFreshCourseIsKnownWithoutATest) {
  const Progress progress = progress_of(workshop_);
  EXPECT_TRUE(progress.unknown.empty());
  EXPECT_EQ(next(), "00.1");
  EXPECT_EQ(course_.builds(), 0);
  const std::string page = text_of(where_page(progress));
  EXPECT_TRUE(contains(page, "Nothing is written yet")) << page;
  EXPECT_TRUE(contains(page, "./andrea watch")) << page;
}

TEST_F(RunnerTest, ResultsCountForTheFilesThatTheyAreOf) {
  course_.answer("00.1", "return 1;");
  ASSERT_EQ(progress_of(workshop_).unknown.size(), 1u);
  const std::string verdict = told("00");
  EXPECT_TRUE(contains(verdict, "00.2 Two: not yet.")) << verdict;
  EXPECT_TRUE(contains(verdict, "  done     00.1\n  not yet  00.2\n")) << verdict;
  EXPECT_EQ(next(), "00.2");
  // Another state of the file: what was known of the old one is worth no more than a guess.
  course_.answer("00.2", "return 2;");
  EXPECT_EQ(progress_of(workshop_).unknown.size(), 1u);
  EXPECT_EQ(done(), 0);
  const std::string alone = told("00", "00.2");
  EXPECT_TRUE(contains(alone, "  done     00.1 00.2\n")) << alone;
  EXPECT_EQ(done(), 1);
  const std::string list =
      text_of(lesson_page(progress_of(workshop_), workshop_.course.lessons[0]));
  EXPECT_TRUE(contains(list, "  ok?   00.1   One\n  ok    00.2   Two\n")) << list;
  found_out(workshop_);
  EXPECT_EQ(done(), 2);
  EXPECT_EQ(next(), "01.1");
  // Known again without a test.
  const int builds = course_.builds();
  found_out(workshop_);
  EXPECT_EQ(course_.builds(), builds);
}

TEST_F(RunnerTest, WhatHasPassedIsNotNextAgainWhereItsFileChanged) {
  course_.answer("00.1", "return 1;");
  course_.answer("00.2", "return 2;");
  found_out(workshop_);
  course_.answer("00.1", "return 1;  // The same.");
  const Progress progress = progress_of(workshop_);
  EXPECT_EQ(next(), "01.1");
  const std::string where = text_of(where_page(progress));
  EXPECT_TRUE(contains(where, "2? of 3 exercises and questions done, about 1 h left")) << where;
  EXPECT_TRUE(contains(where,
                       "Changed since the last test: 00 kernel.\n"
                       "? = passed, then the file changed; ./andrea status tests it again.\n"))
      << where;
  const std::string list = text_of(lesson_page(progress, workshop_.course.lessons[0]));
  EXPECT_TRUE(contains(list, "  ok?   00.1   One\n")) << list;
  EXPECT_TRUE(contains(list, "? = passed, then the file changed")) << list;
  EXPECT_EQ(nlohmann::json::parse(status_json(workshop_, progress))["core"]["done"], 0);
  // It comes up once nothing else is left.
  course_.answer("01.1", "return 3;");
  told("01");
  told("01.together");
  EXPECT_EQ(next(), "00.1");
  const Progress last = progress_of(workshop_);
  const std::string again = text_of(next_page(last, last.next()));
  EXPECT_TRUE(contains(again, "Next: 00.1 One. It has passed, then its file changed.")) << again;
  found_out(workshop_);
  EXPECT_EQ(next(), "");
}

TEST_F(RunnerTest, AFileThatIsAsItOnceWasIsKnown) {
  course_.answer("00.1", "return 1;");
  course_.answer("00.2", "return 2;");
  told("00");
  for (const char* const experiment : {"return 7;", "BROKEN;", "return 8;"}) {
    course_.answer("00.1", experiment);
    told("00");
    EXPECT_EQ(next(), "00.1");
  }
  course_.answer("00.1", "return 1;");
  EXPECT_EQ(done(), 2);
  EXPECT_TRUE(progress_of(workshop_).unknown.empty());
}

TEST_F(RunnerTest, AFileThatWasNeverTestedHasNotChangedSince) {
  course_.answer("00.1", "return 1;");
  const std::string where = text_of(where_page(progress_of(workshop_)));
  EXPECT_FALSE(contains(where, "Changed since")) << where;
  EXPECT_TRUE(contains(where, "Not tested yet: 00 kernel.\n./andrea status tests it.\n")) << where;
}

TEST_F(RunnerTest, ANameAloneIsNoAnswer) {
  const std::string file = "/00_first/kernel.cu",
                    empty = "\ninline constexpr char kName[] = \"\";\n",
                    name = "\ninline constexpr char kName[] = \"Ada Lovelace\";\n";
  course_.write("solutions" + file, empty + course_.read("solutions" + file));
  course_.write("lessons" + file, name + course_.read("lessons" + file));
  EXPECT_TRUE(progress_of(workshop_).unknown.empty());
  course_.answer("00.1", "return 1;");
  EXPECT_EQ(progress_of(workshop_).unknown.size(), 1u);
}

TEST_F(RunnerTest, TheFileThatChangedLastIsGoneOnWith) {
  const auto changed = [&](const char* lesson, int seconds_ago) {
    fs::last_write_time(course_.root() / "lessons" / lesson / "kernel.cu",
                        fs::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
  };
  course_.answer("00.1", "return 1;");
  changed("00_first", 60);
  EXPECT_EQ(next(), "00.1");
  course_.answer("01.1", "return 7;");
  changed("01_second", 30);
  EXPECT_EQ(next(), "01.1");
  // Behind a success what is left of its own lesson comes first.
  EXPECT_EQ(progress_of(workshop_).next_in(workshop_.course.lessons[0])->id, "00.1");
  changed("00_first", 29);  // by one command, such as a checkout
  EXPECT_EQ(next(), "00.1");
  changed("00_first", 60);
  course_.answer("01.1", "return 3;");
  EXPECT_EQ(check(workshop_, "", ""), 0);
  EXPECT_EQ(next(), "00.1");
}

TEST_F(RunnerTest, TheMemoryMayBeDeletedOrDamaged) {
  course_.answer("00.1", "return 1;");
  course_.answer("00.2", "return 2;");
  found_out(workshop_);
  EXPECT_EQ(done(), 2);
  fs::remove_all(course_.root() / ".andrea");
  EXPECT_EQ(done(), 0);
  found_out(workshop_);
  EXPECT_EQ(done(), 2);
  course_.write(".andrea/results/00.kernel.json", "{\"state\": 3, \"report\": [");
  EXPECT_EQ(done(), 0);
  found_out(workshop_);
  EXPECT_EQ(done(), 2);
}

// A result of a run during which a file was saved is of neither state.
TEST_F(RunnerTest, ASaveDuringTheRunIsNoResult) {
  course_.answer("00.1", "return 1;");
  const LessonPart which = part("00");
  const std::string state = state_of(workshop_.root, workshop_.course, *which.lesson, which.part);
  const RunOutcome outcome = run_to_end(workshop_, {target_of(*which.lesson, which.part)});
  ASSERT_EQ(outcome.kind, RunOutcome::tested);
  course_.answer("00.2", "return 7;");
  remember(workshop_, which, state, outcome);
  EXPECT_EQ(progress_of(workshop_).unknown.size(), 1u);
}

}  // namespace
}  // namespace andrea::course
