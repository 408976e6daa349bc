#include "tools/course/runner/memory.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "trainer/base/error.h"
#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// An empty object where there is no such file, or it is damaged: a memory is no truth.
json read_json(const fs::path& path) {
  try {
    const json read = json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
    return read.is_object() ? read : json::object();
  } catch (const Error&) {
    return json::object();
  }
}

void write_json(const fs::path& path, const json& what) {
  try {
    fs::create_directories(path.parent_path());
    replace_file(path, what.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
  } catch (const std::exception&) {
    // A full disk or a folder of somebody else's: what was found out is told all the same.
  }
}

// Enough to undo an experiment.
constexpr std::size_t kMostPast = 8;

}  // namespace

PartMemory in_state(PartMemory memory, const std::string& state) {
  if (memory.state == state) return memory;
  if (!memory.state.empty() && !memory.results.empty()) {
    memory.past.insert(memory.past.begin(), {memory.state, memory.results});
  }
  memory.earlier = merged(memory.earlier, memory.results);
  memory.compiles = true;
  const auto known =
      std::find_if(memory.past.begin(), memory.past.end(),
                   [&](const PartMemory::Past& past) { return past.state == state; });
  if (known != memory.past.end()) {
    memory.state = state;
    memory.results = std::move(known->results);
    memory.past.erase(known);
  } else {
    memory.state.clear();
    memory.results.clear();
  }
  if (memory.past.size() > kMostPast) memory.past.resize(kMostPast);
  return memory;
}

fs::path Memory::file_of(const Lesson& lesson, Part part) const {
  return folder() / "results" / (lesson.number + "." + name_of(part) + ".json");
}

PartMemory Memory::part(const Lesson& lesson, Part part) const {
  const json read = read_json(file_of(lesson, part));
  try {
    PartMemory memory;
    memory.state = read.value("state", "");
    memory.compiles = read.value("compiles", true);
    if (read.contains("report")) memory.results = results_from(read["report"].dump());
    if (read.contains("earlier")) memory.earlier = results_from(read["earlier"].dump());
    for (const json& past : read.value("past", json::array())) {
      memory.past.push_back({past.at("state"), results_from(past.at("report").dump())});
    }
    return memory;
  } catch (const std::exception&) {
    return {};
  }
}

bool Memory::knows(const LessonPart& part) const {
  return !this->part(*part.lesson, part.part).state.empty();
}

void Memory::keep(const Lesson& lesson, Part part, const PartMemory& what) const {
  json past = json::array();
  for (const PartMemory::Past& one : what.past) {
    past.push_back({{"state", one.state}, {"report", json::parse(json_from(one.results))}});
  }
  write_json(file_of(lesson, part), {{"state", what.state},
                                     {"compiles", what.compiles},
                                     {"report", json::parse(json_from(what.results))},
                                     {"earlier", json::parse(json_from(what.earlier))},
                                     {"past", past}});
}

int Memory::hints_shown(const std::string& exercise) const {
  const json read = read_json(folder() / "hints.json");
  const auto found = read.find(exercise);
  return found != read.end() && found->is_number_integer() ? found->get<int>() : 0;
}

void Memory::keep_hints_shown(const std::string& exercise, int stages) const {
  json read = read_json(folder() / "hints.json");
  read[exercise] = stages;
  write_json(folder() / "hints.json", read);
}

}  // namespace andrea::course
