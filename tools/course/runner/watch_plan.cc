#include "tools/course/runner/watch_plan.h"

#include <algorithm>

#include "tools/course/runner/payoff.h"
#include "tools/course/runner/pristine.h"
#include "tools/course/runner/region.h"
#include "tools/course/runner/selection.h"
#include "trainer/base/error.h"

namespace andrea::course {
namespace {

Standing standing_in(const Progress& progress, const std::string& id) {
  const Step* const step = progress.step(id);
  return step == nullptr ? Standing::unknown : step->standing;
}

// The first open step of the part, or its first.
const Step* first_open(const Progress& progress, const LessonPart& part) {
  const auto steps = progress.of(*part.lesson, part.part);
  const auto open =
      std::find_if(steps.begin(), steps.end(), [](const Step* step) { return step->is_open(); });
  if (open != steps.end()) return *open;
  return steps.empty() ? nullptr : steps.front();
}

// "lessons/02_dot_product_similarity/kernel.cu" of which lesson and part is it?
std::optional<LessonPart> part_of_file(const Course& course, const std::string& file) {
  for (const Lesson& lesson : course.lessons) {
    for (const Part part : kParts) {
      if (part != Part::together && file == lesson.folder() + "/" + file_of_part(part)) {
        return LessonPart{&lesson, part};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

WatchPlan::WatchPlan(const Workshop& workshop, const std::string& words)
    : workshop_(workshop), progress_(progress_of(workshop)) {
  const Step* step = progress_.next();
  if (!words.empty()) {
    const Selection selection = selection_of(workshop.course, words);
    const LessonPart part{selection.lesson, selection.part.value_or(Part::kernel)};
    step = selection.exercise != nullptr ? progress_.step(selection.exercise->id)
                                         : first_open(progress_, part);
    if (step == nullptr) throw Error("'" + words + "' has nothing to watch.");
  }
  for (const Lesson& lesson : workshop.course.lessons) {
    if (!progress_.has_done(lesson)) open_lessons_.insert(&lesson);
  }
  // Where all is done there is still the last lesson to look at.
  if (step == nullptr) step = &progress_.steps.back();
  go_to(*step);
  again();
}

void WatchPlan::go_to(const Step& step) {
  part_ = {step.lesson, step.part};
  at_ = step.id;
}

const Exercise* WatchPlan::exercise() const {
  const Step* const step = progress_.step(at_);
  return step == nullptr ? nullptr : step->exercise;
}

std::string WatchPlan::title() const {
  int done = 0, of = 0;
  for (const Step* const step : progress_.of(*part_.lesson, part_.part)) {
    if (step->exercise == nullptr) continue;
    done += step->likely() == Standing::done;
    ++of;
  }
  // What changes comes first, since a narrow terminal cuts off the rest.
  return "Lesson " + part_.lesson->number + " " + name_of(part_.part) +
         (of == 0 ? "" : ", " + std::to_string(done) + " of " + std::to_string(of)) + ": " +
         part_.lesson->title;
}

void WatchPlan::ask_for(const LessonPart& part, const std::string& exercise) {
  job_ = WatchJob{part, exercise, /*state=*/""};
}

std::optional<WatchJob> WatchPlan::take_job() {
  std::optional<WatchJob> job;
  job.swap(job_);
  // Only now, since a file may have been saved since it was asked for.
  if (job) {
    job->state = state_of(workshop_.root, workshop_.course, *job->part.lesson, job->part.part);
  }
  return job;
}

void WatchPlan::again() {
  passed_.clear();
  page_is_old_ = !page_.empty();
  ask_for(part_, "");
}

void WatchPlan::skip() {
  const Step* const step = progress_.next_after(at_);
  page_is_old_ = false;
  page_ = next_page(progress_, step);
  passed_.clear();
  if (step == nullptr) return;
  go_to(*step);
  page_ = next_page(progress_, step);
  page_.gap();
  page_.add("It is tested when it is saved; r tests it now.", Style::faint);
}

void WatchPlan::saved(const std::vector<Saved>& files) {
  for (const Saved& file : files) {
    const auto part = part_of_file(workshop_.course, file.file);
    if (!part) continue;
    progress_ = progress_of(workshop_);
    const auto stub = pristine(workshop_.root, *part->lesson, file_of_part(part->part));
    const std::string changed =
        stub ? exercise_changed(*stub, file.before, file.after) : std::string();
    const bool stays = part->lesson == part_.lesson && part->part == part_.part;
    const Step* const step = !changed.empty() ? progress_.step(changed)
                             : stays          ? progress_.step(at_)
                                              : first_open(progress_, *part);
    if (step != nullptr) go_to(*step);
    passed_.clear();
    page_is_old_ = !page_.empty();
    const Exercise* const one = exercise();
    ask_for(part_, one == nullptr ? "" : one->id);
  }
}

// The exercise is done, and nothing that was done before has broken.
void WatchPlan::show_success(const std::string& id) {
  page_ = {};
  const Step* const step = progress_.step(id);
  page_.add(id + (step == nullptr ? "" : " " + step->title) + ": done.", Style::good);
  page_.gap();
  page_.add(standing_page(progress_, part_));
  const Step* const next = step == nullptr ? progress_.next() : progress_.next_after(id);
  page_.gap();
  page_.add(next_page(progress_, next));
  if (next != nullptr) go_to(*next);
}

void WatchPlan::finished(const WatchJob& job, const RunOutcome& outcome) {
  const Progress before = progress_;
  // Unless a file was saved meanwhile.
  page_is_old_ = job_.has_value();
  remember(workshop_, job.part, job.state, outcome);
  progress_ = progress_of(workshop_);
  Verdict verdict = verdict_on(workshop_, job.part, job.exercise, outcome, progress_);

  if (!verdict.well) {
    if (!progress_.has_done(*job.part.lesson)) open_lessons_.insert(job.part.lesson);
    // What was not done before and is not begun is no news beside what has just been done.
    const bool is_news =
        verdict.mistake != "unsolved" || standing_in(before, verdict.failed) == Standing::done;
    if (!passed_.empty() && !is_news) {
      show_success(passed_);
      passed_.clear();
      return;
    }
    passed_.clear();
    page_ = std::move(verdict.page);
    if (const Step* const step = progress_.step(verdict.failed)) go_to(*step);
    return;
  }

  if (!job.exercise.empty()) {
    passed_ = job.exercise;
    ask_for(job.part, "");
    page_ = {};
    page_.add(job.exercise + " " + workshop_.course.exercise(job.exercise).title + ": done.",
              Style::good);
    return;
  }
  const bool has_together =
      job.part.part == Part::kernel && has_part(workshop_.root, *job.part.lesson, Part::together);
  page_ = std::move(verdict.page);
  if (has_together) {
    ask_for({job.part.lesson, Part::together}, "");
    return;
  }
  passed_.clear();
  const Step* const next = job.part.part == Part::further ? progress_.next_after(at_)
                                                          : progress_.next_in(*job.part.lesson);
  page_.gap();
  if (progress_.has_done(*job.part.lesson) && open_lessons_.erase(job.part.lesson) > 0) {
    page_.add(payoff_page(workshop_, *job.part.lesson));
    page_.gap();
  }
  page_.add(next_page(progress_, next));
  if (next == nullptr) return;
  go_to(*next);
  // Nobody need save anything for it.
  const bool is_known = next->standing != Standing::unknown;
  if (next->part == Part::together ? !is_known : next->is_to_test_again()) {
    ask_for({next->lesson, next->part}, "");
  }
}

}  // namespace andrea::course
