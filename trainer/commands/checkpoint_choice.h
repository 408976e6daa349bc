// File: checkpoint_choice.h
//
// Which model --checkpoint names.

#ifndef ANDREA_TRAINER_COMMANDS_CHECKPOINT_CHOICE_H_
#define ANDREA_TRAINER_COMMANDS_CHECKPOINT_CHOICE_H_

#include <filesystem>
#include <string>

namespace andrea {

// A checkpoint's folder: `path` itself, or the newest sound one of the run that `path` is; of the
// newest run below runs/, which is said on standard error, when `path` is empty. Error: there is
// none, or it is damaged.
std::filesystem::path choose_checkpoint(const std::string& path);

}  // namespace andrea

#endif  // ANDREA_TRAINER_COMMANDS_CHECKPOINT_CHOICE_H_
