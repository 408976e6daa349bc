#include "tests/harness/exercise/messages.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace andrea {
namespace {

// What is read is what was linked: a test needs no file beside it.
constexpr const char* kCatalogue =
#include "tests/harness/exercise/messages.inc"
    ;

nlohmann::json& catalogues() {
  static nlohmann::json parts = nlohmann::json::parse(kCatalogue);
  return parts;
}

// nullptr where there is none. Ids of exercises have a dot of their own: "01.2.swapped".
const nlohmann::json* find(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return nullptr;
  for (const nlohmann::json& part : catalogues()) {
    const auto group = part.find(name.substr(0, dot));
    if (group == part.end()) continue;
    const auto text = group->find(name.substr(dot + 1));
    return text == group->end() ? nullptr : &*text;
  }
  return nullptr;
}

}  // namespace

void add_messages(const std::string& json) { catalogues().push_back(nlohmann::json::parse(json)); }

bool has_message(const std::string& name) { return find(name) != nullptr; }

std::string message(const std::string& name, const std::map<std::string, std::string>& words) {
  const nlohmann::json* const found = find(name);
  if (found == nullptr)
    throw std::out_of_range("the catalogues messages.json have no '" + name + "'");
  const std::string text = *found;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    result += text.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::size_t close = text.find('}', open);
    const std::string word = text.substr(open + 1, close - open - 1);
    const auto value = words.find(word);
    if (value == words.end()) throw std::out_of_range("'" + name + "' needs '" + word + "'");
    result += value->second;
    at = close + 1;
  }
  return result;
}

}  // namespace andrea
