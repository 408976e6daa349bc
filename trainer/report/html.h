// File: html.h
//
// Text that comes from outside (samples, names, options) made harmless inside HTML and SVG.

#ifndef ANDREA_TRAINER_REPORT_HTML_H_
#define ANDREA_TRAINER_REPORT_HTML_H_

#include <string>
#include <string_view>

namespace andrea {

// The text as HTML shows it, in an element or between the quotes of an attribute: & < > " ' become
// references. Control characters, which HTML forbids and an untrained model likes to write, become
// their pictures (U+2400 onward, ␀ ␁ ... ␡); line feeds and tabs stay.
std::string html_text(std::string_view text);

// The longest start of valid UTF-8 text that has at most that many bytes and ends no character in
// its middle.
std::string_view utf8_start(std::string_view text, std::size_t bytes);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_HTML_H_
