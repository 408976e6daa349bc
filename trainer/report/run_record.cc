#include "trainer/report/run_record.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/report/number_text.h"

namespace andrea {
namespace {

using Json = nlohmann::ordered_json;  // keeps the members in the order of the file

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestExact = 0x1p53;

// Where a JSON value stands, put into words only when there is something to complain about.
struct Place {
  const std::filesystem::path& file;
  std::size_t line = 0;  // 0: the file is one value, of any number of lines

  std::string words() const {
    return line == 0 ? file.string() : text(file.string(), ", line ", line);
  }
};

[[noreturn]] void fail(const Place& place, const std::string& fault) {
  throw Error(place.words() + ": " + fault);
}

// A JSON object, for reading its members with messages that say where they stand.
class Object {
 public:
  Object(const Json& json, const Place& place) : json_(json), place_(place) {
    if (!json_.is_object()) fail(place_, "expected an object in braces, found " + json_.dump());
  }

  // The member, or nullptr.
  const Json* find(const char* key) const {
    const auto member = json_.find(key);
    return member == json_.end() ? nullptr : &*member;
  }

  // The member that is not null, or nullptr. Error if it is not of the type.
  const Json* find(const char* key, bool (Json::*is_type)() const, const char* type) const {
    const Json* member = find(key);
    if (!member || member->is_null()) return nullptr;
    if (!(member->*is_type)()) complain(key, type, *member);
    return member;
  }

  // A figure of a step, where null stands for NaN.
  std::optional<double> figure(const char* key) const {
    const Json* member = find(key);
    if (member && member->is_null()) return kNan;
    return number(key);
  }

  std::optional<double> number(const char* key) const {
    const Json* member = find(key, &Json::is_number, "a number");
    return member ? std::optional(member->get<double>()) : std::nullopt;
  }

  std::optional<std::int64_t> count(const char* key) const {
    const std::optional<double> value = number(key);
    if (!value) return std::nullopt;
    if (*value < 0 || *value > kLargestExact || *value != std::floor(*value)) {
      complain(key, "a whole number", *find(key));
    }
    return static_cast<std::int64_t>(*value);
  }

  std::string string(const char* key) const {
    const Json* member = find(key, &Json::is_string, "a text");
    return member ? member->get<std::string>() : "";
  }

  std::int64_t step() const {
    const std::optional<std::int64_t> step = count("step");
    if (!step) fail(place_, "it has no \"step\"");
    return *step;
  }

  const Place& place() const { return place_; }

 private:
  [[noreturn]] void complain(const char* key, const char* type, const Json& found) const {
    fail(place_, text("\"", key, "\" should be ", type, ", not ", found.dump()));
  }

  const Json& json_;
  Place place_;
};

// The JSON value that the text is, or a discarded one.
Json parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    return Json(Json::value_t::discarded);
  }
}

// Calls use(object) for every line of the file; none if there is no file.
template <typename Use>
void for_each_line(const std::filesystem::path& path, Use use) {
  if (!std::filesystem::exists(path)) return;
  const std::string contents = read_file(path);
  std::string_view rest = contents;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const bool is_ended = end != std::string_view::npos;
    const Json json = parse(rest.substr(0, end));
    // An object that lacks its closing brace is no JSON, so a cut line never passes for a whole
    // one.
    if (json.is_discarded() && !is_ended) return;
    const Place place{path, number};
    if (json.is_discarded()) {
      fail(place, "it is not JSON; remove the line, or take the file from a backup");
    }
    use(Object(json, place));
    rest.remove_prefix(is_ended ? end + 1 : rest.size());
  }
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return significant_text(value.get<double>(), 6);
  if (!value.is_array()) return value.dump();
  std::string joined;
  for (const Json& element : value) joined += (joined.empty() ? "" : ", ") + value_text(element);
  return joined;
}

void append_values(const Json& object, const std::string& prefix, NamedValues& values) {
  for (const auto& [name, value] : object.items()) {
    if (value.is_object()) {
      append_values(value, prefix + name + ".", values);
    } else if (!value.is_null()) {
      values.emplace_back(prefix + name, value_text(value));
    }
  }
}

NamedValues named_values(const Object& run, const char* key) {
  NamedValues values;
  const Json* member = run.find(key, &Json::is_object, "an object in braces");
  if (member) append_values(*member, "", values);
  return values;
}

NamedValues kernel_origins(const Object& run) {
  NamedValues kernels;
  const Json* member = run.find("kernels", &Json::is_array, "a list in brackets");
  if (!member) return kernels;
  for (const Json& element : *member) {
    const Object kernel(element, run.place());
    kernels.emplace_back(kernel.string("operation"), kernel.string("implementation"));
  }
  return kernels;
}

void read_run(const std::filesystem::path& path, RunRecord& record) {
  if (!std::filesystem::exists(path)) return;
  const Json json = parse(read_file(path));
  const Place place{path};
  if (json.is_discarded()) {
    fail(place,
         "it is not JSON; take it from a backup, or remove it: the report then does without");
  }
  const Object run(json, place);
  record.name = run.string("name");
  record.corpus = run.string("corpus");
  record.machine = run.string("machine");
  record.status = run.string("status");
  record.parameters = run.count("parameters");
  record.steps = run.count("steps");
  record.seconds = run.number("seconds");
  record.entropy_bits_per_byte = run.number("entropy_bits_per_byte");
  record.validation_exact_bits_per_byte = run.number("validation_exact_bits_per_byte");
  record.unigram_bits_per_byte = run.number("unigram_bits_per_byte");
  record.shape = named_values(run, "shape");
  record.options = named_values(run, "options");
  record.kernels = kernel_origins(run);
}

StepMetrics step_metrics(const Object& line) {
  StepMetrics metrics;
  metrics.step = line.step();
  metrics.tokens = line.count("tokens");
  metrics.loss = line.figure("loss");
  metrics.learning_rate = line.figure("learning_rate");
  metrics.gradient_norm = line.figure("gradient_norm");
  metrics.tokens_per_second = line.figure("tokens_per_second");
  metrics.validation_loss = line.figure("validation_loss");
  metrics.bits_per_byte = line.figure("bits_per_byte");
  return metrics;
}

}  // namespace

RunRecord read_run_record(const std::filesystem::path& run_folder) {
  RunRecord record;
  read_run(run_folder / "run.json", record);
  for_each_line(run_folder / "metrics.jsonl", [&](const Object& line) {
    const StepMetrics metrics = step_metrics(line);
    if (!record.metrics.empty()) {
      const std::int64_t before = record.metrics.back().step;
      if (metrics.step <= before) {
        fail(line.place(), text("step ", metrics.step, " comes after step ", before,
                                "; two runs seem to have written into this folder"));
      }
    }
    record.metrics.push_back(metrics);
  });
  for_each_line(run_folder / "samples.jsonl", [&](const Object& line) {
    record.samples.push_back({line.step(), line.string("prompt"), line.string("text")});
  });
  return record;
}

}  // namespace andrea
