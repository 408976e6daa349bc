// Students of lesson 00, judged by the rules that grade a class: what the judge wrote.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tools/course/grader/marks/judgement.h"
#include "tools/course/grader/marks/marks.h"
#include "trainer/base/file.h"

namespace andrea::grader {
namespace {

std::set<std::string> right_in(const std::string& student) {
  std::set<std::string> right;
  for (const auto& [exercise, mark] :
       read_judgement(read_file("tests/grading/" + student + ".json"))) {
    EXPECT_NE(mark.outcome, Outcome::not_graded) << exercise;
    if (mark.outcome == Outcome::passed) right.insert(exercise);
  }
  return right;
}

TEST(Graded, AnHonestStudentHasAll) {
  EXPECT_EQ(right_in("honest"), (std::set<std::string>{"00.1", "00.2", "00.3", "00.4", "00.5",
                                                       "00.6", "00.7", "00.8"}));
}

TEST(Graded, HalfTheWorkIsHalfThePoints) {
  EXPECT_EQ(right_in("half"), (std::set<std::string>{"00.1", "00.4", "00.6"}));
}

TEST(Graded, WhatIsNotBegunSaysSo) {
  EXPECT_EQ(read_judgement(read_file("tests/grading/half.json")).at("00.2").mistake, "unsolved");
}

TEST(Graded, WhoDoesSomethingElseHasNothing) {
  for (const char* student : {"crash", "hang", "talk"}) {
    EXPECT_EQ(right_in(student), std::set<std::string>()) << student;
  }
}

}  // namespace
}  // namespace andrea::grader
