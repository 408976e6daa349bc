// File: terminal_text.h
//
// What reports and profiles share when they write for a person.

#ifndef ANDREA_SIMULATOR_RUNTIME_TERMINAL_TEXT_H_
#define ANDREA_SIMULATOR_RUNTIME_TERMINAL_TEXT_H_

#include <cstddef>
#include <string>
#include <vector>

namespace simulator {

// Whether standard error is a terminal that may be coloured: not under NO_COLOR.
bool colours_on_standard_error();

// Lines `from` to `to`, counted from 1, as far as the file has them; none where it cannot be read.
std::vector<std::string> lines_of_file(const std::string& file, int from, int to);

// Broken into lines of at most `width` characters, each after the indent.
std::string wrapped(const std::string& words, const std::string& indent, std::size_t width);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_TERMINAL_TEXT_H_
