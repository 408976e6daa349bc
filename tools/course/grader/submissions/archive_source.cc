#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "tools/course/grader/submissions/sources.h"
#include "trainer/base/error.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

struct Closed {
  void operator()(archive* one) const { archive_read_free(one); }
};
using Archive = std::unique_ptr<archive, Closed>;

std::string why(archive* one) {
  const char* text = archive_error_string(one);
  return text == nullptr ? "damaged" : text;
}

// Those formats alone: with all of them switched on the library also starts other programs.
Archive opened(const fs::path& path) {
  Archive one(archive_read_new());
  archive_read_support_format_tar(one.get());
  archive_read_support_format_zip_seekable(one.get());
  archive_read_support_filter_gzip(one.get());
  archive_read_support_filter_bzip2(one.get());
  archive_read_support_filter_xz(one.get());
  archive_read_support_filter_zstd(one.get());
  require(archive_read_open_filename(one.get(), path.c_str(), 1 << 16) == ARCHIVE_OK,
          "it is no archive that can be read (.zip and .tar.gz can): ", why(one.get()), ".");
  return one;
}

void refuse_path(const std::string& name) {
  const fs::path path = name;
  bool leads_out = path.is_absolute();
  for (const fs::path& part : path) leads_out = leads_out || part == "..";
  require(!leads_out, "'", name, "' in it leads out of the archive.");
}

// What an entry says of its size may be a lie: no more than the largest file is ever held.
std::string contents(archive* one) {
  std::string text;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const la_ssize_t bytes = archive_read_data(one, piece.data(), piece.size());
    require(bytes >= 0, "it is damaged: ", why(one), ".");
    if (bytes == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(bytes));
    require(static_cast<std::int64_t>(text.size()) <= kLargestFile,
            "a file in it is larger than it says.");
  }
}

}  // namespace

bool is_archive_name(const std::string& name) {
  static constexpr std::array kEndings = {".zip",     ".tar",    ".tar.gz", ".tgz",
                                          ".tar.bz2", ".tar.xz", ".tar.zst"};
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return std::any_of(kEndings.begin(), kEndings.end(), [&](const std::string& ending) {
    return lower.size() > ending.size() && lower.ends_with(ending);
  });
}

void read_archive(const fs::path& path, Picker& picker) {
  const Archive one = opened(path);
  std::int64_t bytes = 0;
  for (archive_entry* entry = nullptr;;) {
    const int status = archive_read_next_header(one.get(), &entry);
    if (status == ARCHIVE_EOF) return;
    require(status == ARCHIVE_OK || status == ARCHIVE_WARN, "it is damaged: ", why(one.get()), ".");
    require(!archive_entry_is_encrypted(entry), "it is locked by a password.");
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    if (name == nullptr) continue;
    refuse_path(name);
    // Counted by what is said and by what has come out: an entry may say less than it holds.
    bytes += std::max<std::int64_t>(0, archive_entry_size(entry));
    require(bytes <= kMostBytes && archive_filter_bytes(one.get(), 0) <= kMostBytes,
            "it unpacks to more than ", kMostBytes >> 20, " MB.");
    if (archive_entry_filetype(entry) == AE_IFDIR) continue;
    const bool plain =
        archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
    picker.offer(name, plain ? Picker::Kind::file : Picker::Kind::other, archive_entry_size(entry),
                 [&] { return contents(one.get()); });
  }
}

}  // namespace andrea::grader
