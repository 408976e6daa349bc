// The program behind ./andrea alone and behind check, watch, hint, next, status, reset, solution,
// profile and ide.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "tools/course/runner/check.h"
#include "tools/course/runner/hint.h"
#include "tools/course/runner/ide.h"
#include "tools/course/runner/profile.h"
#include "tools/course/runner/progress.h"
#include "tools/course/runner/reset.h"
#include "tools/course/runner/run_to_end.h"
#include "tools/course/runner/selection.h"
#include "tools/course/runner/signals.h"
#include "tools/course/runner/solution.h"
#include "tools/course/runner/status.h"
#include "tools/course/runner/verdict.h"
#include "tools/course/runner/watch.h"
#include "tools/course/runner/workshop.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/terminal.h"

namespace andrea::course {
namespace {

constexpr int kWell = 0, kFailed = 1, kWrongUsage = 2;
constexpr int kMostColumns = 100;  // prose that is wider is hard to read

bool set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

struct Asked {
  std::string root = ".", workspace;
  std::vector<std::string> startup, flags;
  bool plain = false;
  std::string selection, seed;
  bool all = false, give_up = false, json = false, markdown = false, poll = false;
};

Workshop workshop_for(const Asked& asked) {
  const std::filesystem::path root = std::filesystem::absolute(asked.root).lexically_normal();
  const std::string workspace = asked.workspace.empty() ? root.string() : asked.workspace;
  Workshop workshop{root,
                    read_course(read_file(root / "lessons/course.json")),
                    {workspace, asked.startup, asked.flags},
                    Memory(root),
                    {},
                    false};
  workshop.plain = asked.plain || !draws_over();
  workshop.layout.columns = std::min(terminal_columns(), kMostColumns);
  workshop.layout.colours = !workshop.plain && !set("NO_COLOR");
  return workshop;
}

int where(const Workshop& workshop) {
  print(workshop, where_page(progress_of(workshop)));
  return kWell;
}

int next(const Workshop& workshop) {
  const Progress progress = found_out(workshop);
  print(workshop, next_page(progress, progress.next()));
  return kWell;
}

int status(const Workshop& workshop, const Asked& asked) {
  const Progress progress = found_out(workshop);
  if (asked.json) {
    std::puts(status_json(workshop, progress).c_str());
  } else if (asked.markdown) {
    std::fputs(status_markdown(workshop, progress).c_str(), stdout);
  } else if (asked.selection.empty()) {
    print(workshop, status_page(workshop, progress));
  } else {
    print(workshop, lesson_page(progress, *selection_of(workshop.course, asked.selection).lesson));
  }
  return kWell;
}

// Of the exercise that is named, or of the next one.
int hint(const Workshop& workshop, const Asked& asked) {
  const Exercise* exercise = nullptr;
  if (!asked.selection.empty()) {
    exercise = exercise_selection(workshop.course, asked.selection).exercise;
  } else if (const Progress progress = progress_of(workshop); const Step* step = progress.next()) {
    exercise = step->exercise;
  }
  if (exercise == nullptr) throw Error("which exercise? As in: ./andrea hint 02.5");
  print(workshop, hint_page(workshop, *exercise, /*with_earlier=*/false, asked.all));
  return kWell;
}

int run(int argc, char** argv) {
  Asked asked;
  CLI::App app("The course, exercise by exercise.", "andrea");
  app.set_help_flag("-h,--help", "print this");
  app.add_option("--root", asked.root)->group("");
  app.add_option("--workspace", asked.workspace)->group("");
  app.add_option("--bazel-startup", asked.startup)->group("")->take_all()->expected(1);
  app.add_option("--bazel-flag", asked.flags)->group("")->take_all()->expected(1);
  app.require_subcommand(1);

  const auto command = [&](const char* name, const char* what) {
    CLI::App* const one = app.add_subcommand(name, what);
    one->add_flag("--plain", asked.plain, "no control codes: neither colours nor drawing over");
    return one;
  };
  const auto takes = [&](CLI::App* one, const char* what, bool required = false) {
    CLI::Option* const option = one->add_option("which", asked.selection, what);
    if (required) option->required();
  };
  CLI::App* const where_command = command("where", "where you are, and what is next");
  CLI::App* const check_command = command("check", "build and test, and tell the first failure");
  takes(check_command,
        "a lesson (02), an exercise (02.5, 02.w1) or a part (02.further); without "
        "it: where the next exercise is");
  check_command->add_option("--seed", asked.seed, "the inputs of a run that told its seed")
      ->check(CLI::NonNegativeNumber);
  CLI::App* const watch_command = command("watch", "the same at each save; keys for the rest");
  takes(watch_command, "where to begin: a lesson or an exercise");
  watch_command->add_flag(
      "--poll", asked.poll,
      "look at the files now and then, where the system does not tell of saves");
  CLI::App* const hint_command = command("hint", "one more stage of an exercise's hint");
  takes(hint_command, "an exercise: 02.5");
  hint_command->add_flag("--all", asked.all, "all stages at once");
  CLI::App* const next_command = command("next", "the next exercise that is not done");
  CLI::App* const status_command =
      command("status", "what is done, and how long the rest may take");
  takes(status_command, "a lesson, exercise by exercise");
  status_command->add_flag("--json", asked.json, "for programs; docs/runner.md says what it holds");
  status_command->add_flag("--markdown", asked.markdown, "the table, for a web page");
  CLI::App* const reset_command =
      command("reset", "an exercise as it was handed out; what was there is kept");
  takes(reset_command, "an exercise (02.5), a part (02.kernel) or a lesson (02)", true);
  CLI::App* const solution_command = command("solution", "the solution beside yours");
  takes(solution_command, "an exercise (02.5) or a lesson (02)", true);
  solution_command->add_flag("--give-up", asked.give_up, "before it has passed");
  CLI::App* const profile_command =
      command("profile", "what a kernel asks of memory, beside the rung below");
  takes(profile_command, "an exercise (02.5), or a lesson: all of its rungs", true);
  CLI::App* const ide_command = command("ide", "write compile_commands.json, for clangd");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kWell : kWrongUsage;
  }

  const Workshop workshop = workshop_for(asked);
  if (where_command->parsed()) return where(workshop);
  if (check_command->parsed()) return check(workshop, asked.selection, asked.seed);
  if (watch_command->parsed()) return watch(workshop, asked.selection, asked.poll);
  if (hint_command->parsed()) return hint(workshop, asked);
  if (next_command->parsed()) return next(workshop);
  if (status_command->parsed()) return status(workshop, asked);
  if (ide_command->parsed()) {
    print(workshop, ide(workshop.root));
  } else if (reset_command->parsed()) {
    print(workshop, reset(workshop, asked.selection));
  } else if (solution_command->parsed()) {
    print(workshop, solution(workshop, asked.selection, asked.give_up));
  } else if (profile_command->parsed()) {
    print(workshop, profile(workshop, asked.selection));
  }
  return kWell;
}

}  // namespace
}  // namespace andrea::course

int main(int argc, char** argv) {
  try {
    return andrea::course::run(argc, argv);
  } catch (const andrea::course::Interrupted& interrupted) {
    return 128 + interrupted.signal;
  } catch (const andrea::Error& error) {
    std::fprintf(stderr, "andrea: %s\n", error.what());
    return andrea::course::kWrongUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "andrea: %s\n", error.what());
    return andrea::course::kFailed;
  }
}
