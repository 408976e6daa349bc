// File: train_flags.h
//
// The flags of `andrea train`, and the config file that holds them.

#ifndef ANDREA_TRAINER_COMMANDS_TRAIN_FLAGS_H_
#define ANDREA_TRAINER_COMMANDS_TRAIN_FLAGS_H_

#include <string>
#include <vector>

#include "trainer/run/train_options.h"

namespace andrea {

// A command line that has been read.
struct ParsedTrainOptions {
  TrainOptions options;  // settled
  std::string config;    // the same as the text of a config file
  bool help = false;     // help was asked for and has been printed
};

// The preset's values, replaced by those of a config file (--config FILE), replaced by flags. The
// result is settled (train_options.h).
// `command` and `description` are what help shows: other commands take the same flags.
ParsedTrainOptions parse_train_options(
    const std::vector<std::string>& arguments, const std::string& command = "train",
    const std::string& description =
        "Trains a model. Everything has a default: `./andrea train` alone is a whole run.");

// The value of a flag that decides how the rest is read, in either spelling; "" when absent.
std::string value_of(const std::vector<std::string>& arguments, const std::string& flag);

}  // namespace andrea

#endif  // ANDREA_TRAINER_COMMANDS_TRAIN_FLAGS_H_
