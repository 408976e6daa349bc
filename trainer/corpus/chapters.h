// File: chapters.h
//
// Divides the two prepared texts (prepare.h) into chapters.

#ifndef ANDREA_TRAINER_CORPUS_CHAPTERS_H_
#define ANDREA_TRAINER_CORPUS_CHAPTERS_H_

#include <string>
#include <string_view>
#include <vector>

namespace andrea {

struct TextFile {
  std::string path;      // "emma/01.txt"
  std::string contents;  // as it was read
};

// One file a chapter, in a folder named by the novel's title (its first line that is not blank):
// emma/01.txt, emma/02.txt, numbered through all volumes. A chapter begins at its heading ("CHAPTER
// IX", "Chapter 9"), or at the heading of the volume that comes before it. What precedes the first
// chapter, the title page, is emma/00.txt. The files one after the other are the lines, each ended
// by LF, and nothing is lost. Error: no chapters.
std::vector<TextFile> divide_novel(const std::vector<std::string>& lines);

// One file a chapter, in a folder a book: 01_genesis/001.txt. `print` is what the program `bible`
// prints: "Genesis 1" between blank lines, then lines of "  1 In the beginning ...". Verse numbers
// and the indentation before them are left out, because a model would spend tokens and attention on
// counting; the chapter's heading stays, followed by a blank line, then a verse a line. Error: a
// line that is neither.
std::vector<TextFile> divide_bible(std::string_view print);

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_CHAPTERS_H_
