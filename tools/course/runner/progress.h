// File: progress.h
//
// How far a student is. That is derived: from the last results of tests whose files are still the
// same, and from exercises that are as they were handed out, which cannot be done. What neither
// tells is unknown until its tests are run; what has passed before the file changed counts as done
// when it comes to what is next.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_PROGRESS_H_
#define ANDREA_TOOLS_COURSE_RUNNER_PROGRESS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/course/runner/part.h"
#include "tools/course/runner/workshop.h"

namespace andrea::course {

enum class Standing { done, not_yet, unknown };

// An exercise, or a test that is of a whole part.
struct Step {
  const Lesson* lesson = nullptr;
  Part part = Part::kernel;
  const Exercise* exercise = nullptr;
  std::string id;  // "02.5", "02.w1"; "02.kernel", "02.together" where it is no exercise
  std::string title;
  int minutes = 0;
  Standing standing = Standing::unknown;
  Standing before = Standing::unknown;  // in an earlier state of the files

  // What is unknown is most likely as it was.
  Standing likely() const { return standing == Standing::unknown ? before : standing; }
  // Something is left to do, as far as one can tell.
  bool is_open() const { return likely() != Standing::done; }
  // It has passed, and then its file changed.
  bool is_to_test_again() const { return standing == Standing::unknown && !is_open(); }
  bool is_core() const { return part != Part::further; }
};

struct Progress {
  std::vector<Step> steps;          // in the order of the course
  std::vector<LessonPart> unknown;  // whose tests would have to be run
  // Of the parts in which something was written and is left to do, the one whose file changed last.
  std::optional<LessonPart> at_work{};

  // nullptr where there is none of this id.
  const Step* step(const std::string& id) const;
  // The core step to go on with: the first open one of the part at work, or else of the course, or
  // else one to test again; nullptr where all are done.
  const Step* next() const;
  // The same behind a success: of this lesson, or else of those behind it.
  const Step* next_in(const Lesson& lesson) const;
  // The first open one after the step of this id, or else before it; of further steps only if that
  // is one.
  const Step* next_after(const std::string& id) const;
  // Whether nothing of the lesson's core is open.
  bool has_done(const Lesson& lesson) const;
  // Whether any of its steps has ever been tested.
  bool was_tested(const LessonPart& part) const;
  // Of the lesson's part.
  std::vector<const Step*> of(const Lesson& lesson, Part part) const;
};

// Runs no test. Points into the workshop's course.
Progress progress_of(const Workshop& workshop);

// What is known of an exercise from the results of its tests.
Standing standing_of(const std::string& exercise, const std::vector<TestResult>& results);

// "1 h 20 min", "15 min".
std::string time_text(int minutes);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_PROGRESS_H_
