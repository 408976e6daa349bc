#include "trainer/commands/help_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <sstream>

#include "trainer/base/terminal.h"

namespace andrea {
namespace {

constexpr int kNarrowest = 50;  // a narrower screen breaks the lines itself
constexpr int kWidest = 100;    // longer lines are hard to read
constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;  // between a flag and what it means

// "N" and "X" for what CLI11 calls INT, UINT and FLOAT.
std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type == "INT" || type == "UINT") return "N";
  return type == "FLOAT" ? "X" : type;
}

// "--steps N", "--tied, --untied", "-h, --help", "--text PATH..."; an argument without dashes:
// "ids".
std::string name_of(const CLI::Option& option) {
  const bool many = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  const std::string more = many ? "..." : "";
  if (option.get_positional()) return option.get_name(true) + more;
  std::string names;
  for (const std::string& name : option.get_snames()) names += ", -" + name;
  for (const std::string& name : option.get_lnames()) names += ", --" + name;
  names.erase(0, 2);
  const std::string value = value_name(option);  // "" for what takes none
  return value.empty() ? names : names + " " + value + more;
}

std::string default_of(const CLI::Option& option) {
  const std::string value = option.get_default_str();
  return value.empty() || value == "[]" || value == "\"\"" ? "" : " [" + value + "]";
}

std::string with_default(const CLI::Option& option) {
  std::string description = option.get_description();
  description.insert(std::min(description.find('\n'), description.size()), default_of(option));
  return description;
}

void append_option(std::string& out, const CLI::Option& option, std::size_t left, int columns) {
  std::string name = name_of(option);
  std::istringstream lines(with_default(option));
  for (std::string line; std::getline(lines, line); name.clear()) {
    std::string start = std::string(kIndent, ' ') + name;
    start.resize(left, ' ');
    out += wrapped(start + line, columns, static_cast<int>(left)) + "\n";
  }
}

}  // namespace

std::string help_text(const CLI::App& app, int columns) {
  columns = std::clamp(columns, kNarrowest, kWidest);
  std::string out =
      wrapped(app.get_description(), columns, 0) + "\n\n" + app.get_name() + " [FLAG...]";
  std::size_t left = 0;
  bool any_default = false;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) out += " [" + name_of(*option) + "]";
    left = std::max(left, kIndent + name_of(*option).size() + kGap);
    any_default = any_default || !default_of(*option).empty();
  }
  out += "\n";
  if (any_default) out += "In [brackets]: what holds without the flag.\n";

  for (const std::string& group : app.get_groups()) {
    if (group.empty()) continue;  // hidden
    out += group == "Options" ? "\n" : "\n" + group + "\n";
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() == group) append_option(out, *option, left, columns);
    }
  }
  return out;
}

}  // namespace andrea
