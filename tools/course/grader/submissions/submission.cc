#include "tools/course/grader/submissions/submission.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <set>

#include "tools/course/grader/submissions/picker.h"
#include "tools/course/grader/submissions/sources.h"
#include "trainer/base/error.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestId = 60;

// FNV-1a: the same in every run, unlike std::hash.
std::uint32_t hash_of(const std::string& text) {
  std::uint32_t hash = 2166136261u;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619u;
  return hash;
}

std::string without_ending(const std::string& name) {
  std::string shorter = fs::path(name).stem().string();
  if (shorter.size() > 4 && shorter.ends_with(".tar")) shorter.resize(shorter.size() - 4);
  return shorter;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

// A folder that holds no lesson but an archive, as Moodle hands them over.
void read_archive_within(const fs::path& folder, Picker& picker) {
  std::vector<fs::path> archives;
  for (const fs::path& entry : entries_of(folder)) {
    if (fs::is_regular_file(fs::symlink_status(entry)) && is_archive_name(entry.string())) {
      archives.push_back(entry);
    }
  }
  if (archives.empty()) return;
  if (archives.size() > 1) {
    picker.remark("there are several archives in it; '" + archives[0].filename().string() +
                  "' was taken.");
  }
  read_archive(archives[0], picker);
}

Submission read_one(const fs::path& path, bool is_folder, const Wanted& wanted) {
  Submission one;
  one.name = is_folder ? path.filename().string() : without_ending(path.filename().string());
  Picker picker(wanted);
  try {
    if (!is_folder) {
      read_archive(path, picker);
    } else if (is_repository(path)) {
      read_repository(path, picker);
    } else {
      read_folder(path, picker);
      if (!picker.found_any()) read_archive_within(path, picker);
    }
    one.files = picker.files();
  } catch (const Error& error) {
    // Nothing is taken from what is damaged or made to harm.
    picker.remark(error.what());
  }
  one.remarks = picker.remarks();
  if (one.files.empty()) one.remarks.push_back("no file of the lessons was found in it.");
  return one;
}

}  // namespace

std::string id_of(const std::string& name) {
  std::string id;
  for (const char letter : name) {
    const bool fits = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
    id += fits ? letter : '_';
  }
  if (id == name && !id.empty() && id.size() <= kLongestId && id[0] != '-') return id;
  std::array<char, 12> hash{};
  std::snprintf(hash.data(), hash.size(), "-%08x", hash_of(name));
  if (id.empty() || id[0] == '-') id.replace(0, 1, "_");
  return id.substr(0, kLongestId) + hash.data();
}

Submissions read_submissions(const fs::path& folder, const Wanted& wanted) {
  require(fs::is_directory(folder), "'", folder.string(),
          "' is not a folder; name the one that holds the submissions.");
  require(!fs::is_directory(folder / "lessons") && !fs::exists(folder / ".git"), "'",
          folder.string(),
          "' looks like a submission itself; name the folder that holds them all.");
  Submissions result;
  std::set<std::string> names, ids;
  for (const fs::path& entry : entries_of(folder)) {
    const std::string name = entry.filename().string();
    const fs::file_status status = fs::symlink_status(entry);
    const bool is_folder = fs::is_directory(status);
    if (name[0] == '.' || name == "__MACOSX") continue;
    if (!is_folder && !(fs::is_regular_file(status) && is_archive_name(name))) {
      result.left_out.push_back(name);
      continue;
    }
    Submission one = read_one(entry, is_folder, wanted);
    if (!names.insert(one.name).second) one.name = name;  // ada and ada.zip
    one.id = id_of(one.name);
    while (!ids.insert(one.id).second) one.id += "-2";
    result.all.push_back(std::move(one));
  }
  require(!result.all.empty(), "'", folder.string(),
          "' holds no submission: neither a folder, nor a .zip or .tar.gz.");
  return result;
}

}  // namespace andrea::grader
