// File: command.h
//
// The subcommands of `andrea`. Each adds its flags to an app of its own and is run when they have
// been parsed.

#ifndef ANDREA_TRAINER_COMMANDS_COMMAND_H_
#define ANDREA_TRAINER_COMMANDS_COMMAND_H_

#include <string>
#include <vector>

namespace andrea {

struct Command {
  std::string name;     // what is typed behind `andrea`
  std::string summary;  // a line of the help

  // Takes the arguments after the name. Errors are thrown; what is returned is the exit status.
  int (*run)(const std::vector<std::string>& arguments);
};

// In the order of the help.
const std::vector<Command>& commands();

int run_train(const std::vector<std::string>& arguments);      // andrea train
int run_sample(const std::vector<std::string>& arguments);     // andrea sample
int run_eval(const std::vector<std::string>& arguments);       // andrea eval
int run_tokenizer(const std::vector<std::string>& arguments);  // andrea tokenizer
int run_prepare(const std::vector<std::string>& arguments);    // andrea prepare
int run_info(const std::vector<std::string>& arguments);       // andrea info
int run_bench(const std::vector<std::string>& arguments);      // andrea bench

}  // namespace andrea

#endif  // ANDREA_TRAINER_COMMANDS_COMMAND_H_
