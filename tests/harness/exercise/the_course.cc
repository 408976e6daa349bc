#include "tests/harness/exercise/the_course.h"

namespace andrea {
namespace {

constexpr const char* kCourse =
#include "tests/harness/exercise/course.inc"
    ;

course::Course& course_of_the_test() {
  static course::Course course = course::read_course(kCourse);
  return course;
}

std::string folder_of(const std::string& id) { return the_course().lesson_of(id).folder() + "/"; }

}  // namespace

const course::Course& the_course() { return course_of_the_test(); }

void add_exam(const std::string& exam) { course::add_exam(course_of_the_test(), exam); }

const course::Exercise& the_exercise(const std::string& id) { return the_course().exercise(id); }

std::string file_of(const std::string& id) { return folder_of(id) + the_exercise(id).file; }
std::string readme_of(const std::string& id) { return folder_of(id) + "README.md"; }

std::string hints_of(const std::string& id) {
  return the_course().lesson_of(id).is_exam() ? "" : folder_of(id) + "hints.md";
}

}  // namespace andrea
