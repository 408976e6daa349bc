// File: text_files.h
//
// Which files the given paths mean. A path is a file, a folder (all files below it, in the order of
// their names), or a pattern for either, as in "novels/*.txt" (*, ? and [...]; a folder is searched
// to its depth anyway, so there is no **).
//
// Left out of folders: hidden files and folders (".git"), links to folders (they may form a ring),
// files named PROVENANCE (they tell where a text comes from), and binary files: those with a zero
// byte in their first 8 KB. Files without a byte are left out too. A file named twice is read
// twice.

#ifndef ANDREA_TRAINER_CORPUS_TEXT_FILES_H_
#define ANDREA_TRAINER_CORPUS_TEXT_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

namespace andrea {

struct TextFiles {
  std::vector<std::filesystem::path> files;  // At least one.
  std::string description;  // "12 files of novels (2 binary files skipped, such as cover.png)"
};

// Error: a path that does not exist (the nearest name that does is told), a pattern that matches
// nothing, a binary file named outright, a folder or a list of files without text, a file or folder
// that may not be read.
TextFiles find_text_files(const std::vector<std::string>& paths);

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_TEXT_FILES_H_
