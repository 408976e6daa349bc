// File: markup.h
//
// The characters that HTML and XML have a use of their own for.

#ifndef ANDREA_TRAINER_BASE_MARKUP_H_
#define ANDREA_TRAINER_BASE_MARKUP_H_

#include <string>
#include <string_view>

namespace andrea {

// The text with references instead of & < > and ", so that it ends neither an element nor an
// attribute between double quotes. All else stays, control characters too: text from outside goes
// through html_text (trainer/report/html.h).
std::string markup_text(std::string_view text);

}  // namespace andrea

#endif  // ANDREA_TRAINER_BASE_MARKUP_H_
