#include "tools/course/runner/progress.h"

#include <algorithm>
#include <chrono>

#include "tools/course/runner/pristine.h"
#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// Two files that one command wrote, as a checkout does, are of the same time.
constexpr std::chrono::seconds kSameTime{2};

// The file that is written in for the part; `together` needs this lesson's own kernels.
fs::path file_to_write(const Workshop& workshop, const Lesson& lesson, Part part) {
  const std::string file = part == Part::together ? "kernel.cu" : file_of_part(part);
  return workshop.root / lesson.folder() / file;
}

// A worksheet in which only the student's name stands, as `./andrea name` writes it, is untouched.
std::string without_name(std::string text) {
  constexpr std::string_view kBegin = "\ninline constexpr char kName[] = \"";
  const std::size_t begin = text.find(kBegin);
  if (begin == std::string::npos) return text;
  const std::size_t name = begin + kBegin.size(), end = text.find_first_of("\"\n", name);
  return end == std::string::npos ? text : text.erase(name, end - name);
}

// As it was handed out.
bool is_untouched(const Workshop& workshop, const Lesson& lesson, Part part) {
  const fs::path path = file_to_write(workshop, lesson, part);
  if (!fs::exists(path)) return false;
  const auto stub = pristine(workshop.root, lesson, path.filename().string());
  return stub && without_name(*stub) == without_name(read_file(path));
}

bool none_is_open(const std::vector<Step>& steps) {
  return std::none_of(steps.begin(), steps.end(), [](const Step& step) { return step.is_open(); });
}

// Of files that somebody is at work in, the one that changed last.
class LastChanged {
 public:
  void add(const fs::path& file, const LessonPart& part) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(file, error);
    if (!error) files_.push_back({time, part});
  }
  // Of those of the same time the first.
  std::optional<LessonPart> part() const {
    if (files_.empty()) return std::nullopt;
    const auto last = std::max_element(
        files_.begin(), files_.end(), [](const File& a, const File& b) { return a.time < b.time; });
    return std::find_if(files_.begin(), files_.end(),
                        [&](const File& file) { return last->time - file.time < kSameTime; })
        ->part;
  }

 private:
  struct File {
    fs::file_time_type time;
    LessonPart part;
  };
  std::vector<File> files_;
};

// Of the whole part where no exercise is told apart.
Standing standing_of_all(const std::vector<TestResult>& results) {
  if (results.empty()) return Standing::unknown;
  const bool passed = std::all_of(results.begin(), results.end(),
                                  [](const TestResult& result) { return result.passed; });
  return passed ? Standing::done : Standing::not_yet;
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
    const Standing standing = standing_of_all(memory.results);
    steps.push_back({&lesson, part, nullptr, id, "Your kernels together", 0,
                     standing == Standing::unknown ? otherwise : standing,
                     standing_of_all(memory.earlier)});
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
  const auto first = [&](const auto& fits) -> const Step* {
    const auto found = std::find_if(steps.begin(), steps.end(),
                                    [&](const Step& step) { return step.is_core() && fits(step); });
    return found == steps.end() ? nullptr : &*found;
  };
  if (at_work) {
    const Step* const step = first([&](const Step& one) {
      return one.lesson == at_work->lesson && one.part == at_work->part && one.is_open();
    });
    if (step != nullptr) return step;
  }
  if (const Step* const open = first([](const Step& one) { return one.is_open(); })) return open;
  return first([](const Step& step) { return step.is_to_test_again(); });
}

const Step* Progress::next_in(const Lesson& lesson) const {
  const Step* last = nullptr;
  for (const Step& step : steps) {
    if (step.lesson != &lesson || !step.is_core()) continue;
    if (step.is_open()) return &step;
    last = &step;
  }
  return last == nullptr ? next() : next_after(last->id);
}

const Step* Progress::next_after(const std::string& id) const {
  const Step* const at = step(id);
  if (at == nullptr) return next();
  const auto fits = [&](const Step& step) {
    return step.is_core() == at->is_core() && step.is_open() && step.id != id;
  };
  const Step* const first = steps.data();
  const Step* const end = first + steps.size();
  const Step* const behind = std::find_if(at, end, fits);
  if (behind != end) return behind;
  const Step* const before = std::find_if(first, at, fits);
  if (before != at) return before;
  const Step* const again = at->is_core() ? next() : nullptr;
  return again == at ? nullptr : again;
}

bool Progress::has_done(const Lesson& lesson) const {
  return std::none_of(steps.begin(), steps.end(), [&](const Step& step) {
    return step.lesson == &lesson && step.is_core() && step.is_open();
  });
}

bool Progress::was_tested(const LessonPart& part) const {
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
    return step.lesson == part.lesson && step.part == part.part &&
           step.likely() != Standing::unknown;
  });
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
  LastChanged at_work;
  for (const Lesson& lesson : workshop.course.lessons) {
    bool kernels_done = false;
    for (const Part part : kParts) {
      if (!has_part(workshop.root, lesson, part)) continue;
      const std::string state = state_of(workshop.root, workshop.course, lesson, part);
      const PartMemory memory = in_state(workshop.memory.part(lesson, part), state);
      const bool current = memory.state == state;
      const bool lacks_kernels = part == Part::together && !kernels_done;
      // What does not compile, is untouched, or needs kernels that are not done, is not done.
      const bool known_not_done = (current && !memory.compiles) || lacks_kernels ||
                                  (!current && is_untouched(workshop, lesson, part));
      std::vector<Step> steps =
          steps_of(lesson, part, memory, known_not_done ? Standing::not_yet : Standing::unknown);
      if (part == Part::kernel) kernels_done = none_is_open(steps);
      if (part != Part::further && !lacks_kernels && !none_is_open(steps) &&
          !is_untouched(workshop, lesson, part)) {
        at_work.add(file_to_write(workshop, lesson, part), {&lesson, part});
      }
      const bool unknown = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
        return step.standing == Standing::unknown;
      });
      if (unknown) progress.unknown.push_back({&lesson, part});
      progress.steps.insert(progress.steps.end(), steps.begin(), steps.end());
    }
  }
  progress.at_work = at_work.part();
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
