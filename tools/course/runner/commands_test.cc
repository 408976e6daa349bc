// The commands but for `watch`, on a small course whose tests only pretend.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/course/runner/check.h"
#include "tools/course/runner/hint.h"
#include "tools/course/runner/payoff.h"
#include "tools/course/runner/pristine.h"
#include "tools/course/runner/reset.h"
#include "tools/course/runner/runner_test.h"
#include "tools/course/runner/solution.h"
#include "tools/course/runner/status.h"
#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

TEST_F(RunnerTest, OneFailureIsToldWithItsMistakeBeforeThePicture) {
  course_.answer("00.1", "return 7;");
  const std::string verdict = told("00");
  EXPECT_TRUE(contains(verdict,
                       "00.1 One: not yet.\n\nout [1]: the one number is wrong.\n"
                       "It looks as if seven were your number.\n\n  out[0]   7 | 1\n\n"
                       "Read: README.md\nThe same inputs again: ./andrea check 00.1 --seed 17\n"))
      << verdict;
  EXPECT_FALSE(contains(verdict, "Nothing has been written")) << verdict;  // of 00.2
}

TEST_F(RunnerTest, WhatDoesNotCompileIsToldFirstAndRemembered) {
  course_.answer("00.1", "BROKEN;");
  const std::string verdict = told("00");
  EXPECT_TRUE(contains(verdict,
                       "It does not compile.\n\n  lessons/00_first/kernel.cu:4:3\n\n"
                       "    BROKEN;\n    ^\n\n‘BROKEN’ was not declared in this scope"))
      << verdict;
  EXPECT_TRUE(progress_of(workshop_).unknown.empty());
  EXPECT_EQ(next(), "00.1");
}

TEST_F(RunnerTest, AProgramThatEndsEarlyHasProvedNothing) {
  course_.answer("00.1", "return 9;");
  const std::string verdict = told("00");
  EXPECT_TRUE(contains(verdict, "ended with status 0 before it had a verdict")) << verdict;
  EXPECT_EQ(done(), 0);
}

TEST_F(RunnerTest, CheckGoesOnToTheKernelsTogether) {
  course_.answer("01.1", "return 3;");
  EXPECT_EQ(check(workshop_, "01", ""), 0);
  EXPECT_EQ(course_.builds(), 2);
  EXPECT_EQ(done(), 2);
  EXPECT_EQ(check(workshop_, "", ""), 1);  // 00.1
  EXPECT_EQ(check(workshop_, "01.1", ""), 0);
}

TEST_F(RunnerTest, ALessonThatIsDoneTellsWhatThereIsToSee) {
  const auto said = [&](int lesson) {
    return text_of(payoff_page(workshop_, workshop_.course.lessons.at(lesson)));
  };
  EXPECT_EQ(said(0), "Lesson 00 is done.\n");
  course_.write("lessons/00_first/answers.md", "");
  EXPECT_EQ(said(0),
            "Lesson 00 is done.\nQuestions for answers in words (answers.md): "
            "lessons/00_first/README.md, Check yourself.\n");
  course_.write("lessons/README.md", "Begin:\n\n      ./andrea train --steps 20 --out runs/cpu\n");
  course_.write("lessons/01_second/README.md",
                "By `--follow`:\n\n    ./andrea train --steps 3\n"
                "    ./andrea train --follow runs/cpu --use lessons:01\n");
  course_.write("lessons/01_second/lab.cc", "");
  EXPECT_EQ(said(1),
            "Lesson 01 is done. See it work:\n  ./andrea train --steps 20 --out runs/cpu\n"
            "  ./andrea train --follow runs/cpu --use lessons:01\n"
            "The lab: lessons/01_second/README.md, Check yourself.\n");
  course_.write("runs/cpu/log", "");
  EXPECT_FALSE(contains(said(1), "--out"));
}

// The pages of the course are what these commands are read from.
TEST(PayoffTest, EveryLessonOfTheCourseButTheFirstHasOne) {
  const Workshop real{".", read_course(read_file("lessons/course.json")), {}, Memory("."), {},
                      true};
  for (const Lesson& lesson : real.course.lessons) {
    const std::string page = text_of(payoff_page(real, lesson));
    if (lesson.number == "00") {
      EXPECT_FALSE(contains(page, "andrea train")) << page;
      continue;
    }
    EXPECT_TRUE(contains(page,
                         "\n  ./andrea train --preset nano --steps 20 --out runs/cpu\n"
                         "  ./andrea train --follow runs/cpu "))
        << page;
    EXPECT_TRUE(contains(page, "lessons:") || contains(page, "--kernels lessons")) << page;
  }
}

TEST_F(RunnerTest, NamesAreUnderstoodOrRefusedWithWhatThereIs) {
  const auto refused = [&](const std::string& words) {
    return refusal([&] { selection_of(workshop_.course, words); });
  };
  EXPECT_EQ(selection_of(workshop_.course, "0.2").exercise->id, "00.2");
  EXPECT_EQ(selection_of(workshop_.course, "1.together").part, Part::together);
  EXPECT_TRUE(contains(refused("03"), "there is no lesson '03'; the lessons are 00 to 01"));
  EXPECT_TRUE(contains(refused("00.3"), "lesson 00 has 00.1 to 00.2"));
  EXPECT_TRUE(contains(refused(""), "there is no lesson ''"));
  EXPECT_TRUE(contains(refusal([&] { check(workshop_, "00.together", ""); }), "has no test"));
}

TEST_F(RunnerTest, HintsComeOneByOne) {
  const Exercise& exercise = workshop_.course.exercise("00.1");
  const auto shown = [&](bool all) { return text_of(hint_page(workshop_, exercise, false, all)); };
  EXPECT_TRUE(
      contains(shown(false), "A question (1 of 3)\nWhich number comes after 0, if you count?"));
  EXPECT_TRUE(contains(shown(false), "An explanation (2 of 3)"));
  const std::string last = shown(false);
  EXPECT_TRUE(contains(last, "Nearly the answer (3 of 3)\n`return 1;`")) << last;
  EXPECT_TRUE(contains(last, "That was the last")) << last;
  EXPECT_TRUE(contains(shown(false), "(3 of 3)"));
  EXPECT_TRUE(contains(shown(true), "(1 of 3)"));
  Exercise unknown = exercise;
  unknown.id = "00.9";
  const auto ask = [&] { hint_page(workshop_, unknown, false, false); };
  EXPECT_TRUE(contains(refusal(ask), "has no hint for 00.9"));
}

TEST_F(RunnerTest, ResetKeepsWhatWasThere) {
  const std::string file = "lessons/00_first/kernel.cu", stub = course_.read(file);
  EXPECT_TRUE(contains(text_of(reset(workshop_, "00.1")), "already"));
  course_.answer("00.1", "return 1;");
  course_.answer("00.2", "return 2;");
  const std::string work = course_.read(file);
  const std::string said = text_of(reset(workshop_, "00.1"));
  EXPECT_TRUE(contains(said, file + ".before-reset-1")) << said;
  EXPECT_EQ(course_.read(file + ".before-reset-1"), work);
  EXPECT_TRUE(contains(course_.read(file), "return 2;"));
  EXPECT_FALSE(contains(course_.read(file), "return 1;"));
  reset(workshop_, "00");
  EXPECT_EQ(course_.read(file), stub);
  EXPECT_TRUE(fs::exists(course_.root() / (file + ".before-reset-2")));
  // Damaged beyond recognition: the whole file only.
  course_.write(file, "int main;\n");
  EXPECT_TRUE(contains(refusal([&] { reset(workshop_, "00.1"); }), "./andrea reset 00.kernel"));
  EXPECT_EQ(course_.read(file), "int main;\n");
  reset(workshop_, "00.kernel");
  EXPECT_EQ(course_.read(file), stub);
  // Deleted: it comes back.
  fs::remove(course_.root() / file);
  reset(workshop_, "00");
  EXPECT_EQ(course_.read(file), stub);
}

// The student edition has no solutions: a copy of the stub, or the first version in git.
TEST_F(RunnerTest, WhatWasHandedOutIsFoundWithoutSolutions) {
  const std::string file = "lessons/00_first/kernel.cu", stub = course_.read(file);
  const Lesson& lesson = workshop_.course.lessons.front();
  fs::remove_all(course_.root() / "solutions");
  course_.write("bin/git", "#!/bin/bash\nexit 128\n");
  fs::permissions(course_.root() / "bin/git", fs::perms::owner_all);
  EXPECT_EQ(pristine(course_.root(), lesson, "kernel.cu"), std::nullopt);
  EXPECT_TRUE(contains(refusal([&] { reset(workshop_, "00"); }), "not to be had"));
  EXPECT_EQ(course_.read(file), stub);
  course_.write("bin/git", R"(#!/bin/bash
case "$*" in
  *"log --diff-filter=A --format=%H -- lessons/00_first/kernel.cu") echo new; echo old ;;
  *"show old:./lessons/00_first/kernel.cu") echo first ;;
  *) exit 1 ;;
esac
)");
  EXPECT_EQ(pristine(course_.root(), lesson, "kernel.cu"), "first\n");
  course_.write(stub_copy(lesson, "kernel.cu"), stub);
  EXPECT_EQ(pristine(course_.root(), lesson, "kernel.cu"), stub);
  EXPECT_TRUE(contains(refusal([&] { solution(workshop_, "00.1", true); }),
                       "this edition of the course has no solutions"));
}

TEST_F(RunnerTest, TheSolutionIsShownToWhoHasPassedOrGivesUp) {
  const std::string refused = refusal([&] { solution(workshop_, "00.1", false); });
  EXPECT_TRUE(contains(refused, "00.1 does not pass yet")) << refused;
  const std::string given_up = text_of(solution(workshop_, "00.1", true));
  EXPECT_TRUE(contains(given_up, "  // It is odd.\n    return 1;\n")) << given_up;
  EXPECT_TRUE(contains(given_up, "write your own")) << given_up;
  EXPECT_FALSE(contains(given_up, "SOLUTION(")) << given_up;
  course_.answer("00.1", "return 2 - 1; return 1;");
  const std::string shown = text_of(solution(workshop_, "00.1", false));
  EXPECT_TRUE(contains(shown, "Yours, lessons/00_first/kernel.cu:4\n    return 2 - 1;")) << shown;
  EXPECT_TRUE(contains(shown, "The solution, solutions/00_first/kernel.cu:4\n")) << shown;
  EXPECT_FALSE(contains(shown, "return 0;")) << shown;
  const std::string all = text_of(solution(workshop_, "00", false));
  EXPECT_TRUE(contains(all, "Not shown, since not passed yet: 00.2.")) << all;
}

TEST_F(RunnerTest, StatusTellsTheSameInAllItsForms) {
  course_.answer("00.1", "return 1;");
  const Progress progress = found_out(workshop_);
  const std::string page = text_of(status_page(workshop_, progress));
  EXPECT_TRUE(contains(page, "1 of 3 exercises and questions done, about 1 h 10 min left")) << page;
  EXPECT_TRUE(contains(page, "00 First numbers            1 of 2")) << page;
  EXPECT_TRUE(contains(page, "Next: 00.2 Two, about 10 min.")) << page;
  Workshop narrow = workshop_;
  narrow.layout.columns = 60;
  const Page narrow_page = status_page(narrow, progress);
  for (const Line& line : narrow_page.lines()) {
    if (line.text.starts_with("  0")) {
      EXPECT_LE(line.text.size(), 60u) << line.text;
    }
  }
  const auto json = nlohmann::json::parse(status_json(workshop_, progress));
  EXPECT_EQ(json["core"]["done"], 1);
  EXPECT_EQ(json["core"]["minutes_left"], 70);
  EXPECT_EQ(json["next"], "00.2");
  EXPECT_EQ(json["lessons"][0]["steps"][0]["standing"], "done");
  EXPECT_TRUE(
      contains(status_markdown(workshop_, progress), "| 00 First numbers | 1 of 2 | - | - |"));
  const std::string lesson = text_of(lesson_page(progress, workshop_.course.lessons[0]));
  EXPECT_TRUE(contains(lesson, "  ok    00.1   One\n        00.2   Two, 10 min\n")) << lesson;
}

TEST(TimeTest, HoursAreRounded) {
  EXPECT_EQ(time_text(15), "15 min");
  EXPECT_EQ(time_text(60), "1 h");
  EXPECT_EQ(time_text(125), "2 h 5 min");
  EXPECT_EQ(time_text(1799), "30 h");
}

}  // namespace
}  // namespace andrea::course
