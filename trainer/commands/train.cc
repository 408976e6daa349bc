#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>

#include "trainer/base/error.h"
#include "trainer/commands/command.h"
#include "trainer/commands/command_line.h"
#include "trainer/commands/train_flags.h"
#include "trainer/run/run_folder.h"
#include "trainer/run/training_run.h"

namespace andrea {
namespace {

// What a run cannot change on its way: the model, its data and the order of its data. Where and how
// it is computed can change.
void check_same_run(const TrainOptions& before, const TrainOptions& now, const RunFolder& folder) {
  const auto same = [&folder](bool holds, const char* what) {
    require(holds, "the run in ", folder.path.string(), " has another ", what,
            "; continue it without that flag, or start a new run with another --out");
  };
  same(before.model.plain() == now.model.plain(), "model");
  same(before.data == now.data, "text");
  same(before.batch == now.batch && before.accumulate == now.accumulate, "batch");
  same(before.seed == now.seed, "seed");
}

// The flags that leave a run's losses as they are, or nearly so.
constexpr std::array kIndifferent = {"preset",       "validate-every",   "validation-rows",
                                     "sample-every", "checkpoint-every", "keep",
                                     "device",       "kernels",          "use",
                                     "precision",    "recompute"};

void check_kernels(const TrainOptions& options) {
  check_kernel_choice({options.device, options.kernels, options.use});
}

// A run is continued with its own config file, in which flags may change what can be changed.
int resume(std::vector<std::string> arguments) {
  const std::string out = value_of(arguments, "--out");
  const RunFolder folder = out.empty() ? newest_run_folder() : RunFolder{out};
  require(folder.holds_a_run(), "there is no run to continue in ", folder.path.string(),
          "; it has no ", folder.config().filename().string());
  const std::string config = "--config=" + folder.config().string();
  const ParsedTrainOptions before = parse_train_options({config});
  arguments.push_back(config);
  const ParsedTrainOptions now = parse_train_options(arguments);
  if (now.help) return 0;
  check_same_run(before.options, now.options, folder);
  check_kernels(now.options);
  train(folder, now.options, now.config);
  return 0;
}

// What makes the losses of a run: the lines of its config file but for those that only say what is
// shown and kept, and by whose kernels.
std::vector<std::string> decisive_lines(const std::string& config) {
  const auto is_decisive = [](const std::string& line) {
    return std::none_of(kIndifferent.begin(), kIndifferent.end(), [&line](const char* flag) {
      return line.starts_with(flag + std::string(" = "));
    });
  };
  std::vector<std::string> lines;
  std::istringstream in(config);
  for (std::string line; std::getline(in, line);) {
    if (is_decisive(line)) lines.push_back(line);
  }
  return lines;
}

// A run that follows another has its flags, but for those that say where and how it is computed.
ParsedTrainOptions parse_following(const RunFolder& followed, std::vector<std::string> arguments) {
  require(followed.holds_a_run(), "there is no run to follow in ", followed.path.string(),
          "; it has no ", followed.config().filename().string());
  const std::string config = "--config=" + followed.config().string();
  for (const std::string own :
       {"--device=auto", "--kernels=auto", "--precision=fp32", "--recompute=false"}) {
    const std::string name = own.substr(0, own.find('='));
    const bool given =
        std::any_of(arguments.begin(), arguments.end(), [&name](const std::string& argument) {
          return argument == name || argument.starts_with(name + "=");
        });
    if (!given) arguments.push_back(own);
  }
  const std::vector<std::string> before = decisive_lines(parse_train_options({config}).config);
  arguments.push_back(config);
  const ParsedTrainOptions parsed = parse_train_options(arguments);
  if (parsed.help) return parsed;
  const std::vector<std::string> now = decisive_lines(parsed.config);
  const auto [theirs, ours] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  require(theirs == before.end() && ours == now.end(), "a run with ",
          ours == now.end() ? "fewer flags" : *ours, " cannot have the losses of ",
          followed.path.string(), ", which has ", theirs == before.end() ? "fewer" : *theirs,
          "; leave that flag away");
  return parsed;
}

}  // namespace

int run_train(const std::vector<std::string>& arguments) {
  if (std::find(arguments.begin(), arguments.end(), "--resume") != arguments.end()) {
    return resume(arguments);
  }
  const std::string followed = value_of(arguments, "--follow");
  const ParsedTrainOptions parsed = followed.empty()
                                        ? parse_train_options(arguments)
                                        : parse_following(RunFolder{followed}, arguments);
  if (parsed.help) return 0;
  check_kernels(parsed.options);
  const RunFolder folder = parsed.options.out.empty() ? unused_run_folder(parsed.options.preset)
                                                      : RunFolder{parsed.options.out};
  std::cout << "The run lies in " << folder.path.string() << "." << std::endl;
  train(folder, parsed.options, parsed.config);
  return 0;
}

}  // namespace andrea
