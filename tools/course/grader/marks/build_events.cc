#include "tools/course/grader/marks/build_events.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "trainer/base/error.h"
#include "trainer/base/file.h"

namespace andrea::grader {
namespace {

// "file:///tmp/a%20b" is /tmp/a b; empty for another scheme.
std::string path_of(const std::string& uri) {
  if (uri.rfind("file://", 0) != 0) return "";
  std::string path;
  for (std::size_t i = 7; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      path += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::string words_of(const nlohmann::json& action) {
  std::string words;
  for (const char* stream : {"stdout", "stderr"}) {
    if (!action.contains(stream)) continue;
    const std::string path = path_of(action[stream].value("uri", ""));
    if (path.empty()) continue;
    try {
      words += read_file(path);
    } catch (const Error&) {
      words += "(what it printed is lost)";
    }
  }
  return words;
}

}  // namespace

BuildEvents read_build_events(const std::string& lines) {
  BuildEvents events;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
    if (event.is_discarded()) break;
    if (event.contains("namedSetOfFiles")) {
      for (const nlohmann::json& file :
           event["namedSetOfFiles"].value("files", nlohmann::json::array())) {
        const std::string path = path_of(file.value("uri", ""));
        if (!path.empty()) events.files[file.value("name", "")] = path;
      }
    }
    if (event.contains("action") && !event["action"].value("success", false)) {
      const nlohmann::json& action = event["action"];
      const nlohmann::json id = event["id"].value("actionCompleted", nlohmann::json::object());
      events.failed.push_back({id.value("label", action.value("label", "")),
                               action.value("type", ""), words_of(action)});
    }
  }
  return events;
}

}  // namespace andrea::grader
