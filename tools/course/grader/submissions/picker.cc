#include "tools/course/grader/submissions/picker.h"

#include <optional>

#include "trainer/base/error.h"

namespace andrea::grader {

void Picker::offer(const std::string& path, Kind kind, std::int64_t bytes,
                   const std::function<std::string()>& read) {
  require(++entries_ <= kMostEntries, "it has more than ", kMostEntries, " files.");
  const std::optional<Place> place = place_of(wanted_, path);
  if (!place) return;
  if (kind != Kind::file) {
    remark("'" + path + "' is not a file but a link or the like, and was not followed.");
    return;
  }
  if (bytes > kLargestFile) {
    remark("'" + path + "' has " + std::to_string(bytes) + " bytes, more than the " +
           std::to_string(kLargestFile) + " that are read.");
    return;
  }
  const auto known = found_.find(place->path);
  if (known != found_.end() && known->second.rank < place->rank) return;
  Found found{place->rank, path, read()};
  if (known != found_.end() && known->second.rank == place->rank) {
    if (known->second.text != found.text) {
      remark("there are two of " + place->path + ", '" + known->second.from + "' and '" + path +
             "'; the first was taken.");
    }
    return;
  }
  found_[place->path] = std::move(found);
}

std::map<std::string, std::string> Picker::files() const {
  std::map<std::string, std::string> result;
  for (const auto& [path, found] : found_) result[path] = found.text;
  return result;
}

}  // namespace andrea::grader
