#include "trainer/corpus/prepare.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/process.h"
#include "trainer/corpus/chapters.h"
#include "trainer/corpus/r_data.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

struct Recipe {
  std::string text;  // What it is; the first line of PROVENANCE.
  std::string licence;
  std::vector<std::string> packages;
  std::vector<TextFile> (*extract)(const fs::path& unpacked);
};

std::vector<TextFile> extract_austen(const fs::path& unpacked) {
  const fs::path data = unpacked / "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb";
  std::vector<TextFile> files;
  for (const std::string& novel : unpack_r_blocks(read_file(data))) {
    for (TextFile& file : divide_novel(read_r_strings(novel))) files.push_back(std::move(file));
  }
  return files;
}

std::vector<TextFile> extract_kjv(const fs::path& unpacked) {
  // The list of folders to search is divided at spaces, so it must not contain the whole path.
  const ProcessResult print = run_process(
      {unpacked / "usr/bin/bible", "-p", "usr/lib/", "-l0", "Gen1:1-Rev22:21"}, unpacked);
  require(print.status == 0, "the program bible of the package bible-kjv failed: ", print.errors,
          " (it needs the package libreadline8)");
  return divide_bible(print.output);
}

// Keeps the work's folder as long as the work lasts.
class WorkFolder {
 public:
  explicit WorkFolder(fs::path path) : path_(std::move(path)) {
    std::error_code failed;
    fs::remove_all(path_, failed);
    if (!failed) fs::create_directories(path_, failed);
    require(!failed, "cannot create the folder ", path_.string(), ": ", failed.message());
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  fs::path make(const char* name) const {
    std::error_code failed;
    fs::create_directory(path_ / name, failed);
    require(!failed, "cannot create the folder ", (path_ / name).string(), ": ", failed.message());
    return path_ / name;
  }

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool contains(const std::string& text, std::initializer_list<const char*> phrases) {
  return std::any_of(phrases.begin(), phrases.end(), [&text](const char* phrase) {
    return text.find(phrase) != std::string::npos;
  });
}

// What went wrong, by the first line of an error message, and what to do about it if that is known.
std::string explained(const std::string& errors) {
  const std::string first = errors.substr(0, errors.find('\n'));
  if (contains(errors, {"Unable to locate package", "no installation candidate",
                        "Can't find a source", "404 "})) {
    return first +
           "; its package lists are missing or old: run `apt-get update` as root, then again";
  }
  if (contains(errors, {"No space left", "enough free space"})) {
    return first + "; the disk is full: free some space and try again";
  }
  if (contains(errors,
               {"resolving", "resolve", "connect", "unreachable", "Timeout", "timed out"})) {
    return first + "; there seems to be no network: check it and try again";
  }
  return errors;
}

// Without waiting for the disk: a thousand small files would take many seconds one by one.
void write_unsynced(const fs::path& file, const std::string& contents) {
  std::ofstream out(file, std::ios::binary);
  out << contents;
  out.close();
  const int cause = errno;
  require(out.good(), explained(text("cannot write ", file.string(), ": ", std::strerror(cause))));
}

// Waits until all that was written to the file system of this folder has reached the disk.
void sync_file_system(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::syncfs(descriptor) == 0;
  const int cause = errno;
  if (descriptor >= 0) ::close(descriptor);
  require(synced, explained(text("cannot write ", folder.string(), ": ", std::strerror(cause))));
}

void download(const std::vector<std::string>& packages, const fs::path& folder) {
  // As root, apt would hand the download to a user of its own, who may not write here, and warn of
  // it. The option says beforehand what it then does; for other users it means nothing.
  std::vector<std::string> command = {"apt-get", "-qq", "-o", "APT::Sandbox::User=root",
                                      "download"};
  command.insert(command.end(), packages.begin(), packages.end());
  const ProcessResult result = run_process(command, folder);
  require(result.status != 127, "there is no apt-get here, which the text is fetched by: that ",
          "takes Debian or Ubuntu; elsewhere give any text of your own by --text");
  require(result.status == 0, "apt-get could not download ", packages.front(), ": ",
          explained(result.errors));
}

// Unpacks the package that was downloaded and returns its version.
std::string unpack(const std::string& package, const fs::path& downloads, const fs::path& into) {
  fs::path archive;
  for (const fs::directory_entry& entry : fs::directory_iterator(downloads)) {
    if (entry.path().filename().string().starts_with(package + "_")) archive = entry.path();
  }
  require(!archive.empty(), "apt-get downloaded no package ", package);
  const ProcessResult unpacked = run_process({"dpkg-deb", "-x", archive, into}, downloads);
  require(unpacked.status == 0, "dpkg-deb could not unpack ", archive.filename().string(), ": ",
          explained(unpacked.errors));
  std::string version = run_process({"dpkg-deb", "-f", archive, "Version"}, downloads).output;
  version.erase(version.find_last_not_of('\n') + 1);
  require(!version.empty(), "dpkg-deb tells no version of ", archive.filename().string());
  return version;
}

std::string sha256_of(const std::string& contents, const fs::path& folder) {
  write_unsynced(folder / "all.txt", contents);
  const ProcessResult result = run_process({"sha256sum", "all.txt"}, folder);
  require(result.status == 0 && result.output.size() > 64, "sha256sum failed: ", result.errors);
  return result.output.substr(0, 64);
}

// Writes the files and PROVENANCE into the folder, and returns the latter's contents.
std::string write_texts(std::vector<TextFile> files, const Recipe& recipe,
                        const std::string& packages, const fs::path& folder,
                        const fs::path& scratch) {
  std::sort(files.begin(), files.end(),
            [](const TextFile& a, const TextFile& b) { return a.path < b.path; });
  std::string all;
  for (const TextFile& file : files) {
    fs::create_directories((folder / file.path).parent_path());
    write_unsynced(folder / file.path, file.contents);
    all += file.contents;
  }
  std::string provenance =
      text(recipe.text, "\npackage: ", packages, "\nlicence: ", recipe.licence,
           "\nfiles: ", files.size(), "\nbytes: ", all.size(),
           "\nsha256: ", sha256_of(all, scratch), "  (cat */*.txt | sha256sum)\n");
  write_unsynced(folder / "PROVENANCE", provenance);
  sync_file_system(folder);
  return provenance;
}

// True if an earlier run has made the text; an Error if the folder has anything else.
bool is_prepared(const fs::path& folder, const Recipe& recipe) {
  if (!fs::exists(folder)) return false;
  require(fs::is_directory(folder), folder.string(), " is a file; name a folder for the text");
  if (fs::is_empty(folder)) return false;
  const fs::path provenance = folder / "PROVENANCE";
  require(fs::exists(provenance) && read_file(provenance).starts_with(recipe.text + "\n"),
          "the folder ", folder.string(), " holds something else; name another one");
  return true;
}

PreparedText prepare(const fs::path& wanted, const Recipe& recipe) {
  fs::path folder = fs::absolute(wanted).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // "data/austen/"
  if (is_prepared(folder, recipe)) return {wanted, true, read_file(folder / "PROVENANCE")};

  const WorkFolder work(folder.parent_path() / ("." + folder.filename().string() + ".unfinished"));
  const fs::path downloads = work.make("downloads");
  const fs::path unpacked = work.make("unpacked");
  const fs::path texts = work.make("texts");
  download(recipe.packages, downloads);
  std::string packages;
  for (const std::string& package : recipe.packages) {
    packages += (packages.empty() ? "" : ", ") + package + " ";
    packages += unpack(package, downloads, unpacked);
  }
  std::string provenance =
      write_texts(recipe.extract(unpacked), recipe, packages, texts, work.path());
  require(::rename(texts.c_str(), folder.c_str()) == 0, "cannot create the folder ",
          folder.string(), ": ", std::strerror(errno));
  sync_folder(folder.parent_path());
  return {wanted, false, std::move(provenance)};
}

PreparedText prepare_or_explain(const fs::path& folder, const Recipe& recipe) {
  try {
    return prepare(folder, recipe);
  } catch (const fs::filesystem_error& error) {
    throw Error(text("cannot prepare ", folder.string(), ": ", error.path1().string(), ": ",
                     error.code().message()));
  }
}

}  // namespace

PreparedText prepare_austen(const fs::path& folder) {
  return prepare_or_explain(
      folder, {"The six novels of Jane Austen, a file a chapter.",
               "the text is in the public domain; the package is under the MIT licence",
               {"r-cran-janeaustenr"},
               extract_austen});
}

PreparedText prepare_kjv(const fs::path& folder) {
  return prepare_or_explain(
      folder,
      {"The King James Bible, a file a chapter, without verse numbers.",
       "the text (1611) is in the public domain; the program that prints it is under the GPL, "
       "version 2 or later",
       {"bible-kjv", "bible-kjv-text"},
       extract_kjv});
}

}  // namespace andrea
