#include "tools/course/runner/status.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/course/runner/verdict.h"

namespace andrea::course {
namespace {

using nlohmann::json;

constexpr int kNarrow = 76;  // columns from which the table has its full width

// How a page says that something has passed, and its file has changed since.
constexpr const char* kLegend =
    "? = passed, then the file changed; ./andrea status tests it again.";

struct Count {
  int done = 0, of = 0, minutes_left = 0;
  int again = 0, minutes_again = 0;  // to be tested again

  void add(const Step& step) {
    if (step.exercise == nullptr) return;
    ++of;
    if (step.is_to_test_again()) {
      ++again;
      minutes_again += step.minutes;
    } else if (step.is_open()) {
      minutes_left += step.minutes;
    } else {
      ++done;
    }
  }
  std::string text() const {
    if (of == 0) return "-";
    return std::to_string(done + again) + (again > 0 ? "?" : "") + " of " + std::to_string(of);
  }
};

Count count_of(const Progress& progress, const Lesson* lesson, bool (*fits)(Part)) {
  Count count;
  for (const Step& step : progress.steps) {
    if ((lesson == nullptr || step.lesson == lesson) && fits(step.part)) count.add(step);
  }
  return count;
}

bool is_kernel(Part part) { return part == Part::kernel; }
bool is_worksheet(Part part) { return part == Part::worksheet; }
bool is_further(Part part) { return part == Part::further; }
bool is_core(Part part) { return part != Part::further; }

std::string together_text(const Progress& progress, const Lesson& lesson) {
  const auto steps = progress.of(lesson, Part::together);
  if (steps.empty()) return "-";
  switch (steps.front()->standing) {
    case Standing::done:
      return "ok";
    case Standing::not_yet:
      return "not yet";
    case Standing::unknown:
      return steps.front()->is_open() ? "not yet" : "ok?";
  }
  return "";
}

std::string left_text(int minutes) { return minutes == 0 ? "" : time_text(minutes); }

std::string padded(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : text + std::string(width - text.size(), ' ');
}

bool is_known_done(const Progress& progress, const Lesson& lesson) {
  return std::all_of(progress.steps.begin(), progress.steps.end(), [&](const Step& step) {
    return step.lesson != &lesson || !step.is_core() || step.standing == Standing::done;
  });
}

std::string summary(const Progress& progress) {
  const Count core = count_of(progress, nullptr, is_core);
  const Count further = count_of(progress, nullptr, is_further);
  std::string text = core.text() + " exercises and questions done";
  if (core.minutes_left > 0) text += ", about " + time_text(core.minutes_left) + " left";
  return text + "; further ones " + further.text() + ".";
}

// What was tested in another state of its files, and what never was; nothing where there is
// neither.
Page page_on_unknown(const Progress& progress) {
  std::string changed, untested;
  for (const LessonPart& part : progress.unknown) {
    std::string& names = progress.was_tested(part) ? changed : untested;
    names += (names.empty() ? "" : ", ") + part.lesson->number + " " + name_of(part.part);
  }
  Page page;
  if (!changed.empty()) page.add("Changed since the last test: " + changed + ".");
  if (!untested.empty()) page.add("Not tested yet: " + untested + ".");
  const bool has_passed = std::any_of(progress.steps.begin(), progress.steps.end(),
                                      [](const Step& step) { return step.is_to_test_again(); });
  if (has_passed) {
    page.add(kLegend);
  } else if (!page.empty()) {
    page.add("./andrea status tests it.");
  }
  return page;
}

const char* word_for(Standing standing) {
  switch (standing) {
    case Standing::done:
      return "done";
    case Standing::not_yet:
      return "not yet";
    case Standing::unknown:
      return "unknown";
  }
  return "";
}

json json_of(const Count& count) {
  return {{"done", count.done},
          {"of", count.of},
          {"minutes_left", count.minutes_left + count.minutes_again}};
}

}  // namespace

Page where_page(const Progress& progress) {
  Page page;
  const bool fresh =
      std::all_of(progress.steps.begin(), progress.steps.end(),
                  [](const Step& step) { return step.standing == Standing::not_yet; });
  if (fresh) {
    page.add("ANDREA: write the kernels of a GPT-style language model and train it.",
             Style::strong);
    page.add("");
    page.add("Nothing is written yet. The way in:");
    page.add("");
    const std::string folder = progress.steps.front().lesson->folder();
    page.add_item("  read             ", "lessons/README.md, and " + folder + "/README.md");
    page.add_item("  open             ", folder + "/kernel.cu in an editor");
    page.add_item("  ./andrea watch   ",
                  "in a terminal beside it: tests what you save, says what is next");
    page.add("");
    page.add("One test at a time instead: ./andrea check. All commands: ./andrea help.",
             Style::faint);
    return page;
  }
  const Step* const next = progress.next();
  if (next != nullptr) {
    const Count lesson = count_of(progress, next->lesson, is_core);
    page.add("Lesson " + next->lesson->number + ", " + next->lesson->title + ": " + lesson.text() +
                 " done.",
             Style::strong);
  }
  page.add(summary(progress));
  page.add(page_on_unknown(progress));
  page.add("");
  page.add(next_page(progress, next));
  if (next != nullptr) {
    page.add_item("         ", "./andrea watch does it at each save");
    if (next->exercise != nullptr) page.add_item("  hint   ", "./andrea hint " + next->id);
  }
  return page;
}

Page status_page(const Workshop& workshop, const Progress& progress) {
  Page page;
  page.add(summary(progress), Style::strong);
  page.add("");
  const bool wide = workshop.layout.columns >= kNarrow;
  page.add(wide ? "  lesson                      exercises  worksheet  together  further   left"
                : "  lesson  exercises  worksheet  further  left",
           Style::faint);
  for (const Lesson& lesson : workshop.course.lessons) {
    const std::string kernel = count_of(progress, &lesson, is_kernel).text();
    const std::string worksheet = count_of(progress, &lesson, is_worksheet).text();
    const std::string further = count_of(progress, &lesson, is_further).text();
    const std::string left = left_text(count_of(progress, &lesson, is_core).minutes_left);
    const std::string line = wide ? "  " + padded(lesson.number + " " + lesson.title, 28) +
                                        padded(kernel, 11) + padded(worksheet, 11) +
                                        padded(together_text(progress, lesson), 10) +
                                        padded(further, 10) + left
                                  : "  " + padded(lesson.number, 8) + padded(kernel, 11) +
                                        padded(worksheet, 11) + padded(further, 9) + left;
    page.add(line, is_known_done(progress, lesson) ? Style::good : Style::plain);
  }
  page.add("");
  page.add(page_on_unknown(progress));
  page.add(next_page(progress, progress.next()));
  return page;
}

Page lesson_page(const Progress& progress, const Lesson& lesson) {
  Page page;
  page.add("Lesson " + lesson.number + ", " + lesson.title, Style::strong);
  bool has_passed = false;
  for (const Part part : kParts) {
    const auto steps = progress.of(lesson, part);
    if (steps.empty()) continue;
    page.add("");
    for (const Step* const step : steps) {
      const bool done = step->standing == Standing::done;
      const std::string mark = done                       ? "  ok    "
                               : step->is_to_test_again() ? "  ok?   "
                                                          : "        ";
      has_passed |= step->is_to_test_again();
      const std::string note = part == Part::further && !done ? ", further" : "";
      const std::string id = step->exercise == nullptr ? "" : padded(step->id, 6) + " ";
      page.add_item(
          mark + id,
          step->title + note +
              (!step->is_open() || step->minutes == 0 ? "" : ", " + time_text(step->minutes)),
          done ? Style::good : Style::plain);
    }
  }
  if (has_passed) {
    page.gap();
    page.add(kLegend, Style::faint);
  }
  return page;
}

std::string status_json(const Workshop& workshop, const Progress& progress) {
  const Step* const next = progress.next();
  json lessons = json::array();
  for (const Lesson& lesson : workshop.course.lessons) {
    json steps = json::array();
    for (const Step& step : progress.steps) {
      if (step.lesson != &lesson) continue;
      steps.push_back({{"id", step.id},
                       {"title", step.title},
                       {"part", name_of(step.part)},
                       {"core", step.is_core()},
                       {"standing", word_for(step.standing)},
                       {"minutes", step.minutes},
                       {"points", step.exercise == nullptr ? 0 : step.exercise->points}});
    }
    lessons.push_back({{"number", lesson.number},
                       {"title", lesson.title},
                       {"folder", lesson.folder()},
                       {"done", is_known_done(progress, lesson)},
                       {"exercises", json_of(count_of(progress, &lesson, is_kernel))},
                       {"worksheet", json_of(count_of(progress, &lesson, is_worksheet))},
                       {"further", json_of(count_of(progress, &lesson, is_further))},
                       {"steps", steps}});
  }
  const json all = {{"version", 1},
                    {"core", json_of(count_of(progress, nullptr, is_core))},
                    {"further", json_of(count_of(progress, nullptr, is_further))},
                    {"next", next == nullptr ? json(nullptr) : json(next->id)},
                    {"lessons", lessons}};
  return all.dump(2);
}

std::string status_markdown(const Workshop& workshop, const Progress& progress) {
  std::string text =
      "| lesson | exercises | worksheet | together | further | left |\n"
      "|---|---|---|---|---|---|\n";
  for (const Lesson& lesson : workshop.course.lessons) {
    text += "| " + lesson.number + " " + lesson.title + " | " +
            count_of(progress, &lesson, is_kernel).text() + " | " +
            count_of(progress, &lesson, is_worksheet).text() + " | " +
            together_text(progress, lesson) + " | " +
            count_of(progress, &lesson, is_further).text() + " | " +
            left_text(count_of(progress, &lesson, is_core).minutes_left) + " |\n";
  }
  return text + "\n" + summary(progress) + "\n";
}

}  // namespace andrea::course
