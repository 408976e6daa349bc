#include "tools/site/doc_text.h"

#include <cctype>

namespace andrea::site {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool only_in_code(std::string_view word) {
  return word.find('_') != std::string_view::npos || word.find("::") != std::string_view::npos;
}

std::string escaped(char c) {
  switch (c) {
    case '\\':
    case '@':
    case '<':
    case '>':
    case '&':
    case '#':
    case '%':
    case '$':
    case '*':
      return {'\\', c};
    default:
      return {c};
  }
}

// Doxygen prints what is in quotes as it stands, a backtick or a backslash too. A mark that would
// begin or end a comment needs its backslash, and so quotes that are an entity.
std::string quoted(std::string_view text) {
  if (text.find("/*") == std::string_view::npos && text.find("*/") == std::string_view::npos) {
    return '"' + std::string(text) + '"';
  }
  std::string result = "&quot;";
  for (const char c : text) result += escaped(c);
  return result + "&quot;";
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool is_blank(std::string_view line) { return indent_of(line) == line.size(); }

// "- ", "1. ", "02.3  ", "02.w1 ": their next lines are indented too.
bool begins_item(std::string_view line) {
  line.remove_prefix(indent_of(line));
  if (line.starts_with("- ")) return true;
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  return digits > 0 && digits < line.size() && line[digits] == '.';
}

// "02.3  what it does": its number is printed bold.
std::string with_bold_number(const std::string& line) {
  std::size_t i = 0;
  while (i < line.size() && (is_digit(line[i]) || line[i] == '.' || line[i] == 'w')) ++i;
  if (i < 4 || line[2] != '.' || line.compare(i, 2, "  ") != 0) return prose(line);
  return "**" + line.substr(0, i) + "** " + prose(line.substr(i + 2));
}

// What is indented, but not as the next line of an item.
std::vector<bool> examples_of(const std::vector<std::string>& lines) {
  std::vector<bool> is_example(lines.size());
  bool in_item = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_blank(lines[i])) {
      in_item = false;
    } else if (begins_item(lines[i]) && indent_of(lines[i]) < 2) {
      in_item = true;
    } else {
      is_example[i] = !in_item && indent_of(lines[i]) >= 2;
    }
  }
  // An empty line between two examples does not part them.
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!is_blank(lines[i]) || !is_example[i - 1]) continue;
    std::size_t next = i;
    while (next < lines.size() && is_blank(lines[next])) ++next;
    is_example[i] = next < lines.size() && is_example[next];
  }
  return is_example;
}

// Makes two lines of prose one, until no more lines are left than there should be.
void join_lines(std::vector<std::string>& lines, std::size_t count) {
  bool in_example = false;
  for (std::size_t i = 0; i + 1 < lines.size() && lines.size() > count; ++i) {
    if (lines[i].ends_with("@verbatim")) in_example = true;
    if (lines[i] == "@endverbatim") in_example = false;
    const std::string& next = lines[i + 1];
    if (in_example || lines[i].empty() || lines[i] == "@endverbatim" || next.empty() ||
        next.find("@verbatim") != std::string::npos || begins_item(next)) {
      continue;
    }
    lines[i] += " " + next.substr(indent_of(next));
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

std::vector<std::string> without_first_space(const std::vector<std::string>& comment) {
  std::vector<std::string> lines;
  for (const std::string& line : comment) lines.push_back(line.substr(line.starts_with(" ")));
  return lines;
}

}  // namespace

std::string prose(std::string_view line) {
  std::string result;
  bool in_code = false;
  std::size_t i = 0;
  // A shape at the beginning: "[out]" would be a parameter's direction.
  if (line.starts_with("[")) {
    i = std::min(line.find(']'), line.size() - 1) + 1;
    result = "`" + std::string(line.substr(0, i)) + "`";
  }
  while (i < line.size()) {
    const std::size_t close = line[i] == '`' ? line.find('`', i + 1) : std::string_view::npos;
    const std::size_t quote = line[i] == '"' ? line.find('"', i + 1) : std::string_view::npos;
    if (!in_code && close != std::string_view::npos &&
        line.substr(i, close - i).find("./") != std::string_view::npos) {
      // Doxygen takes a point before a slash for the end of the first sentence, but not in quotes.
      result += '"' + std::string(line.substr(i + 1, close - i - 1)) + '"';
      i = close + 1;
    } else if (!in_code && quote != std::string_view::npos) {
      result += quoted(line.substr(i + 1, quote - i - 1));
      i = quote + 1;
    } else if (line[i] == '`') {
      in_code = !in_code;
      result += line[i++];
    } else if (in_code) {
      result += line[i++];
    } else if (is_word(line[i])) {
      std::size_t end = i;
      while (end < line.size()) {
        const bool joins = line[end] == '.' || line[end] == '/';
        if (is_word(line[end]) || (joins && end + 1 < line.size() && is_word(line[end + 1]))) {
          ++end;
        } else if (line.substr(end).starts_with("::")) {
          end += 2;
        } else {
          break;
        }
      }
      const std::string word(line.substr(i, end - i));
      result += only_in_code(word) ? "`" + word + "`" : word;
      i = end;
    } else if (line.substr(i).starts_with(". ") && line.substr(0, i).ends_with("et al")) {
      result += ".\\ ";  // no end of a sentence either
      i += 2;
    } else if (line.substr(i).starts_with(" .. ")) {
      result += " to ";  // a point would end the first sentence
      i += 4;
    } else if (line.substr(i).starts_with("--")) {
      result += "\\--";
      i += 2;
    } else {
      result += escaped(line[i++]);
    }
  }
  return result;
}

std::vector<std::string> doc_lines(const std::vector<std::string>& comment) {
  const std::vector<std::string> lines = without_first_space(comment);
  const std::vector<bool> is_example = examples_of(lines);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_example[i]) {
      const std::string text = with_bold_number(lines[i]);
      result.push_back(is_blank(text) ? "" : text);
      continue;
    }
    const bool begins = i == 0 || !is_example[i - 1];
    const bool ends = i + 1 == lines.size() || !is_example[i + 1];
    if (begins && i > 0) result.back() += result.back().empty() ? "@verbatim" : " @verbatim";
    result.push_back((begins && i == 0 ? "@verbatim " : "") + lines[i]);
    if (!ends) continue;
    // The command must have its line to itself: an empty one, or one more.
    result.push_back("@endverbatim");
    if (i + 1 < lines.size() && is_blank(lines[i + 1])) ++i;
  }
  join_lines(result, lines.size());
  return result;
}

std::string first_paragraph(const std::vector<std::string>& comment) {
  const std::vector<std::string> lines = without_first_space(comment);
  const std::vector<bool> is_example = examples_of(lines);
  std::string result;
  for (std::size_t i = 0; i < lines.size() && !is_example[i] && !is_blank(lines[i]); ++i) {
    const std::string line = with_bold_number(lines[i]);
    result += (result.empty() ? "" : " ") + line.substr(indent_of(line));
  }
  return result;
}

}  // namespace andrea::site
