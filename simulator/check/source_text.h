// File: source_text.h
//
// What the source says in places where neither types nor symbols tell a name any more.

#ifndef ANDREA_SIMULATOR_CHECK_SOURCE_TEXT_H_
#define ANDREA_SIMULATOR_CHECK_SOURCE_TEXT_H_

#include <string>

namespace simulator {

// A line, counted from 1; empty where the file cannot be read.
std::string source_text(const char* file, int line);

// "d_a" of `cudaMalloc(&d_a, bytes);`; empty where the text does not tell.
std::string allocated_name(const std::string& text);

// "tile[y]" of `tile[y][x + 1] = 0.0f;` with the column of the last bracket, counted from 1, which
// is what the compiler tells of an index; empty where there is no such expression before it.
std::string indexed_name(const std::string& text, unsigned column);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_SOURCE_TEXT_H_
