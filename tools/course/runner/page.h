// File: page.h
//
// What the runner says, as lines with a style each, and how a terminal of a given width shows them.
// A line that begins with a space is part of a picture or a source text and is never broken; the
// others are prose. An item of a list is broken like prose, and goes on below where its text
// begins.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_PAGE_H_
#define ANDREA_TOOLS_COURSE_RUNNER_PAGE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace andrea::course {

// Never the only bearer of a meaning: the words say the same without colours.
enum class Style { plain, strong, good, bad, named, faint };

struct Beside;

struct Line {
  std::string text;
  Style style = Style::plain;
  int item = -1;                         // of an item: the column in which its text begins
  std::shared_ptr<const Beside> beside;  // two pages instead of a text
};

class Page {
 public:
  // Several lines where the text has line ends. Control characters, and what is no UTF-8, are shown
  // as '?'.
  void add(std::string_view text, Style style = Style::plain);
  void add(const Page& other);
  // "  read   " and "README.md".
  void add_item(const std::string& mark, std::string_view text, Style style = Style::plain);
  // Two pages next to each other; where the terminal is too narrow for both, one below the other.
  void add_beside(Page left, Page right);
  // An empty line, unless there is one already, or nothing before it.
  void gap();

  // The same with all lines in that style.
  Page in_one_style(Style style) const;

  // A single empty line.
  static Page blank();

  const std::vector<Line>& lines() const { return lines_; }
  bool empty() const { return lines_.empty(); }

 private:
  std::vector<Line> lines_;
};

struct Beside {
  Page left, right;
};

struct Layout {
  int columns = 80;
  bool colours = false;
  bool cut = false;  // what is never broken is cut off at the right edge
};

std::vector<std::string> laid_out(const Page& page, const Layout& layout);

// Text of one style, as it is written to a terminal.
std::string styled(std::string_view text, Style style, bool colours);

// The text without control characters and with '?' for bytes that are no UTF-8; line ends and tabs
// stay.
std::string printable(std::string_view text);

// The simulator breaks the sentences of its reports at a width of its own: each as one line again,
// so that they can be broken at another.
std::vector<std::string> rejoined(const std::vector<std::string>& lines);

// At most so many characters, the last of them an ellipsis where something is left out.
std::string cut_off(std::string_view text, int columns);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_PAGE_H_
