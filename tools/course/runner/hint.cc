#include "tools/course/runner/hint.h"

#include <algorithm>

#include "tools/course/runner/hint_text.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"

namespace andrea::course {

Page hint_page(const Workshop& workshop, const Exercise& exercise, bool with_earlier, bool all) {
  const std::string file = workshop.course.lesson_of(exercise.id).folder() + "/hints.md";
  const std::vector<HintStage> stages = hint_stages(read_file(workshop.root / file), exercise.id);
  if (stages.empty()) throw Error(file + " has no hint for " + exercise.id + ".");
  const std::size_t count = stages.size();
  const auto before = static_cast<std::size_t>(
      std::clamp(workshop.memory.hints_shown(exercise.id), 0, static_cast<int>(count)));
  const std::size_t shown = all ? count : std::min(before + 1, count);
  Page page;
  page.add(exercise.id + " " + exercise.title, Style::strong);
  for (std::size_t i = all || with_earlier ? 0 : shown - 1; i < shown; ++i) {
    page.add("");
    page.add(stages[i].title + " (" + std::to_string(i + 1) + " of " + std::to_string(count) + ")",
             Style::faint);
    page.add(stages[i].text);
  }
  page.add("");
  if (shown < count) {
    page.add("Not enough? The next is \"" + stages[shown].title + "\"." +
                 (with_earlier ? "" : " The same command shows it."),
             Style::faint);
  } else if (!with_earlier) {
    page.add(all ? "That is all that the hints say."
                 : "That was the last. All of them again: ./andrea hint " + exercise.id + " --all",
             Style::faint);
  }
  workshop.memory.keep_hints_shown(exercise.id, static_cast<int>(shown));
  return page;
}

}  // namespace andrea::course
