#include "tests/harness/exercise/exam.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/the_course.h"

namespace andrea {
namespace {

constexpr char kCourse[] = R"({"number": "x03", "name": "window", "title": "A window",
  "exercises": [{"id": "x03.1", "title": "Its weights", "file": "kernel.cu", "minutes": 9,
                 "points": 2}]})";

TEST(ExamTest, BringsItsExercisesAndMessages) {
  EXPECT_THROW(the_exercise("x03.1"), std::out_of_range);
  const Exam exam(kCourse, R"({"x03.1": {"no_scale": "{what} is not divided."}})");
  EXPECT_EQ(the_exercise("x03.1").title, "Its weights");
  EXPECT_EQ(file_of("x03.1"), "exam/x03_window/kernel.cu");
  EXPECT_EQ(hints_of("x03.1"), "");
  EXPECT_EQ(message("x03.1.no_scale", {{"what", "it"}}), "it is not divided.");
  // What the lessons have is still there.
  EXPECT_EQ(hints_of("03.1"), "lessons/03_attention/hints.md");
  EXPECT_TRUE(has_message("03.1.no_scale"));
}

}  // namespace
}  // namespace andrea
