// File: prepare.h
//
// Two real texts to train on, taken from Debian and Ubuntu packages:
//   austen   six novels by Jane Austen, 4.0 MB, of r-cran-janeaustenr
//   kjv      the King James Bible, 4.2 MB, of bible-kjv and bible-kjv-text
// Both are in the public domain. The packages are downloaded by apt-get and unpacked beside the
// folder, not installed; nothing needs root, R, or anything but apt, dpkg and coreutils.
//
//     const PreparedText austen = prepare_austen("data/austen");
//     options.paths = {austen.folder};     // emma/01.txt, emma/02.txt, ...: a file a chapter
//
// How the texts are divided and what is left out of them: chapters.h. The folder's PROVENANCE tells
// package, version, licence, and the SHA-256 of the text.
//
// All work is done in a hidden folder beside the wanted one (".austen.unfinished"), which is
// renamed at the end: an interrupted run leaves no half-made text, and the next run clears up after
// it.

#ifndef ANDREA_TRAINER_CORPUS_PREPARE_H_
#define ANDREA_TRAINER_CORPUS_PREPARE_H_

#include <filesystem>
#include <string>

namespace andrea {

struct PreparedText {
  std::filesystem::path folder;  // what --text takes
  bool was_there = false;        // An earlier run had made it; nothing was done.
  std::string provenance;        // The contents of its PROVENANCE, lines for people to read.
};

// Error: the folder holds something else; there is no apt-get; apt-get does not know the package
// (its lists have to be updated) or cannot reach the network; the disk is full; the folder cannot
// be written.
PreparedText prepare_austen(const std::filesystem::path& folder);
PreparedText prepare_kjv(const std::filesystem::path& folder);

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_PREPARE_H_
