#include "simulator/tool/build_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "simulator/tool/content_hash.h"

namespace simulator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPrograms = 200;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{2} << 30;
// A program may have several: one a folder it was built from, one a set of options.
constexpr std::size_t kMostRecipes = 1000;
constexpr auto kLongestBuild = std::chrono::hours(6);

// Empty if the folder is there and may be written, else the reason.
std::string why_unusable(const std::string& folder) {
  for (const char* const below : {"/recipes", "/programs", "/unfinished"}) {
    std::error_code error;
    fs::create_directories(folder + below, error);
    if (error) return error.message();
    if (access((folder + below).c_str(), W_OK | X_OK) != 0) return std::strerror(errno);
  }
  return "";
}

// A folder of this user alone. The name can be guessed, so that somebody else may have made it.
std::string temporary_folder() {
  const char* const variable = std::getenv("TMPDIR");
  const std::string base = variable == nullptr || *variable == '\0' ? "/tmp" : variable;
  const std::string folder = base + "/andrea-cuda-" + std::to_string(getuid());
  mkdir(folder.c_str(), 0700);
  struct stat status = {};
  const bool is_own = lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                      status.st_uid == getuid() && (status.st_mode & 0022) == 0;
  if (is_own) return folder;
  std::string random = folder + "-XXXXXX";
  return mkdtemp(random.data()) == nullptr ? "" : random;
}

std::string usual_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/andrea/cuda";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/andrea/cuda";
  return "";
}

void mark_as_used(const std::string& path) { utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

std::string key_of(const std::string& recipe, const std::vector<Dependency>& dependencies) {
  ContentHash hash;
  hash.add(recipe);
  for (const Dependency& dependency : dependencies) {
    hash.add(dependency.path);
    hash.add(std::to_string(dependency.hash));
  }
  return hash.digits();
}

struct Entry {
  fs::path path;
  fs::file_time_type used;
  std::uintmax_t bytes = 0;
};

// The last used first. Whatever another process removes meanwhile is left out.
std::vector<Entry> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (const fs::directory_entry& item : fs::directory_iterator(folder, error)) {
    Entry entry{item.path(), fs::last_write_time(item.path(), error)};
    if (error) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(item.path(), error)) {
      const std::uintmax_t size = file.file_size(error);
      if (!error) entry.bytes += size;
    }
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used > b.used; });
  return entries;
}

}  // namespace

std::optional<BuildCache> BuildCache::open(std::string& notice) {
  notice.clear();
  const std::string folder = usual_folder();
  const std::string reason = folder.empty() ? "HOME is not set" : why_unusable(folder);
  if (reason.empty()) return BuildCache(folder);
  const std::string temporary = temporary_folder();
  notice = "built programs cannot be kept in " + (folder.empty() ? "~/.cache" : folder) + " (" +
           reason + ")";
  if (temporary.empty() || !why_unusable(temporary).empty()) {
    notice += ", nor in a folder for temporary files; set TMPDIR to one that can be written";
    return std::nullopt;
  }
  notice += "; they are in " + temporary + " instead";
  return BuildCache(temporary);
}

std::string BuildCache::find(const std::string& recipe, const std::string& name) const {
  const std::string list = folder_ + "/recipes/" + recipe;
  std::ifstream file(list);
  if (!file) return "";
  std::vector<Dependency> dependencies;
  for (std::string path; std::getline(file, path);) {
    const auto hash = hash_of_file(path);
    if (!hash) return "";
    dependencies.push_back({path, *hash});
  }
  const std::string kept = folder_ + "/programs/" + key_of(recipe, dependencies);
  const std::string program = kept + "/" + name;
  if (access(program.c_str(), X_OK) != 0) return "";
  mark_as_used(kept);
  mark_as_used(list);
  return program;
}

std::string BuildCache::new_work_folder(std::string& problem) const {
  std::string folder = folder_ + "/unfinished/XXXXXX";
  if (mkdtemp(folder.data()) != nullptr) return folder;
  problem = folder_ + "/unfinished cannot take a new folder: " + std::strerror(errno);
  return "";
}

std::string BuildCache::store(const std::string& recipe, const std::string& name,
                              const std::optional<std::vector<Dependency>>& dependencies,
                              const std::string& work_folder, std::string& problem) const {
  std::string key = fs::path(work_folder).filename().string();  // As good as any other.
  std::error_code error;
  const std::string kept = work_folder + "/kept", list = work_folder + "/recipe";
  fs::create_directory(kept, error);
  if (!error) fs::rename(work_folder + "/" + name, kept + "/" + name, error);
  if (dependencies) {
    key = key_of(recipe, *dependencies);
    std::ofstream file(list);
    for (const Dependency& dependency : *dependencies) file << dependency.path << '\n';
    file.close();
    if (!file && !error) error.assign(errno, std::generic_category());
  }
  const std::string place = folder_ + "/programs/" + key;
  const std::string program = place + "/" + name;
  if (!error) {
    fs::rename(kept, place, error);
    // Another process may have built the same meanwhile.
    if (error && access(program.c_str(), X_OK) == 0) error.clear();
  }
  if (!error && dependencies) fs::rename(list, folder_ + "/recipes/" + recipe, error);
  std::error_code ignored;
  fs::remove_all(work_folder, ignored);
  if (error) {
    problem = "the program cannot be kept in " + folder_ + ": " + error.message();
    return "";
  }
  mark_as_used(place);
  trim(kMostPrograms, kMostBytes);
  return program;
}

void BuildCache::trim(std::size_t most_programs, std::uintmax_t most_bytes) const {
  std::error_code ignored;
  std::uintmax_t bytes = 0;
  std::size_t count = 0;
  for (const Entry& entry : entries_of(folder_ + "/programs")) {
    bytes += entry.bytes;
    ++count;
    // The last one is the one about to run.
    if (count == 1 || (count <= most_programs && bytes <= most_bytes)) continue;
    // All at once, so that nobody finds half of it.
    const fs::path away = folder_ + "/unfinished/old-" + entry.path.filename().string();
    fs::rename(entry.path, away, ignored);
    fs::remove_all(away, ignored);
  }
  count = 0;
  for (const Entry& entry : entries_of(folder_ + "/recipes")) {
    if (++count > kMostRecipes) fs::remove(entry.path, ignored);
  }
  // Builds that were broken off.
  for (const Entry& entry : entries_of(folder_ + "/unfinished")) {
    if (fs::file_time_type::clock::now() - entry.used > kLongestBuild) {
      fs::remove_all(entry.path, ignored);
    }
  }
}

}  // namespace simulator
