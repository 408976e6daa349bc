// File: simulator/tool/command_options.h
//
// The options that `./andrea cuda` knows by name; those of g++ that pass through it knows by their
// first letters (command_line.cc).

#ifndef ANDREA_SIMULATOR_TOOL_COMMAND_OPTIONS_H_
#define ANDREA_SIMULATOR_TOOL_COMMAND_OPTIONS_H_

#include <string>
#include <string_view>

namespace simulator {

// What an option does.
enum class Action {
  check,                // Watch loads and stores.
  profile,              // Watch them to count.
  environment,          // A variable for the program.
  output,               // where to keep the program
  compiler,             // which compiler to use
  compile,              // To the compiler, as it is.
  compile_list,         // A list with commas, to the compiler: -Xcompiler -Wall,-g
  link_list,            // Likewise to the linker.
  lambda,               // allows lambdas of device code
  constexpr_functions,  // allows constexpr functions in kernels
  standard,             // the language's year
  help,                 // prints what there is
  ignore,               // nvcc's, without meaning here.
  refuse,               // it would not work here
};

struct Option {
  std::string_view name;         // as it is typed
  Action action;                 // what it does to the command line
  bool takes_value = false;      // the next word belongs to it
  std::string_view detail = {};  // The variable, or the reason.
};

// The option that a word is, with its value (--seed=3) or without; nullptr if it is none.
const Option* find_option(std::string_view word);

// The one with the most similar name.
std::string nearest_option(std::string_view word);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_COMMAND_OPTIONS_H_
