// File: sources.h
//
// What a submission may be. Each function goes through one and offers all its files; nothing is
// written anywhere, so that no name in it can lead anywhere. All throw Error, with a sentence,
// where it cannot be read or is made to do harm.

#ifndef ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_SOURCES_H_
#define ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_SOURCES_H_

#include <filesystem>

#include "tools/course/grader/submissions/picker.h"

namespace andrea::grader {

// Links are not followed.
void read_folder(const std::filesystem::path& folder, Picker& picker);

// .zip, .tar, .tar.gz, .tgz, .tar.bz2, .tar.xz, .tar.zst; told by contents, not by name. Names that
// lead out of the archive (absolute, or with "..") are refused, and so is one that unpacks to more
// than kMostBytes.
bool is_archive_name(const std::string& name);
void read_archive(const std::filesystem::path& archive, Picker& picker);

// A folder with .git, or a bare repository: the commit that HEAD names, whatever the folder holds
// beside it. None of the repository's own settings is read, since they may name programs to run.
bool is_repository(const std::filesystem::path& folder);
void read_repository(const std::filesystem::path& folder, Picker& picker);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_SOURCES_H_
