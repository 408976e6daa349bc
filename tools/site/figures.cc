#include "tools/site/figures.h"

#include <sstream>
#include <stdexcept>

#include "tools/site/markdown.h"

namespace andrea::site {
namespace {

// Where the media query for dark pages begins, with spaces or without; npos: nowhere.
std::size_t find_query(std::string_view svg) {
  for (const std::string_view query :
       {"@media (prefers-color-scheme: dark)", "@media(prefers-color-scheme:dark)"}) {
    const std::size_t at = svg.find(query);
    if (at != std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

// Where the block that opens at the first brace behind `begin` closes.
std::size_t end_of_block(std::string_view text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = text.find('{', begin); i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  throw std::runtime_error("a brace of the figure's style is never closed.");
}

}  // namespace

std::string figure_in(Shade shade, std::string_view svg) {
  const std::size_t begin = find_query(svg);
  if (begin == std::string_view::npos) {
    throw std::runtime_error(
        "the figure should have colours for dark pages, in "
        "@media (prefers-color-scheme: dark) { ... }.");
  }
  const std::size_t open = svg.find('{', begin), close = end_of_block(svg, begin);
  std::string result(svg.substr(0, begin));
  if (shade == Shade::dark) result += svg.substr(open + 1, close - open - 1);
  return result += svg.substr(close + 1);
}

int width_of(std::string_view svg) {
  const std::string_view name = "viewBox=";
  const std::size_t at = svg.find(name);
  double left = 0, top = 0, width = 0;
  if (at != std::string_view::npos) {
    std::istringstream numbers(std::string(svg.substr(at + name.size() + 1, 40)));
    numbers >> left >> top >> width;
  }
  if (!(width > 0)) throw std::runtime_error("the figure should have a viewBox.");
  return static_cast<int>(width);
}

std::string figure_html(const std::string& name, int width, std::string_view alternative) {
  std::string html = "<figure class=\"drawing\" tabindex=\"0\">";
  for (const char* shade : {"light", "dark"}) {
    html += "<img class=\"on-" + std::string(shade) + "\" src=\"figures/" + name + "_" + shade +
            ".svg\" width=\"" + std::to_string(width) + "\" alt=\"" + escaped_html(alternative) +
            "\">";
  }
  return html + "</figure>";
}

}  // namespace andrea::site
