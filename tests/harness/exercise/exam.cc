#include "tests/harness/exercise/exam.h"

#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/the_course.h"

namespace andrea {

Exam::Exam(const char* course, const char* messages) {
  add_exam(course);
  add_messages(messages);
}

}  // namespace andrea
