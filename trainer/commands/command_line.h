// File: command_line.h
//
// What the subcommands share in reading their flags: CLI11, with errors turned into Error and the
// nearest known name offered for an unknown one.

#ifndef ANDREA_TRAINER_COMMANDS_COMMAND_LINE_H_
#define ANDREA_TRAINER_COMMANDS_COMMAND_LINE_H_

#include <string>
#include <vector>

// Whoever uses these includes <CLI/CLI.hpp>, which takes seconds to compile; not all do.
namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace andrea {

// Parses. Returns false when help was asked for and has been printed; throws Error for anything
// that cannot be parsed.
bool parse(CLI::App& app, std::vector<std::string> arguments);

// The known word with the fewest letters to change, or "" when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

// --threads: sets the number of OpenMP threads when parsed; all cores unless it is given.
void add_threads_flag(CLI::App& app);

// For seeds: 0 to 2^64 - 1, and no sign.
CLI::Validator whole_number();

// What ./andrea acts on before this program is even built. Here it is recorded, and checked.
struct KernelChoice {
  std::string device = "auto";   // gpu, cpu, or auto
  std::string kernels = "auto";  // a set; auto: the tuned one of the device
  std::vector<std::string> use;  // SET:NN
};

// --kernels, --use and --check.
void add_kernel_flags(CLI::App& app, std::string& kernels, std::vector<std::string>& use);

// --device.
void add_device_flag(CLI::App& app, std::string& device);

// Errors: one of the sets was not linked in, or the program runs elsewhere, so that it was not
// built as these flags say; or there is no device to run them on.
void check_kernel_choice(const KernelChoice& choice);

}  // namespace andrea

#endif  // ANDREA_TRAINER_COMMANDS_COMMAND_LINE_H_
