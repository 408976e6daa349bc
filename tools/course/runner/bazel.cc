#include "tools/course/runner/bazel.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

namespace andrea::course {
namespace {

using nlohmann::json;

// "/a%20b" is "/a b".
std::string without_percent(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      result += static_cast<char>(std::strtol(text.substr(i + 1, 2).c_str(), nullptr, 16));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

Command build_command(const Bazel& bazel, const std::string& target,
                      const std::filesystem::path& events) {
  Command command;
  command.folder = bazel.workspace;
  command.words = {"bazel"};
  command.words.insert(command.words.end(), bazel.startup.begin(), bazel.startup.end());
  for (const char* word : {"build", "--color=no", "--curses=no", "--show_progress_rate_limit=1",
                           "--show_result=0", "--ui_event_filters=-info,-debug"}) {
    command.words.emplace_back(word);
  }
  command.words.push_back("--build_event_json_file=" + events.string());
  // With a remote cache files would be named by where they lie there.
  command.words.push_back("--nobuild_event_json_file_path_conversion");
  command.words.insert(command.words.end(), bazel.flags.begin(), bazel.flags.end());
  command.words.push_back(target);
  // Which compiler is the set-up's choice, not the environment's.
  command.without = {"CC", "CXX"};
  return command;
}

std::string built_program(const std::string& events, const std::string& target) {
  std::string end = target.substr(1);  // "/lessons/02_x:kernel_test"
  const std::size_t colon = end.find(':');
  if (colon != std::string::npos) end[colon] = '/';
  std::istringstream lines(events);
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (event.is_discarded() || !event.contains("namedSetOfFiles")) continue;
    const json files = event["namedSetOfFiles"].value("files", json::array());
    for (const json& file : files) {
      const std::string uri = without_percent(file.value("uri", ""));
      constexpr const char* kScheme = "file://";
      if (uri.starts_with(kScheme) && uri.ends_with(end)) {
        return uri.substr(std::string(kScheme).size());
      }
    }
  }
  return "";
}

std::string progress_in(const std::string& printed) {
  const std::size_t begin = printed.rfind("\n[");
  if (begin == std::string::npos) return "";
  const std::size_t slash = printed.find(" / ", begin), end = printed.find(']', begin);
  if (slash == std::string::npos || end == std::string::npos || slash > end) return "";
  return printed.substr(begin + 2, slash - begin - 2) + " of " +
         printed.substr(slash + 3, end - slash - 3);
}

bool waits_for_another(const std::string& printed) {
  const std::size_t at = printed.rfind("Another command");
  return at != std::string::npos && printed.find('\n', at) + 1 >= printed.size();
}

}  // namespace andrea::course
