#include "trainer/corpus/text_files.h"

#include <glob.h>

#include <algorithm>
#include <numeric>
#include <system_error>

#include "trainer/base/error.h"
#include "trainer/corpus/text_reader.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSniffedBytes = 8192;

enum class Kind { text, binary, empty };

Kind kind_of(const fs::path& file) {
  TextReader reader(file);
  std::string front;
  if (!reader.read(kSniffedBytes, &front)) return Kind::empty;
  return front.find('\0') == std::string::npos ? Kind::text : Kind::binary;
}

// How many characters must be inserted, removed or replaced to turn one name into the other
// (Levenshtein 1966).
std::size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// ", did you mean X?" for the entry of the missing path's folder whose name is close to it.
std::string suggestion(const fs::path& missing) {
  const std::string name = missing.filename().string();
  const fs::path folder = missing.has_parent_path() ? missing.parent_path() : fs::path(".");
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  fs::path closest;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::size_t distance = edit_distance(name, entry.path().filename().string());
    if (distance > least || (distance == least && entry.path() >= closest)) continue;
    if (distance >= name.size()) continue;  // Nothing in common.
    least = distance;
    closest = entry.path();
  }
  if (closest.empty()) return "";
  return text("; did you mean ",
              (missing.has_parent_path() ? closest : closest.filename()).string(), "?");
}

[[noreturn]] void fail_missing(const fs::path& path) {
  fs::path missing = path;
  if (!missing.has_filename()) missing = missing.parent_path();  // "novels/"
  while (missing.has_parent_path() && !fs::exists(missing.parent_path())) {
    missing = missing.parent_path();
  }
  throw Error(text("there is no file or folder ", missing.string(),
                   missing == path ? "" : text(" (of ", path.string(), ")"), suggestion(missing)));
}

std::vector<fs::path> expand_pattern(const std::string& pattern) {
  glob_t found = {};
  const int code = ::glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  std::vector<fs::path> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  require(code != GLOB_ABORTED, "cannot read a folder of the pattern ", pattern,
          "; check its permissions");
  require(!paths.empty(), "no file or folder matches the pattern ", pattern);
  return paths;
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(folder);
       entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (name.front() == '.') {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && name != "PROVENANCE") {
      files.push_back(entry->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string joined(const std::vector<std::string>& paths) {
  constexpr std::size_t kShown = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(paths.size(), kShown); ++i) {
    names += (i == 0 ? "" : ", ") + paths[i];
  }
  return paths.size() > kShown ? text(names, " and ", paths.size() - kShown, " more") : names;
}

// Gathers the text files of all paths.
class Search {
 public:
  void add(const std::string& path) {
    require(!path.empty(), "the path of a text is empty; name a file, a folder or a pattern");
    if (fs::exists(path)) {
      add_existing(path, /*outright=*/true);
    } else if (path.find_first_of("*?[") != std::string::npos) {
      for (const fs::path& match : expand_pattern(path)) add_existing(match, /*outright=*/false);
    } else {
      fail_missing(path);
    }
  }

  TextFiles result(const std::vector<std::string>& paths) && {
    const std::string names = joined(paths);
    require(!files_.empty(), "there is no text in ", names, skipped_note());
    const bool is_one_file = paths.size() == 1 && files_.size() == 1 && files_[0] == paths[0];
    std::string description =
        is_one_file ? names
                    : text(files_.size(), files_.size() == 1 ? " file of " : " files of ", names);
    return {std::move(files_), description + skipped_note()};
  }

 private:
  void add_existing(const fs::path& path, bool outright) {
    if (fs::is_directory(path)) {
      for (const fs::path& file : files_below(path)) add_file(file, /*outright=*/false);
    } else {
      require(fs::is_regular_file(path), path.string(), " is neither a file nor a folder; a text ",
              "is read more than once, so write it to a file first");
      add_file(path, outright);
    }
  }

  void add_file(const fs::path& file, bool outright) {
    const Kind kind = kind_of(file);
    if (kind == Kind::text) files_.push_back(file);
    if (kind != Kind::binary) return;
    require(!outright, file.string(), " is not text: it has a zero byte in its first ",
            kSniffedBytes, " bytes (convert UTF-16 first: iconv -f UTF-16 -t UTF-8)");
    if (skipped_++ == 0) first_skipped_ = file;
  }

  std::string skipped_note() const {
    if (skipped_ == 0) return "";
    return text(" (", skipped_, skipped_ == 1 ? " binary file" : " binary files", " skipped, ",
                skipped_ == 1 ? "" : "such as ", first_skipped_.filename().string(), ")");
  }

  std::vector<fs::path> files_;
  std::size_t skipped_ = 0;
  fs::path first_skipped_;
};

}  // namespace

TextFiles find_text_files(const std::vector<std::string>& paths) {
  require(!paths.empty(), "no text is named; name a file, a folder or a pattern");
  try {
    Search search;
    for (const std::string& path : paths) search.add(path);
    return std::move(search).result(paths);
  } catch (const fs::filesystem_error& error) {
    throw Error(text("cannot read ", error.path1().string(), ": ", error.code().message()));
  }
}

}  // namespace andrea
