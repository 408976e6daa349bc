#include "trainer/corpus/chapters.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <sstream>

#include "trainer/base/error.h"

namespace andrea {
namespace {

constexpr char kDigits[] = "0123456789";

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

// "CHAPTER IX", "Chapter 9", "VOLUME I", and nothing more on the line.
bool is_heading(std::string_view line) {
  for (const std::string_view word : {"CHAPTER ", "Chapter ", "VOLUME "}) {
    if (!line.starts_with(word) || line.size() == word.size()) continue;
    return line.find_first_not_of("IVXLC0123456789", word.size()) == std::string_view::npos;
  }
  return false;
}

// "PRIDE AND PREJUDICE" is pride_and_prejudice.
std::string file_name(std::string_view title) {
  std::string name;
  for (const unsigned char character : title) {
    if (std::isalnum(character)) {
      name += static_cast<char>(std::tolower(character));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  return name;
}

std::string numbered(std::size_t number, int width) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%0*zu", width, number);
  return digits;
}

}  // namespace

std::vector<TextFile> divide_novel(const std::vector<std::string>& lines) {
  const auto title = std::find_if_not(lines.begin(), lines.end(), is_blank);
  require(title != lines.end() && !file_name(*title).empty(), "a novel has no title");
  std::vector<TextFile> files;
  bool has_text = false;  // A heading right after another one begins no file.
  for (const std::string& line : lines) {
    const bool heading = is_heading(line);
    if (files.empty() || (heading && has_text)) {
      files.push_back({file_name(*title) + "/" + numbered(files.size(), 2) + ".txt", ""});
      has_text = false;
    }
    files.back().contents += line + "\n";
    has_text = has_text || (!heading && !is_blank(line));
  }
  require(files.size() > 1, "the novel ", *title, " has no chapters");
  return files;
}

std::vector<TextFile> divide_bible(std::string_view print) {
  std::vector<TextFile> files;
  std::string book;
  std::size_t books = 0;
  std::istringstream lines{std::string(print)};
  for (std::string line; std::getline(lines, line);) {
    if (is_blank(line)) continue;
    if (line.starts_with("  ")) {
      const std::size_t after_number = line.find_first_not_of(kDigits, 2);
      require(!files.empty() && after_number != std::string::npos && after_number > 2 &&
                  line[after_number] == ' ',
              "this is no verse of a chapter: ", line);
      files.back().contents += line.substr(after_number + 1) + "\n";
      continue;
    }
    const std::size_t space = line.rfind(' ');
    require(space != std::string::npos && space > 0 && space + 1 < line.size() &&
                line.find_first_not_of(kDigits, space + 1) == std::string::npos,
            "this is no chapter's heading: ", line);
    if (line.substr(0, space) != book) ++books;
    book = line.substr(0, space);
    const std::string chapter = numbered(std::stoul(line.substr(space + 1)), 3);
    files.push_back(
        {numbered(books, 2) + "_" + file_name(book) + "/" + chapter + ".txt", line + "\n\n"});
  }
  require(!files.empty(), "there is no text");
  return files;
}

}  // namespace andrea
