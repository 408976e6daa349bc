#include "tools/course/runner/check.h"

#include <vector>

#include "tools/course/runner/payoff.h"
#include "tools/course/runner/progress.h"
#include "tools/course/runner/run_to_end.h"
#include "tools/course/runner/selection.h"
#include "tools/course/runner/verdict.h"
#include "trainer/base/error.h"

namespace andrea::course {
namespace {

// The parts of a lesson from `first` on that it has, without what goes further.
std::vector<LessonPart> core_parts(const Workshop& workshop, const Lesson& lesson, Part first) {
  std::vector<LessonPart> parts;
  for (const Part part : kCoreParts) {
    if (part < first || !has_part(workshop.root, lesson, part)) continue;
    parts.push_back({&lesson, part});
  }
  return parts;
}

}  // namespace

int check(const Workshop& workshop, const std::string& words, const std::string& seed) {
  const Progress before = progress_of(workshop);
  std::vector<LessonPart> parts;
  std::string exercise;
  if (words.empty()) {
    const Step* const next = before.next();
    if (next == nullptr) {
      print(workshop, next_page(before, nullptr));
      return 0;
    }
    parts = core_parts(workshop, *next->lesson, next->part);
  } else {
    const Selection selection = selection_of(workshop.course, words);
    if (selection.exercise != nullptr) exercise = selection.exercise->id;
    if (!selection.part) {
      parts = core_parts(workshop, *selection.lesson, Part::kernel);
    } else if (has_part(workshop.root, *selection.lesson, *selection.part)) {
      parts = {{selection.lesson, *selection.part}};
    } else {
      throw Error("lesson " + selection.lesson->number +
                  " has no test of that kind: " + selection.lesson->folder() + "/" +
                  name_of(*selection.part) + "_test.cc does not exist.");
    }
  }
  for (const LessonPart& part : parts) {
    const RunOutcome outcome = test_part(workshop, part, exercise, seed);
    const Progress progress = progress_of(workshop);
    const Verdict verdict = verdict_on(workshop, part, exercise, outcome, progress);
    print(workshop, verdict.page);
    if (!verdict.well) return 1;
    print(workshop, Page::blank());
  }
  const Progress progress = progress_of(workshop);
  const Lesson& lesson = *parts.front().lesson;
  // Whoever tests a part of a lesson that is done wants to see it, after one exercise it is no
  // news.
  const bool is_news = exercise.empty() || !before.has_done(lesson);
  if (is_news && parts.back().part != Part::further && progress.has_done(lesson)) {
    print(workshop, payoff_page(workshop, lesson));
    print(workshop, Page::blank());
  }
  // After an exercise the one behind it; after a part what is left of its lesson.
  const Step* const next =
      exercise.empty() ? progress.next_in(lesson) : progress.next_after(exercise);
  print(workshop, next_page(progress, next));
  return 0;
}

}  // namespace andrea::course
