// File: declarations.h
//
// The functions that a header declares, as far as the headers of this repository go: one
// declaration after the other, in namespaces, each parameter with a name. What is not understood is
// an error with its line, so that no function is left out without a word.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_DECLARATIONS_H_
#define ANDREA_TOOLS_COURSE_JUDGE_DECLARATIONS_H_

#include <string>
#include <string_view>
#include <vector>

namespace andrea::judge {

// Text of C++ tokens, with a blank between each two.
struct Parameter {
  std::string declaration;  // "const float * a"
  std::string type;         // "const float *"
  std::string name;         // "a"
};

struct Statement {
  enum Kind {
    function,         // declared, or also defined where `body` is not empty
    constant,         // `inline constexpr T name = value;`
    other,            // types, using-declarations, assertions
    namespace_begin,  // `name` is all of it: "andrea::lesson02"
    namespace_end,
  } kind = other;
  int first_line = 0, last_line = 0;
  std::string text;       // all of it
  std::string scope;      // "andrea::lesson02"
  std::string name;       // without the scope
  std::string type;       // of the result, or of the constant; without inline, constexpr, const
  bool is_array = false;  // of a constant: `char name[] = ...`
  std::vector<Parameter> parameters;
  std::string body;   // with its braces
  std::string value;  // of a constant

  std::string full_name() const { return scope.empty() ? name : scope + "::" + name; }
};

// All that stands in the file, in its order. Throws std::runtime_error: "kernel.h:12: ...".
std::vector<Statement> statements_of(std::string_view source, const std::string& file);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_DECLARATIONS_H_
