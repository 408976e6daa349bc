// File: error.h
//
// How the program refuses: one exception type whose text is a sentence for the person at the
// keyboard, saying what is wrong, where, and what to do. main() prints it and exits with status 2.

#ifndef ANDREA_TRAINER_BASE_ERROR_H_
#define ANDREA_TRAINER_BASE_ERROR_H_

#include <sstream>
#include <stdexcept>
#include <string>

namespace andrea {

// A fault in what the program was given (a flag, a file, a full disk), not in the program itself.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The parts written one after the other: text("step ", 12, " of ", 20) is "step 12 of 20".
template <typename... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

// Throws Error with text(parts...) unless the condition holds.
template <typename... Parts>
void require(bool condition, const Parts&... parts) {
  if (!condition) throw Error(text(parts...));
}

}  // namespace andrea

#endif  // ANDREA_TRAINER_BASE_ERROR_H_
