// File: object_file.h
//
// What a compiled object asks of others and what it offers, read from its ELF tables.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_OBJECT_FILE_H_
#define ANDREA_TOOLS_COURSE_JUDGE_OBJECT_FILE_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace andrea::judge {

struct ObjectFile {
  // Symbols as the linker knows them: "_Z3mapv", "fork".
  std::vector<std::string> undefined;
  std::vector<std::string> defined;  // that other objects can see
  std::vector<std::string> hidden;   // defined as well, but that they cannot see
  // Code that runs before main or after it, beside what the compiler puts into each object of the
  // check build; and sections of machine code that no compiler of C++ makes.
  std::vector<std::string> constructors, odd_code;
};

// Throws Malformed (wire.h) where it is no object of this machine.
ObjectFile object_file(std::string_view bytes);

// The symbols that a shared library offers, but for those that every object has that includes its
// headers (weak ones). Throws Malformed likewise.
std::set<std::string> offered_by(std::string_view library);

// "andrea::lesson02::pair_dots(float const*, int)"; a name of C stays as it is.
std::string demangled(const std::string& symbol);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_OBJECT_FILE_H_
