// File: terminal.h
//
// Lines that a person reads, at the width of the terminal that standard output goes to.

#ifndef ANDREA_TRAINER_BASE_TERMINAL_H_
#define ANDREA_TRAINER_BASE_TERMINAL_H_

#include <string>
#include <string_view>

namespace andrea {

// Its width; 80 where there is no terminal, or one that does not tell.
int terminal_columns();

// Whether what is written to standard output can be drawn over.
bool draws_over();

// The text (UTF-8), each line that is wider than `columns` broken at a space. What goes on begins
// with `indent` spaces. A word that is wider still stays whole.
std::string wrapped(std::string_view text, int columns, int indent);

// The same for the terminal; elsewhere, where a line is a line, the text as it is.
std::string for_terminal(std::string_view text);

}  // namespace andrea

#endif  // ANDREA_TRAINER_BASE_TERMINAL_H_
