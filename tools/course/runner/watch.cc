#include "tools/course/runner/watch.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>

#include "tools/course/runner/file_watch.h"
#include "tools/course/runner/hint.h"
#include "tools/course/runner/part_run.h"
#include "tools/course/runner/screen.h"
#include "tools/course/runner/signals.h"
#include "tools/course/runner/status.h"
#include "tools/course/runner/watch_plan.h"
#include "trainer/base/error.h"

namespace andrea::course {
namespace {

constexpr std::string_view kKeys = "h hint  l list  n next  r run again  q quit";
// Where that has no room.
constexpr std::string_view kShortKeys = "h hint l list n next r run q quit";

std::vector<std::string> watched_files(const Course& course) {
  std::vector<std::string> files;
  for (const Lesson& lesson : course.lessons) {
    for (const Part part : kParts) {
      if (!exercises_of(lesson, part).empty()) {
        files.push_back(lesson.folder() + "/" + file_of_part(part));
      }
    }
  }
  return files;
}

class Watch {
 public:
  Watch(const Workshop& workshop, const std::string& selection, bool poll)
      : workshop_(workshop),
        plan_(workshop, selection),
        files_(workshop.root, watched_files(workshop.course), poll),
        signals_({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH}),
        screen_(workshop.plain || isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) {}

  int run() {
    for (;;) {
      if (run_ == nullptr) start_next();
      show();
      wait();
      if (const int status = take_signals(); status != 0) return status;
      if (!take_keys()) return 0;
      take_saves();
      advance();
    }
  }

 private:
  void start_next() {
    const auto job = plan_.take_job();
    if (!job) return;
    job_ = *job;
    RunRequest request = request_for(workshop_.course, job->part, job->exercise);
    request.is_first = built_.count(job->part.id()) == 0 && !workshop_.memory.knows(job->part);
    run_ = std::make_unique<PartRun>(workshop_.bazel, workshop_.memory.folder() / "run", request);
  }

  void wait() {
    std::array<pollfd, 4> files{{{accepts_keys_ ? STDIN_FILENO : -1, POLLIN, 0},
                                 {signals_.descriptor(), POLLIN, 0},
                                 {files_.descriptor(), POLLIN, 0},
                                 {run_ == nullptr ? -1 : run_->descriptor(), POLLIN, 0}}};
    int milliseconds = files_.milliseconds();
    if (run_ != nullptr) milliseconds = std::min(milliseconds, 500);  // the seconds count up
    poll(files.data(), files.size(), milliseconds);
    typed_ = files[0].revents != 0;
  }

  // The exit status, 0 to go on.
  int take_signals() {
    while (const int signal = signals_.take()) {
      if (signal == SIGWINCH) continue;  // drawn anew anyhow
      if (signal == SIGTSTP) {
        screen_.suspend();
        raise(SIGSTOP);
        screen_.resume();
        continue;
      }
      return 128 + signal;
    }
    return 0;
  }

  // False to quit.
  bool take_keys() {
    if (!typed_) return true;
    bool closed = false;
    const std::string keys = screen_.keys(closed);
    for (const char key : keys) {
      if (key == 'q' || key == 'Q' || key == 4) return false;
      take_key(key);
    }
    // Plainly, somebody may only want to look; a terminal that has gone ends it.
    if (closed && screen_.plain()) accepts_keys_ = false;
    return !closed || screen_.plain();
  }

  void take_key(char key) {
    const Page& page = shown();
    const std::size_t last = last_first_line(page, screen_.size());
    const auto room = static_cast<std::size_t>(std::max(1, screen_.size().rows - 4));
    switch (key) {
      case 'h':
        show_hint();
        break;
      case 'l':
        toggle_list();
        break;
      case 'n':
        other_ = {};
        first_ = 0;
        plan_.skip();
        printed_ = false;
        break;
      case 'r':
        other_ = {};
        plan_.again();
        note_ = "";
        break;
      case ' ':
        first_ = std::min(first_ + room, last);
        break;
      case 'b':
        first_ = first_ > room ? first_ - room : 0;
        break;
      case 'j':
        first_ = std::min(first_ + 1, last);
        break;
      case 'k':
        first_ = first_ > 0 ? first_ - 1 : 0;
        break;
      case '\r':
      case '\n':
      case '\033':
        other_ = {};
        first_ = 0;
        break;
      default:
        break;
    }
  }

  void show_hint() {
    const Exercise* const exercise = plan_.exercise();
    other_ = {};
    first_ = 0;
    printed_ = false;
    if (exercise == nullptr) {
      other_.add(
          "There is no hint for all kernels together; the message says whose output departs.");
      return;
    }
    try {
      other_ = hint_page(workshop_, *exercise, /*with_earlier=*/!screen_.plain(), /*all=*/false);
    } catch (const Error& error) {
      other_.add(error.what());
    }
    is_list_ = false;
  }

  void toggle_list() {
    first_ = 0;
    printed_ = false;
    const bool was = is_list_ && !other_.empty();
    other_ = {};
    is_list_ = !was;
    if (was && !screen_.plain()) return;
    other_ = lesson_page(plan_.progress(), *plan_.part().lesson);
  }

  void take_saves() {
    const std::vector<Saved> saved = files_.saved();
    if (saved.empty()) return;
    plan_.saved(saved);
    const std::string& file = saved.back().file;
    note_ = "saved " + file.substr(file.rfind('/') + 1) + ", ";
    other_ = {};
    if (screen_.plain()) {
      std::printf("\n%s was saved.\n", file.c_str());
      std::fflush(stdout);
    }
  }

  void advance() {
    if (run_ == nullptr || run_->advance()) return;
    const RunOutcome outcome = run_->outcome();
    run_.reset();
    // The memory keeps nothing of a run during which a file was saved.
    if (outcome.kind != RunOutcome::not_built) built_.insert(job_.part.id());
    plan_.finished(job_, outcome);
    if (other_.empty()) first_ = 0;
    printed_ = false;
  }

  const Page& shown() const { return other_.empty() ? plan_.page() : other_; }

  std::string footer() const {
    if (run_ == nullptr) {
      const bool is_wide = screen_.size().columns >= static_cast<int>(kKeys.size());
      return std::string(is_wide ? kKeys : kShortKeys);
    }
    const int seconds = static_cast<int>(run_->seconds());
    std::string doing = run_->doing();
    if (seconds > 0) doing += ", " + std::to_string(seconds) + " s";
    constexpr const char* kQuit = "   q quit";
    if (run_->excuse().empty()) return note_ + doing + kQuit;
    const std::string excused = doing + " (" + run_->excuse() + ")";
    // The more the wider it is.
    for (const std::string& text : {note_ + excused, excused, note_ + doing}) {
      if (static_cast<int>(text.size() + std::strlen(kQuit)) <= screen_.size().columns) {
        return text + kQuit;
      }
    }
    return doing + kQuit;
  }

  void show() {
    if (!screen_.plain()) {
      Page waiting;
      waiting.add("The first build takes minutes, later ones seconds.");
      const Page& page = shown();
      screen_.draw(frame_of(plan_.title(), page.empty() ? waiting : page, footer(), first_,
                            screen_.size(), workshop_.layout.colours,
                            /*is_old=*/run_ != nullptr && other_.empty() && plan_.page_is_old()));
      return;
    }
    // A page once it is complete: not between two runs of one save.
    if (printed_ || run_ != nullptr || shown().empty()) return;
    printed_ = true;
    print(workshop_, Page::blank());
    print(workshop_, shown());
    if (accepts_keys_) {
      std::printf("\n%s (and Enter)\n", kKeys.data());
      std::fflush(stdout);
    }
  }

  const Workshop& workshop_;
  WatchPlan plan_;
  FileWatch files_;
  Signals signals_;
  Screen screen_;
  std::unique_ptr<PartRun> run_;
  WatchJob job_;
  std::set<std::string> built_;  // the parts whose tests were
  Page other_;                   // a hint or the list, over the verdict
  bool is_list_ = false;
  std::size_t first_ = 0;  // line of the page that is at the top
  std::string note_;
  bool typed_ = false, accepts_keys_ = true;
  bool printed_ = false;  // plainly: the page has been printed
};

}  // namespace

int watch(const Workshop& workshop, const std::string& selection, bool poll) {
  const int status = Watch(workshop, selection, poll).run();
  // Where the page was there is nothing now.
  if (status == 0) print(workshop, where_page(progress_of(workshop)));
  return status;
}

}  // namespace andrea::course
