#include "tools/course/runner/profile.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/course/runner/progress.h"
#include "tools/course/runner/run_to_end.h"
#include "tools/course/runner/selection.h"
#include "tools/course/runner/verdict.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Row {
  const char* title;
  const char* number;
};

// What a learner looks at first, first. A row where both have 0 is left out.
constexpr Row kRows[] = {
    {"numbers loaded from global memory", "global_loads"},
    {"  requests of warps for them", "load_requests"},
    {"  sectors of 32 bytes", "load_sectors"},
    {"  sectors that would do", "least_load_sectors"},
    {"numbers stored to global memory", "global_stores"},
    {"  sectors of 32 bytes", "store_sectors"},
    {"  sectors that would do", "least_store_sectors"},
    {"atomics on global memory", "global_atomics"},
    {"bytes moved", "bytes_moved"},
    {"  if each were moved once", "least_bytes_moved"},
    {"numbers from and to shared memory", "shared_accesses"},
    {"  passes through its banks", "wavefronts"},
    {"  of these for bank conflicts", "bank_conflicts"},
    {"barriers", "barriers"},
    {"shuffles, votes", "collectives"},
    {"threads", "threads"},
};

constexpr std::size_t kTitleWidth = 37, kNumberWidth = 13;

std::uint64_t number_of(const Counted& counted, const char* name) {
  const auto found = counted.numbers.find(name);
  return found == counted.numbers.end() ? 0 : found->second;
}

// 1234567 as 1,234,567.
std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

// "32 times fewer"; nothing where both are about the same.
std::string times(std::uint64_t own, std::uint64_t below) {
  if (own == 0 || below == 0) return "";
  const double ratio = own < below ? static_cast<double>(below) / static_cast<double>(own)
                                   : static_cast<double>(own) / static_cast<double>(below);
  if (ratio < 1.05) return "";
  std::ostringstream text;
  text.precision(ratio < 10 ? 2 : 3);
  text << ratio << (own < below ? " times fewer" : " times more");
  return text.str();
}

Counted counted_from_line(const std::string& line) {
  try {
    const json read = json::parse(line);
    Counted counted;
    read.at("exercise").get_to(counted.exercise);
    read.at("sizes").get_to(counted.sizes);
    read.at("kernels").get_to(counted.kernels);
    read.at("numbers").get_to(counted.numbers);
    for (const json& each : read.at("lines")) {
      counted.lines.push_back(
          {each.at("place"), each.at("kind"), each.at("cost"), each.at("least")});
    }
    return counted;
  } catch (const json::exception& error) {
    throw Error(std::string("what was counted cannot be read: ") + error.what());
  }
}

// Separated by commas, without the namespaces of the lessons.
std::string names_of(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) {
    const std::size_t bracket = name.find_first_of("<(");
    const std::size_t colons = name.rfind("::", bracket);
    all +=
        (all.empty() ? "" : ", ") + (colons == std::string::npos ? name : name.substr(colons + 2));
  }
  return all;
}

// What the tests of an exercise ask of memory; with `sizes` ("N=64, M=32") only those. Nothing
// where it does not pass.
std::vector<Counted> runs_of(const Workshop& workshop, const std::string& id,
                             const std::string& sizes) {
  const fs::path file = workshop.memory.folder() / "run" / "profile.jsonl";
  fs::create_directories(file.parent_path());
  std::error_code error;
  fs::remove(file, error);
  const Course& course = workshop.course;
  RunRequest request =
      request_for(course, {&course.lesson_of(id), part_of(course.exercise(id))}, id);
  request.profile = file.string();
  request.sizes = sizes;
  const RunOutcome outcome = run_to_end(workshop, request);
  const bool passed =
      outcome.kind == RunOutcome::tested && standing_of(id, outcome.results) == Standing::done;
  std::vector<Counted> runs;
  if (passed && fs::exists(file)) runs = counted_from(read_file(file));
  fs::remove(file, error);
  return runs;
}

// Those of the sizes that came last, which are the largest or the most regular.
std::vector<Counted> last_of(const std::vector<Counted>& runs) {
  std::vector<Counted> last;
  for (const Counted& run : runs) {
    if (run.sizes == runs.back().sizes) last.push_back(run);
  }
  return last;
}

// Nothing where a part of the rung does not pass, or cannot be run with these sizes.
std::optional<Counted> rung_below(const Workshop& workshop, const Exercise& exercise,
                                  const std::string& sizes) {
  std::vector<Counted> all;
  for (const std::string& id : exercise.rung_below) {
    std::vector<Counted> runs = runs_of(workshop, id, sizes);
    // With other names for its sizes it has run with all of its own.
    const std::size_t many = runs.size();
    if (many > 0) runs = last_of(runs);
    if (many == 0 || runs.size() != many) return std::nullopt;
    all.insert(all.end(), runs.begin(), runs.end());
  }
  if (all.empty()) return std::nullopt;
  return added_up(all);
}

Page page_of(const Workshop& workshop, const Exercise& exercise) {
  const std::vector<Counted> runs = runs_of(workshop, exercise.id, "");
  if (runs.empty()) {
    throw Error(exercise.id +
                " does not pass yet, and what a wrong kernel asks of memory says little. "
                "./andrea check " +
                exercise.id + " tells what is wrong.");
  }
  const Counted own = added_up(last_of(runs));
  const auto below = rung_below(workshop, exercise, own.sizes);
  Page page = profile_page(workshop.course, own, below);
  if (!exercise.rung_below.empty() && !below) {
    page.add("The rung below, " + names_of(exercise.rung_below) +
             ", does not pass yet, or not with these sizes, and so is not beside it.");
  }
  return page;
}

}  // namespace

std::vector<Counted> counted_from(const std::string& text) {
  std::vector<Counted> runs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) runs.push_back(counted_from_line(line));
  return runs;
}

Counted added_up(const std::vector<Counted>& runs) {
  Counted sum = runs.front();
  for (std::size_t i = 1; i < runs.size(); ++i) {
    for (const auto& [name, number] : runs[i].numbers) sum.numbers[name] += number;
    for (const std::string& kernel : runs[i].kernels) {
      if (std::find(sum.kernels.begin(), sum.kernels.end(), kernel) != sum.kernels.end()) continue;
      sum.kernels.push_back(kernel);
    }
    sum.lines.insert(sum.lines.end(), runs[i].lines.begin(), runs[i].lines.end());
  }
  return sum;
}

Page profile_page(const Course& course, const Counted& own, const std::optional<Counted>& below) {
  const Exercise& exercise = course.exercise(own.exercise);
  Page page;
  page.add(own.exercise + " " + exercise.title, Style::strong);
  page.add("Counted by the simulator with " + own.sizes + ": " + names_of(own.kernels) + ".");
  if (below) {
    page.add("Beside it the rung below, " + names_of(exercise.rung_below) + ": " +
             names_of(below->kernels) + ".");
  }
  page.add("");
  std::string head = "  " + std::string(kTitleWidth, ' ');
  if (below) head += right("below", kNumberWidth);
  page.add(head + right(own.exercise, kNumberWidth), Style::strong);
  for (const Row& row : kRows) {
    const std::uint64_t is = number_of(own, row.number);
    const std::uint64_t was = below ? number_of(*below, row.number) : 0;
    if (is == 0 && was == 0) continue;
    const std::string title = row.title;
    std::string line = "  " + title + std::string(kTitleWidth - title.size(), ' ');
    if (below) line += right(with_commas(was), kNumberWidth);
    line += right(with_commas(is), kNumberWidth);
    const std::string compared = below ? times(is, was) : "";
    page.add(line + (compared.empty() ? "" : "   " + compared));
  }
  page.gap();
  for (const CostlyLine& line : own.lines) {
    page.add(line.place + ", " + line.kind + ": costs " + with_commas(line.cost) + " where " +
             with_commas(line.least) + " would do.");
  }
  page.gap();
  page.add("docs/simulator.md says what is counted. None of it is a time.", Style::faint);
  return page;
}

Page profile(const Workshop& workshop, const std::string& words) {
  const Selection selection = selection_of(workshop.course, words);
  std::vector<const Exercise*> exercises;
  for (const Exercise& exercise : selection.lesson->exercises) {
    if (selection.exercise != nullptr ? selection.exercise == &exercise
                                      : !exercise.rung_below.empty()) {
      exercises.push_back(&exercise);
    }
  }
  if (exercises.empty()) {
    throw Error("no exercise of lesson " + selection.lesson->number +
                " stands on a rung below it; ./andrea profile " + selection.lesson->number +
                ".1 profiles one by itself.");
  }
  Page page;
  for (const Exercise* const exercise : exercises) {
    if (part_of(*exercise) == Part::worksheet) {
      throw Error(exercise->id + " is a question of the worksheet, and has no kernel.");
    }
    page.gap();
    try {
      page.add(page_of(workshop, *exercise));
    } catch (const Error& error) {
      if (selection.exercise != nullptr) throw;
      page.add(error.what());  // the others of the lesson may pass
    }
  }
  return page;
}

}  // namespace andrea::course
