#include "tools/course/runner/region.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "trainer/base/lines.h"

namespace andrea::course {
namespace {

using Lines = std::vector<std::string>;

// So many lines with something in them, which both texts have once, are a place.
constexpr std::size_t kEnough = 3;

std::string_view trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return std::string_view(line).substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

// "02.5" of "// TODO(02.5): ..."; empty for another line.
std::string exercise_of_todo(const std::string& line) {
  constexpr std::string_view kBegin = "// TODO(";
  const std::string_view text = trimmed(line);
  if (!text.starts_with(kBegin)) return "";
  return std::string(text.substr(kBegin.size(), text.find(')') - kBegin.size()));
}

bool same(const std::string& a, const std::string& b) { return trimmed(a) == trimmed(b); }

// Whether `count` lines of the one, from `at`, are those of the other, from `place`.
bool agrees(const Lines& stub, std::size_t at, std::size_t count, const Lines& work,
            std::size_t place) {
  if (place + count > work.size()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!same(stub[at + i], work[place + i])) return false;
  }
  return true;
}

// Where these lines of the stub stand in the text; nothing unless there is just one such place.
std::optional<std::size_t> only_place(const Lines& stub, std::size_t at, std::size_t count,
                                      const Lines& text) {
  std::optional<std::size_t> found;
  for (std::size_t place = 0; place + count <= text.size(); ++place) {
    if (!agrees(stub, at, count, text, place)) continue;
    if (found) return std::nullopt;
    found = place;
  }
  return found;
}

std::size_t with_text(const Lines& lines, std::size_t begin, std::size_t end) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                    lines.begin() + static_cast<std::ptrdiff_t>(end),
                    [](const std::string& line) { return !trimmed(line).empty(); }));
}

// Lines of the stub that the work has once, and where: [begin, begin + count) at `place`.
struct Anchor {
  std::size_t begin = 0, count = 0, place = 0;
};

std::optional<Anchor> anchor_of(const Lines& stub, std::size_t begin, std::size_t end,
                                std::size_t enough, const Lines& work) {
  if (with_text(stub, begin, end) < enough) return std::nullopt;
  const auto place = only_place(stub, begin, end - begin, work);
  if (!place || !only_place(stub, begin, end - begin, stub)) return std::nullopt;
  return Anchor{begin, end - begin, *place};
}

// The lines nearest before `todo`, but not beyond `limit`. Fewer than enough must do where two
// exercises lie close together.
std::optional<Anchor> anchor_before(const Lines& stub, std::size_t limit, std::size_t todo,
                                    const Lines& work) {
  for (std::size_t enough = kEnough; enough > 0; --enough) {
    for (std::size_t end = todo; end > limit; --end) {
      for (std::size_t begin = end; begin-- > limit;) {
        if (const auto anchor = anchor_of(stub, begin, end, enough, work)) return anchor;
      }
    }
  }
  return std::nullopt;
}

// The lines nearest after `todo`, but not beyond `limit`.
std::optional<Anchor> anchor_after(const Lines& stub, std::size_t todo, std::size_t limit,
                                   const Lines& work) {
  for (std::size_t enough = kEnough; enough > 0; --enough) {
    for (std::size_t begin = todo; begin < limit; ++begin) {
      for (std::size_t end = begin + 1; end <= limit; ++end) {
        if (const auto anchor = anchor_of(stub, begin, end, enough, work)) return anchor;
      }
    }
  }
  return std::nullopt;
}

// Of the task, which ends with the first full stop at the end of a line, the line behind it.
std::size_t end_of_task(const Lines& stub, std::size_t todo) {
  std::size_t line = todo;
  while (line < stub.size() && !trimmed(stub[line]).ends_with('.') &&
         trimmed(stub[line]).starts_with("//")) {
    ++line;
  }
  return std::min(line + 1, stub.size());
}

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// Where the block that the TODO stands in is closed, in both texts: before a helper that may
// follow, which the stub does not have. `first` is where the work begins. Nothing where the TODO
// stands in no block.
std::optional<std::pair<std::size_t, std::size_t>> end_of_block(const Lines& stub, std::size_t todo,
                                                                std::size_t limit,
                                                                const Lines& work,
                                                                std::size_t first) {
  std::size_t close = todo;
  while (close < limit &&
         (trimmed(stub[close]) != "}" || indentation(stub[close]) >= indentation(stub[todo]))) {
    ++close;
  }
  if (close == limit) return std::nullopt;
  std::ptrdiff_t depth = 0;
  for (std::size_t i = first; i < work.size(); ++i) {
    const std::string& line = work[i];
    if (depth == 0 && same(line, stub[close]) && indentation(line) == indentation(stub[close])) {
      return std::pair{close, i};
    }
    depth += std::count(line.begin(), line.end(), '{') - std::count(line.begin(), line.end(), '}');
  }
  return std::nullopt;
}

std::string text_of(const Lines& lines, const LineRange& range) {
  std::string text;
  for (std::size_t i = range.begin; i < range.end; ++i) text += lines[i] + '\n';
  return text;
}

}  // namespace

std::vector<std::string> exercises_in(const std::string& stub) {
  std::vector<std::string> found;
  for (const std::string& line : lines_of(stub)) {
    const std::string exercise = exercise_of_todo(line);
    if (exercise.empty() || std::find(found.begin(), found.end(), exercise) != found.end())
      continue;
    found.push_back(exercise);
  }
  return found;
}

std::optional<std::vector<WorkPlace>> places_of(const std::string& stub_text,
                                                const std::string& work_text,
                                                const std::string& exercise) {
  const Lines stub = lines_of(stub_text), work = lines_of(work_text);
  std::vector<std::size_t> todos;
  for (std::size_t i = 0; i < stub.size(); ++i) {
    if (!exercise_of_todo(stub[i]).empty()) todos.push_back(i);
  }
  std::vector<WorkPlace> places;
  for (std::size_t i = 0; i < todos.size(); ++i) {
    if (exercise_of_todo(stub[todos[i]]) != exercise) continue;
    const std::size_t low = i == 0 ? 0 : end_of_task(stub, todos[i - 1]);
    const std::size_t high = i + 1 < todos.size() ? todos[i + 1] : stub.size();
    const auto before = anchor_before(stub, low, todos[i], work);
    const auto after = anchor_after(stub, end_of_task(stub, todos[i]), high, work);
    if (!before || !after) return std::nullopt;
    WorkPlace place = {{before->begin + before->count, after->begin},
                       {before->place + before->count, after->place}};
    const auto end = end_of_block(stub, todos[i], high, work, place.in_work.begin);
    if (end && end->second <= after->place) {
      place.in_stub.end = end->first;
      place.in_work.end = end->second;
    }
    const bool overlaps = !places.empty() && place.in_work.begin < places.back().in_work.end;
    if (place.in_work.begin > place.in_work.end || overlaps) return std::nullopt;
    places.push_back(place);
  }
  if (places.empty()) return std::nullopt;
  return places;
}

std::string put_back(const std::string& stub_text, const std::string& work_text,
                     const std::vector<WorkPlace>& places) {
  const Lines stub = lines_of(stub_text), work = lines_of(work_text);
  std::string result;
  std::size_t done = 0;
  for (const WorkPlace& place : places) {
    result += text_of(work, {done, place.in_work.begin}) + text_of(stub, place.in_stub);
    done = place.in_work.end;
  }
  return result + text_of(work, {done, work.size()});
}

std::string exercise_changed(const std::string& stub, const std::string& before,
                             const std::string& after) {
  std::string changed;
  const Lines before_lines = lines_of(before), after_lines = lines_of(after);
  for (const std::string& exercise : exercises_in(stub)) {
    const auto was = places_of(stub, before, exercise), is = places_of(stub, after, exercise);
    if (!was || !is || was->size() != is->size()) continue;
    bool differs = false;
    for (std::size_t i = 0; i < is->size(); ++i) {
      differs |= text_of(before_lines, (*was)[i].in_work) != text_of(after_lines, (*is)[i].in_work);
    }
    if (!differs) continue;
    if (!changed.empty()) return "";
    changed = exercise;
  }
  return changed;
}

}  // namespace andrea::course
