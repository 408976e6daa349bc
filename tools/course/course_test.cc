// The course in lessons/course.json, and the reading of such a file.

#include "tools/course/course.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/harness/exercise/the_course.h"

namespace andrea::course {
namespace {

constexpr char kSmall[] = R"({"lessons": [{"number": "00", "name": "first", "title": "First",
  "exercises": [
    {"id": "00.1", "title": "Map", "file": "kernel.cu", "minutes": 5, "points": 1,
     "introduces": ["kernel"]},
    {"id": "00.2", "title": "Sum", "core": false, "file": "further.cu", "minutes": 9, "points": 2,
     "needs": ["kernel"]},
    {"id": "00.w1", "title": "Count", "file": "worksheet.h", "minutes": 3, "points": 1}]}]})";

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(CourseTest, ItIsRead) {
  const Course course = read_course(kSmall);
  ASSERT_EQ(course.lessons.size(), 1u);
  EXPECT_EQ(course.lessons[0].folder(), "lessons/00_first");
  EXPECT_EQ(course.exercise("00.2").title, "Sum");
  EXPECT_FALSE(course.exercise("00.2").core);
  EXPECT_EQ(course.exercise("00.w1").points, 1);
  EXPECT_THROW(course.exercise("00.3"), std::out_of_range);
  EXPECT_THROW(course.exercise("7.1"), std::out_of_range);
  EXPECT_EQ(faults_of(course), std::vector<std::string>());
}

constexpr char kExam[] = R"({"number": "x00", "name": "second", "title": "Second", "exercises": [
  {"id": "x00.1", "title": "Map again", "file": "kernel.cu", "minutes": 5, "points": 1,
   "needs": ["kernel"]}]})";

TEST(CourseTest, AnExamComesBehindItsLesson) {
  Course course = read_course(kSmall);
  add_exam(course, kExam);
  ASSERT_EQ(course.lessons.size(), 2u);
  EXPECT_TRUE(course.lessons[1].is_exam());
  EXPECT_FALSE(course.lessons[0].is_exam());
  EXPECT_EQ(course.lesson_of("x00.1").folder(), "exam/x00_second");
  EXPECT_EQ(course.lesson_of("x00.1").solution_folder(), "exam/solutions/x00_second");
  EXPECT_EQ(course.exercise("x00.1").title, "Map again");
  EXPECT_EQ(faults_of(course), std::vector<std::string>());
  EXPECT_THROW(add_exam(course, with(kExam, "x00", "x01")), std::runtime_error);
  EXPECT_THROW(add_exam(course, "{}"), std::runtime_error);
}

TEST(CourseTest, BrokenFilesAreRefused) {
  EXPECT_THROW(read_course("{"), std::runtime_error);
  EXPECT_THROW(read_course(with(kSmall, "\"title\": \"Map\", ", "")), std::runtime_error);
  EXPECT_THROW(read_course(with(kSmall, "\"minutes\": 5", "\"minutes\": \"5\"")),
               std::runtime_error);
}

TEST(CourseTest, FaultsOfACourseAreTold) {
  EXPECT_EQ(faults_of(read_course(with(kSmall, "\"00.2\"", "\"00.3\""))),
            std::vector<std::string>{"'00.3' stands where 00.2 should"});
  EXPECT_EQ(faults_of(read_course(
                with(kSmall, "\"introduces\": [\"kernel\"]", "\"needs\": [\"kernel\"]"))),
            (std::vector<std::string>{"00.1 needs 'kernel' before it is introduced",
                                      "00.2 needs 'kernel' before it is introduced"}));
  EXPECT_EQ(faults_of(read_course(with(kSmall, "\"minutes\": 3", "\"minutes\": 0"))),
            std::vector<std::string>{"00.w1 takes no time"});
}

TEST(TheCourseTest, HasNoFaults) { EXPECT_EQ(faults_of(the_course()), std::vector<std::string>()); }

}  // namespace
}  // namespace andrea::course
