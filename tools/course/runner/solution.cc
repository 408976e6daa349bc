#include "tools/course/runner/solution.h"

#include <cstddef>
#include <utility>

#include "tools/course/runner/progress.h"
#include "tools/course/runner/region.h"
#include "tools/course/runner/run_to_end.h"
#include "tools/course/runner/selection.h"
#include "tools/course/stub.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/lines.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

Page code_page(const std::string& where, int line, const std::vector<std::string>& code) {
  Page page;
  page.add(where + ":" + std::to_string(line), Style::faint);
  for (const std::string& one : code) page.add("  " + one);
  return page;
}

// Both versions of an exercise, place by place.
void add_exercise(Page& page, const Workshop& workshop, const Lesson& lesson,
                  const Exercise& exercise) {
  const std::string name = lesson.solution_folder() + "/" + exercise.file;
  const std::string solved = read_file(workshop.root / name);
  const fs::path own = workshop.root / lesson.folder() / exercise.file;
  const std::string work = fs::exists(own) ? read_file(own) : "";
  const auto places = places_of(stub_of(solved, name), work, exercise.id);
  const std::vector<std::string> work_lines = lines_of(work);
  page.gap();
  page.add(exercise.id + " " + exercise.title, Style::strong);
  std::size_t place = 0;
  for (const Region& region : regions_of(solved, name)) {
    if (region.exercise != exercise.id) continue;
    page.gap();
    Page solution = code_page("The solution, " + name, region.first_line, lines_of(region.code));
    if (places && place < places->size()) {
      const LineRange& range = (*places)[place].in_work;
      const auto begin = work_lines.begin();
      page.add_beside(code_page("Yours, " + lesson.folder() + "/" + exercise.file,
                                static_cast<int>(range.begin) + 1,
                                {begin + static_cast<std::ptrdiff_t>(range.begin),
                                 begin + static_cast<std::ptrdiff_t>(range.end)}),
                      std::move(solution));
    } else {
      page.add(solution);
    }
    ++place;
  }
  if (!places) {
    page.add("");
    page.add("Your file has changed round this exercise, so yours is not shown beside it.",
             Style::faint);
  }
}

Standing standing_now(const Workshop& workshop, const LessonPart& part, const std::string& id) {
  const auto known = [&] {
    const Progress progress = progress_of(workshop);
    const Step* const step = progress.step(id);
    return step == nullptr ? Standing::not_yet : step->standing;
  };
  Standing standing = known();
  if (standing == Standing::unknown) {
    test_part(workshop, part, "", "");
    standing = known();
  }
  return standing;
}

}  // namespace

Page solution(const Workshop& workshop, const std::string& words, bool give_up) {
  const Selection selection = selection_of(workshop.course, words);
  const Lesson& lesson = *selection.lesson;
  if (!fs::is_directory(workshop.root / lesson.solution_folder())) {
    throw Error("this edition of the course has no solutions: there is no " +
                lesson.solution_folder() + ". Who teaches the course has them. ./andrea hint " +
                (selection.exercise == nullptr ? lesson.number + ".1" : selection.exercise->id) +
                " --all shows every hint.");
  }
  Page page;
  std::string open;
  for (const Exercise& exercise : lesson.exercises) {
    if (selection.exercise != nullptr && selection.exercise != &exercise) continue;
    if (selection.part && part_of(exercise) != *selection.part) continue;
    const LessonPart part{&lesson, part_of(exercise)};
    if (!give_up && standing_now(workshop, part, exercise.id) != Standing::done) {
      open += (open.empty() ? "" : ", ") + exercise.id;
      continue;
    }
    add_exercise(page, workshop, lesson, exercise);
  }
  if (open.empty()) {
    if (give_up) {
      page.gap();
      page.add(
          "Read it until you could write it again, put it away, and write your own. A solution "
          "that "
          "was read teaches less than one that was found; later lessons build on this one.",
          Style::faint);
    }
    return page;
  }
  if (page.empty()) {
    throw Error((open.find(',') == std::string::npos ? open + " does not pass yet"
                                                     : "these do not pass yet: " + open) +
                ". The solution is shown then; ./andrea hint " + open.substr(0, open.find(',')) +
                " gives one hint after the other, and --give-up shows the solution now.");
  }
  page.gap();
  page.add("Not shown, since not passed yet: " + open + ".");
  return page;
}

}  // namespace andrea::course
