// File: files.h
//
// Whole files. Each function throws std::runtime_error with a sentence that names the file.

#ifndef ANDREA_TOOLS_COURSE_FILES_H_
#define ANDREA_TOOLS_COURSE_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

namespace andrea::course {

std::string contents_of(const std::filesystem::path& file);
// By a rename, so that the file is never there in part.
void write_file(const std::filesystem::path& file, const std::string& contents);
// Regular files directly in the folder, by name; none where there is no folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_FILES_H_
