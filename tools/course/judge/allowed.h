// File: allowed.h
//
// What a solution of an exercise may use. The lists are short on purpose: what the solutions and
// the language's own tests need, and what a student may reach for while looking for a mistake
// (printf, assert, std::vector, std::cout). What is in none of them can do no exercise any good: it
// is refused, and a person should look at it.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_ALLOWED_H_
#define ANDREA_TOOLS_COURSE_JUDGE_ALLOWED_H_

#include <string>
#include <string_view>

namespace andrea::judge {

// A symbol that an object leaves to others: its demangled name. `cublas`: whether the lesson has
// exercises that are to be solved with that library.
bool may_call(const std::string& symbol, bool cublas);

// A header in angle brackets: of C++, of C where C++ has it too, and of CUDA.
bool may_include(std::string_view header);

// A file that the compiler has read for a student's source, by the path that the preprocessor's
// output has: one of the system's, or a header of this repository that students may see.
bool may_be_read(std::string_view path);

// A name within [[...]] or __attribute__((...)).
bool may_be_attributed(std::string_view attribute);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_ALLOWED_H_
