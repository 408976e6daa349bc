#include "tools/course/grader/reports/catalogue.h"

#include <nlohmann/json.hpp>

#include "trainer/base/error.h"

namespace andrea::grader {

void Catalogue::add(const std::string& json) {
  try {
    const nlohmann::json catalogue = nlohmann::json::parse(json);
    for (const auto& [group, texts] : catalogue.items()) {
      for (const auto& [name, text] : texts.items()) texts_[group + "." + name] = text;
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(std::string("a messages.json cannot be read: ") + error.what());
  }
}

std::string Catalogue::sentence(const std::string& exercise, const std::string& mistake) const {
  static const std::map<std::string, std::string> kOthers = {
      {"", "Wrong, and like no mistake that is known."},
      {"crash", "The program crashed."},
      {"no_answer", "The program ended, or was stopped, before it had computed anything."},
      {"order", "The result depends on the order in which the threads run."},
      {"report", "The simulator found a fault: a race, a wrong access, a missing barrier."},
      {"unsolved", "Not begun."},
  };
  const auto known = texts_.find(exercise + "." + mistake);
  if (known == texts_.end()) {
    const auto other = kOthers.find(mistake);
    return other == kOthers.end() ? mistake : other->second;
  }
  std::string sentence;
  for (std::size_t i = 0; i < known->second.size(); ++i) {
    if (known->second[i] == '{' && known->second.find('}', i) != std::string::npos) {
      sentence += "N";
      i = known->second.find('}', i);
    } else {
      sentence += known->second[i];
    }
  }
  if (!sentence.empty()) sentence[0] = static_cast<char>(std::toupper(sentence[0]));
  return sentence;
}

}  // namespace andrea::grader
