#include "tools/course/runner/progress.h"

#include <algorithm>

#include "tools/course/runner/pristine.h"
#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// As it was handed out; `together` needs this lesson's own kernels.
bool is_untouched(const Workshop& workshop, const Lesson& lesson, Part part) {
  const std::string file = part == Part::together ? "kernel.cu" : file_of_part(part);
  const fs::path path = workshop.root / lesson.folder() / file;
  if (!fs::exists(path)) return false;
  const auto stub = pristine(workshop.root, lesson, file);
  return stub && *stub == read_file(path);
}

bool all_done(const std::vector<Step>& steps) {
  return std::all_of(steps.begin(), steps.end(),
                     [](const Step& step) { return step.standing == Standing::done; });
}

// The steps of a part, with what `standing` says of them, and a step for each test that is of no
// single exercise.
std::vector<Step> steps_of(const Lesson& lesson, Part part, const PartMemory& memory,
                           Standing otherwise) {
  std::vector<Step> steps;
  for (const Exercise* const exercise : exercises_of(lesson, part)) {
    Standing standing = standing_of(exercise->id, memory.results);
    if (standing == Standing::unknown) standing = otherwise;
    steps.push_back({&lesson, part, exercise, exercise->id, exercise->title, exercise->minutes,
                     standing, standing_of(exercise->id, memory.earlier)});
  }
  const std::string id = LessonPart{&lesson, part}.id();
  if (part == Part::together) {
    const bool known = !memory.results.empty();
    const bool passed = std::all_of(memory.results.begin(), memory.results.end(),
                                    [](const TestResult& result) { return result.passed; });
    steps.push_back({&lesson, part, nullptr, id, "Your kernels together", 0,
                     !known   ? otherwise
                     : passed ? Standing::done
                              : Standing::not_yet});
    return steps;
  }
  for (const TestResult& result : memory.results) {
    if (!result.exercise.empty()) continue;
    steps.push_back({&lesson, part, nullptr, id, result.title.empty() ? result.test : result.title,
                     0, result.passed ? Standing::done : Standing::not_yet});
  }
  return steps;
}

}  // namespace

Standing standing_of(const std::string& exercise, const std::vector<TestResult>& results) {
  bool known = false;
  for (const TestResult& result : results) {
    if (result.exercise != exercise) continue;
    if (!result.passed) return Standing::not_yet;
    known = true;
  }
  return known ? Standing::done : Standing::unknown;
}

const Step* Progress::step(const std::string& id) const {
  const auto found =
      std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.id == id; });
  return found == steps.end() ? nullptr : &*found;
}

const Step* Progress::next() const {
  const auto found = std::find_if(steps.begin(), steps.end(), [](const Step& step) {
    return step.is_core() && step.standing != Standing::done;
  });
  return found == steps.end() ? nullptr : &*found;
}

const Step* Progress::next_after(const std::string& id) const {
  const Step* const at = step(id);
  if (at == nullptr) return next();
  const auto fits = [&](const Step& step) {
    return step.is_core() == at->is_core() && step.standing != Standing::done && step.id != id;
  };
  const Step* const first = steps.data();
  const Step* const end = first + steps.size();
  const Step* const behind = std::find_if(at, end, fits);
  if (behind != end) return behind;
  const Step* const before = std::find_if(first, at, fits);
  return before == at ? nullptr : before;
}

std::vector<const Step*> Progress::of(const Lesson& lesson, Part part) const {
  std::vector<const Step*> found;
  for (const Step& step : steps) {
    if (step.lesson == &lesson && step.part == part) found.push_back(&step);
  }
  return found;
}

Progress progress_of(const Workshop& workshop) {
  Progress progress;
  for (const Lesson& lesson : workshop.course.lessons) {
    bool kernels_done = false;
    for (const Part part : kParts) {
      if (!has_part(workshop.root, lesson, part)) continue;
      PartMemory memory = workshop.memory.part(lesson, part);
      const bool current = memory.state == state_of(workshop.root, workshop.course, lesson, part);
      if (!current) {
        memory.earlier = merged(memory.earlier, memory.results);
        memory.results.clear();
      }
      // What does not compile, is untouched, or needs kernels that are not done, is not done.
      const bool known_not_done = (current && !memory.compiles) ||
                                  (part == Part::together && !kernels_done) ||
                                  (!current && is_untouched(workshop, lesson, part));
      std::vector<Step> steps =
          steps_of(lesson, part, memory, known_not_done ? Standing::not_yet : Standing::unknown);
      if (part == Part::kernel) kernels_done = all_done(steps);
      const bool unknown = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
        return step.standing == Standing::unknown;
      });
      if (unknown) progress.unknown.push_back({&lesson, part});
      progress.steps.insert(progress.steps.end(), steps.begin(), steps.end());
    }
  }
  return progress;
}

std::string time_text(int minutes) {
  // An estimate of hours has no minutes to it.
  if (minutes >= 600) return std::to_string((minutes + 30) / 60) + " h";
  if (minutes < 60) return std::to_string(minutes) + " min";
  const int rest = minutes % 60;
  return std::to_string(minutes / 60) + " h" +
         (rest == 0 ? "" : " " + std::to_string(rest) + " min");
}

}  // namespace andrea::course
