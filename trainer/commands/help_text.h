// File: help_text.h
//
// The help of a command: its flags, group by group, in lines that fit the screen.
//
//   Counts words.
//
//   andrea count [FLAG...] [text]
//   In [brackets]: what holds without the flag.
//
//     --most N              how many at most [7]
//     --tied, --untied      ...
//
//   Another group
//     ...
//
// CLI11's own formatter wraps no line and writes the inner workings of its groups and flags.

#ifndef ANDREA_TRAINER_COMMANDS_HELP_TEXT_H_
#define ANDREA_TRAINER_COMMANDS_HELP_TEXT_H_

#include <string>

namespace CLI {
class App;
}

namespace andrea {

// Of a description with several lines, the first gets the default.
std::string help_text(const CLI::App& app, int columns);

}  // namespace andrea

#endif  // ANDREA_TRAINER_COMMANDS_HELP_TEXT_H_
