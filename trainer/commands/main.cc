// The program `andrea`: train, sample, eval, tokenizer, prepare, info, bench.

#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/commands/command.h"
#include "trainer/commands/command_line.h"

namespace andrea {
namespace {

constexpr int kBadInput = 2;

void print_help(std::ostream& out) {
  out << "andrea COMMAND [FLAGS]      andrea COMMAND --help lists its flags\n\n";
  for (const Command& command : commands()) {
    out << "  " << command.name << std::string(12 - command.name.size(), ' ') << command.summary
        << "\n";
  }
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    print_help(std::cerr);
    return kBadInput;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_help(std::cout);
    return 0;
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == arguments[0]) {
      return command.run({arguments.begin() + 1, arguments.end()});
    }
    names.push_back(command.name);
  }
  const std::string near = nearest(arguments[0], names);
  throw Error(text("there is no command '", arguments[0], "'",
                   near.empty() ? "" : "; did you mean " + near + "?",
                   "  (andrea help lists all)"));
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"train", "trains a model", run_train},
      {"sample", "writes text with a trained model", run_sample},
      {"eval", "says how well a model predicts a text", run_eval},
      {"tokenizer", "trains a tokenizer; encodes and decodes with one", run_tokenizer},
      {"prepare", "fetches a text to train on: austen, kjv", run_prepare},
      {"info", "parameters, memory, arithmetic and time of a model", run_info},
      {"bench", "measures this machine's speed against its limits", run_bench},
  };
  return all;
}

}  // namespace andrea

int main(int count, char** values) {
  std::signal(SIGPIPE, SIG_DFL);  // `andrea sample | head` ends quietly
  try {
    return andrea::run({values + 1, values + count});
  } catch (const andrea::Error& error) {
    std::cout << std::flush;
    std::cerr << "andrea: " << error.what() << "\n";
    return andrea::kBadInput;
  } catch (const std::bad_alloc&) {
    std::cerr << "andrea: out of memory; a smaller --batch or model needs less\n";
    return andrea::kBadInput;
  } catch (const std::exception& error) {
    std::cerr << "andrea: " << error.what() << "\n";
    return andrea::kBadInput;
  }
}
