// File: simulator/tool/build_cache.h
//
// Programs built before, below ${XDG_CACHE_HOME:-~/.cache}/andrea/cuda:
//
//     recipes/<recipe>       the files that a build read, by its recipe: command line, compiler,
//     ... programs/<key>/<name>  the program, by its recipe and what those files held work/<random>
//     a build that is under way
//
// A recipe with the same files leads to the same program, and no file's time matters. One limit: a
// new header that the compiler would find before the one it found then goes unnoticed.
//
// Every change is a rename, so that several processes may build and look up at the same time. At
// most 200 programs and 2 GB stay, the last used ones.

#ifndef ANDREA_SIMULATOR_TOOL_BUILD_CACHE_H_
#define ANDREA_SIMULATOR_TOOL_BUILD_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace simulator {

// A file that a build read, and the hash of what it held.
struct Dependency {
  std::string path;    // where it was read
  std::uint64_t hash;  // of its contents
};

class BuildCache {
 public:
  // Where the usual folder cannot be written it is one for temporary files, and `notice` is a
  // sentence about that. Nothing if there is no such folder either; then `notice` says why.
  static std::optional<BuildCache> open(std::string& notice);

  // In that folder, which is there.
  explicit BuildCache(std::string folder) : folder_(std::move(folder)) {}

  // The program `name` that the recipe would make; empty if it has to be built.
  std::string find(const std::string& recipe, const std::string& name) const;

  // A new folder to build in; empty, and a sentence in `problem`, if there can be none. Whoever
  // takes it either stores or removes it.
  std::string new_work_folder(std::string& problem) const;

  // Keeps the file `name` of a work folder, removes the folder, and returns the file's new path.
  // Without dependencies it will not be found again: something changed while it was built.
  std::string store(const std::string& recipe, const std::string& name,
                    const std::optional<std::vector<Dependency>>& dependencies,
                    const std::string& work_folder, std::string& problem) const;

  // Removes the programs that were used longest ago beyond these limits.
  void trim(std::size_t most_programs, std::uintmax_t most_bytes) const;

 private:
  std::string folder_;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_BUILD_CACHE_H_
