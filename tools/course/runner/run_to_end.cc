#include "tools/course/runner/run_to_end.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "tools/course/runner/signals.h"
#include "tools/course/runner/verdict.h"

namespace andrea::course {
namespace {

// Nothing while it is quick; then a line that is drawn over, or, plainly, one line.
class ProgressLine {
 public:
  explicit ProgressLine(const Workshop& workshop)
      : draws_(!workshop.plain && isatty(STDERR_FILENO) != 0), columns_(workshop.layout.columns) {}
  ~ProgressLine() {
    if (draws_ && shown_) std::fputs("\r\033[K", stderr);
  }

  void show(const PartRun& run) {
    if (run.seconds() < 1) return;
    const std::string excuse = run.excuse().empty() ? "" : " (" + run.excuse() + ")";
    if (draws_) {
      std::string text = run.doing() + ", " + std::to_string(std::lround(run.seconds())) + " s";
      if (static_cast<int>(text.size() + excuse.size()) < columns_) text += excuse;
      std::fprintf(stderr, "\r\033[K%s", text.c_str());
    } else if (!shown_ && run.seconds() > 2) {
      std::fprintf(stderr, "%s ...%s\n", run.doing().c_str(), excuse.c_str());
    } else {
      return;
    }
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  bool draws_, shown_ = false;
  int columns_;
};

}  // namespace

RunOutcome run_to_end(const Workshop& workshop, const RunRequest& request) {
  Signals signals({SIGINT, SIGTERM, SIGHUP});
  PartRun run(workshop.bazel, workshop.memory.folder() / "run", request);
  ProgressLine line(workshop);
  while (run.advance()) {
    std::array<pollfd, 2> files{{{run.descriptor(), POLLIN, 0}, {signals.descriptor(), POLLIN, 0}}};
    poll(files.data(), files.size(), 500);
    if (const int signal = signals.take()) {
      run.stop();
      throw Interrupted{signal};
    }
    line.show(run);
  }
  return run.outcome();
}

RunOutcome test_part(const Workshop& workshop, const LessonPart& part, const std::string& exercise,
                     const std::string& seed) {
  RunRequest request = request_for(workshop.course, part, exercise);
  request.seed = seed;
  request.is_first = !workshop.memory.knows(part);
  const std::string state = state_of(workshop.root, workshop.course, *part.lesson, part.part);
  RunOutcome outcome = run_to_end(workshop, request);
  remember(workshop, part, state, outcome);
  return outcome;
}

Progress found_out(const Workshop& workshop) {
  Progress progress = progress_of(workshop);
  for (std::size_t tried = 0; !progress.unknown.empty() && tried < 64; ++tried) {
    const LessonPart part = progress.unknown.front();
    if (!workshop.plain || isatty(STDERR_FILENO) != 0) {
      std::fprintf(stderr, "Lesson %s, %s: %s.\n", part.lesson->number.c_str(),
                   name_of(part.part).c_str(),
                   progress.was_tested(part) ? "has changed since its last test"
                                             : "has not been tested yet");
    }
    const RunOutcome outcome = test_part(workshop, part, "", "");
    const std::size_t before = progress.unknown.size();
    progress = progress_of(workshop);
    // Where even the run does not tell, another would not either.
    if (outcome.kind != RunOutcome::tested && progress.unknown.size() >= before) break;
  }
  return progress;
}

}  // namespace andrea::course
