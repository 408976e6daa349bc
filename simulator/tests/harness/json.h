// File: json.h
//
// Reads one value of JSON, strictly: what the simulator writes for programs must be what they read.

#ifndef ANDREA_SIMULATOR_TESTS_HARNESS_JSON_H_
#define ANDREA_SIMULATOR_TESTS_HARNESS_JSON_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace simulator_test {

struct Json {
  std::string text;  // of a string; of a number, true, false and null as it is written
  std::vector<Json> items;
  std::map<std::string, Json> members;

  // Throws std::out_of_range where there is none of that name.
  const Json& operator[](const std::string& name) const { return members.at(name); }
};

// Throws std::runtime_error, with the position, where the text is no JSON.
Json read_json(std::string_view text);

}  // namespace simulator_test

#endif  // ANDREA_SIMULATOR_TESTS_HARNESS_JSON_H_
