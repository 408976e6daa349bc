// File: markdown.h
//
// Pages are written in Markdown as GitHub shows it, so that they read well in an editor too.
// Doxygen has a Markdown of its own, with other rules for code, lists and links. So a page is
// parsed by cmark-gfm, GitHub's own parser, and written anew in Doxygen's commands.

#ifndef ANDREA_TOOLS_SITE_MARKDOWN_H_
#define ANDREA_TOOLS_SITE_MARKDOWN_H_

#include <functional>
#include <string>
#include <string_view>

namespace andrea::site {

// What a page's text needs to know of the world around it.
struct Surroundings {
  std::string page_id;  // of the page, with which the anchors of its headings begin

  // The anchor that a link leads to; nothing: its text stands there without a link.
  std::function<std::string(std::string_view url)> anchor;

  // The HTML of a figure.
  std::function<std::string(std::string_view url, std::string_view alternative)> figure;
};

// The text of a page, below its title. Understood beyond plain Markdown: tables; formulas, as
// $`...`$ in a line and as a block of code called `math`; <details><summary>...</summary> and
// </details> on lines of their own; a block of code called `doxygen`, whose commands are taken as
// they are. Throws std::runtime_error for any other HTML.
std::string doxygen_page(const std::string& markdown, const Surroundings& surroundings);

// Text in which no character is a command to Doxygen.
std::string escaped_text(std::string_view text);

// The same between the quotation marks of a @ref, where Markdown has no say.
std::string reference_text(std::string_view text);

// Text as HTML.
std::string escaped_html(std::string_view text);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_MARKDOWN_H_
