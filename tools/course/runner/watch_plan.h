// File: watch_plan.h
//
// What `watch` tests, and what it shows: the part of it that has nothing to do with terminals,
// files and processes.
//
// A save is tested in up to three runs. The exercise at hand comes first and alone, since its
// verdict is the one that is waited for. If it is right the whole part follows, which may show that
// something else broke; if all of the kernels are right they are tried together.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_WATCH_PLAN_H_
#define ANDREA_TOOLS_COURSE_RUNNER_WATCH_PLAN_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/course/runner/file_watch.h"
#include "tools/course/runner/progress.h"
#include "tools/course/runner/verdict.h"
#include "tools/course/runner/workshop.h"

namespace andrea::course {

struct WatchJob {
  LessonPart part;
  std::string exercise;  // empty: all of the part
  std::string state;     // state_of before the run
};

class WatchPlan {
 public:
  // Begins at the selection, or at the next exercise.
  WatchPlan(const Workshop& workshop, const std::string& selection);

  // The run that is to be made now; it is then no longer asked for.
  std::optional<WatchJob> take_job();
  // What the run has found out: remembers it, changes the page, and may ask for another run.
  void finished(const WatchJob& job, const RunOutcome& outcome);
  // Asks for a run of what was saved.
  void saved(const std::vector<Saved>& files);
  void again();
  // To the next exercise that is not done, of which nothing is run until it is saved.
  void skip();

  // The id that the student is at: "02.5".
  const std::string& at() const { return at_; }
  const Exercise* exercise() const;  // nullptr where that is no exercise
  const LessonPart& part() const { return part_; }
  const Page& page() const { return page_; }
  // A run is asked for whose verdict is to take the page's place.
  bool page_is_old() const { return page_is_old_; }
  const Progress& progress() const { return progress_; }
  // "Lesson 02 kernel, 2 of 7: Dot-product similarity".
  std::string title() const;

 private:
  void go_to(const Step& step);
  void ask_for(const LessonPart& part, const std::string& exercise);
  void show_success(const std::string& id);

  const Workshop& workshop_;
  Progress progress_;
  LessonPart part_;
  std::string at_;
  std::string passed_;  // the exercise whose passing has asked for the run of all
  std::optional<WatchJob> job_;
  Page page_;
  bool page_is_old_ = false;
  std::set<const Lesson*> open_lessons_;  // whose payoff is still to be told
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_WATCH_PLAN_H_
