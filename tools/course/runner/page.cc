#include "tools/course/runner/page.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "trainer/base/terminal.h"

namespace andrea::course {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// How many bytes the character has that begins at `at`; 0 where it is no UTF-8.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t size = first < 0x80   ? 1
                           : first < 0xc2 ? 0
                           : first < 0xe0 ? 2
                           : first < 0xf0 ? 3
                           : first < 0xf5 ? 4
                                          : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[at + i])) return 0;
  }
  // The control characters beyond ASCII, which some terminals obey.
  const bool is_control = first == 0xc2 && static_cast<unsigned char>(text[at + 1]) < 0xa0;
  return is_control ? 0 : size;
}

const char* code_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::strong:
      return "\033[1m";
    case Style::good:
      return "\033[1;32m";
    case Style::bad:
      return "\033[1;31m";
    case Style::named:
      return "\033[1;33m";
    case Style::faint:
      return "\033[2m";
  }
  return "";
}

int columns_of(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues(byte); }));
}

// Between two pages that stand next to each other.
constexpr std::string_view kBetween = "  ";

// How far sentences of a report are set in, and paths.
constexpr std::size_t kSetIn = 2;

// A sentence of a report, and no row of a table, line of code or drawing, whose blanks mean
// something.
bool is_sentence(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == kSetIn && std::isalpha(static_cast<unsigned char>(text[first])) != 0 &&
         text.find("  ", first) == std::string_view::npos &&
         text.find(" | ") == std::string_view::npos;
}

// Where the simulator breaks such a sentence: kWidth of simulator/runtime/report.cc.
constexpr std::size_t kBrokenAt = 94;

// Whether the simulator has broken a sentence between these two lines of a report: the second goes
// on where the first has no room for its first word.
bool is_broken_between(std::string_view line, std::string_view below) {
  const bool has_label = line.starts_with("  variable: ") || line.starts_with("  in kernel ");
  if (has_label || line.size() > kBrokenAt || below.find_first_not_of(' ') != kSetIn) return false;
  const bool is_prose = below.find("  ", kSetIn) == std::string_view::npos &&
                        below.find(" | ") == std::string_view::npos;
  const std::size_t word = std::min(below.find(' ', kSetIn), below.size()) - kSetIn;
  return is_prose && line.find_first_not_of(' ') == kSetIn &&
         line.find("  ", kSetIn) == std::string_view::npos && line.size() + 1 + word > kBrokenAt;
}

bool is_path(std::string_view text) {
  return is_sentence(text) && text.find(' ', kSetIn) == std::string_view::npos &&
         text.find('/') != std::string_view::npos;
}

// Without its beginning, since the end of a path tells more: the file and the line.
std::string path_cut_off(std::string_view text, int columns) {
  const int too_many = columns_of(text) - columns;
  if (too_many <= 0) return std::string(text);
  std::size_t keep = kSetIn;
  for (int dropped = 0; keep < text.size() && (dropped <= too_many || continues(text[keep]));) {
    dropped += continues(text[keep]) ? 0 : 1;
    ++keep;
  }
  return std::string(kSetIn, ' ') + "…" + std::string(text.substr(keep));
}

int widest_of(const Page& page) {
  int widest = 0;
  for (const Line& line : page.lines()) widest = std::max(widest, columns_of(line.text));
  return widest;
}

std::vector<std::string> laid_out_beside(const Beside& both, const Layout& layout) {
  const int left = widest_of(both.left);
  if (left + columns_of(kBetween) + widest_of(both.right) > layout.columns) {
    Page below = both.left;
    below.gap();
    below.add(both.right);
    return laid_out(below, layout);
  }
  std::vector<std::string> rows;
  const std::vector<Line>&a = both.left.lines(), &b = both.right.lines();
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const Line first = i < a.size() ? a[i] : Line(), second = i < b.size() ? b[i] : Line();
    std::string row = styled(first.text, first.style, layout.colours);
    if (!second.text.empty()) {
      row += std::string(static_cast<std::size_t>(left - columns_of(first.text)), ' ');
      row += kBetween;
      row += styled(second.text, second.style, layout.colours);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_bytes(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
    if (size == 0 || is_control) {
      result += '?';
      ++i;
      continue;
    }
    result += text.substr(i, size);
    i += size;
  }
  return result;
}

std::vector<std::string> rejoined(const std::vector<std::string>& lines) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0 && is_broken_between(lines[i - 1], lines[i])) {
      result.back() += lines[i].substr(kSetIn - 1);
    } else {
      result.push_back(lines[i]);
    }
  }
  return result;
}

std::string cut_off(std::string_view text, int columns) {
  int shown = 0;
  std::size_t keep = 0;  // bytes of all but the last column
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues(text[i])) continue;
    if (++shown == columns) keep = i;
    if (shown > columns) return std::string(text.substr(0, keep)) + "…";
  }
  return std::string(text);
}

std::string styled(std::string_view text, Style style, bool colours) {
  if (!colours || style == Style::plain || text.empty()) return std::string(text);
  return code_of(style) + std::string(text) + "\033[0m";
}

void Page::add(std::string_view text, Style style) {
  for (;;) {
    const std::size_t end = text.find('\n');
    Line line;
    line.text = printable(text.substr(0, end));
    line.style = style;
    // A tab would be as wide as the terminal likes.
    for (std::size_t tab; (tab = line.text.find('\t')) != std::string::npos;) {
      line.text.replace(tab, 1, "    ");
    }
    lines_.push_back(std::move(line));
    if (end == std::string_view::npos || end + 1 == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

void Page::add(const Page& other) {
  lines_.insert(lines_.end(), other.lines_.begin(), other.lines_.end());
}

void Page::add_item(const std::string& mark, std::string_view text, Style style) {
  Line line;
  line.text = mark + printable(text);
  line.style = style;
  line.item = columns_of(mark);
  lines_.push_back(std::move(line));
}

void Page::add_beside(Page left, Page right) {
  Line line;
  line.beside = std::make_shared<const Beside>(Beside{std::move(left), std::move(right)});
  lines_.push_back(std::move(line));
}

Page Page::in_one_style(Style style) const {
  Page page = *this;
  for (Line& line : page.lines_) line.style = style;
  return page;
}

void Page::gap() {
  if (lines_.empty() || (lines_.back().text.empty() && !lines_.back().beside)) return;
  lines_.emplace_back();
}

Page Page::blank() {
  Page page;
  page.lines_.emplace_back();
  return page;
}

std::vector<std::string> laid_out(const Page& page, const Layout& layout) {
  std::vector<std::string> result;
  for (const Line& line : page.lines()) {
    if (line.beside) {
      for (std::string& row : laid_out_beside(*line.beside, layout)) {
        result.push_back(std::move(row));
      }
      continue;
    }
    const bool is_set_in = line.text.starts_with(' ') && line.item < 0;
    if (is_set_in && (is_path(line.text) || !is_sentence(line.text))) {
      const std::string row = !layout.cut          ? line.text
                              : is_path(line.text) ? path_cut_off(line.text, layout.columns)
                                                   : cut_off(line.text, layout.columns);
      result.push_back(styled(row, line.style, layout.colours));
      continue;
    }
    const int below = is_set_in ? static_cast<int>(kSetIn) : std::max(line.item, 0);
    const std::string broken = wrapped(line.text, layout.columns, below);
    for (std::size_t begin = 0; begin <= broken.size();) {
      const std::size_t end = std::min(broken.find('\n', begin), broken.size());
      const std::string piece = broken.substr(begin, end - begin);
      result.push_back(
          styled(layout.cut ? cut_off(piece, layout.columns) : piece, line.style, layout.colours));
      begin = end + 1;
    }
  }
  return result;
}

}  // namespace andrea::course
