// File: checkpoint.h
//
// All that training needs to go on, in a folder of its own:
//
//   <checkpoints>/step_000200/
//     model.safetensors, config.json, tokenizer.json, ...   the model (model_folder.h)
//     optimizer.safetensors                                 both moments of every parameter
//     state.json                                            the step and what was counted so far
//     checksums.json                                        length and CRC-32 of every file above
//
// A checkpoint is written as step_000200.tmp, every file and the folder are brought to the disk,
// then it is renamed: it is there whole or not at all, whenever the program or the machine stops.
// Sample order and every random number are functions of the seed and the step, so the step is the
// position in the data and in all random streams.

#ifndef ANDREA_TRAINER_CHECKPOINT_CHECKPOINT_H_
#define ANDREA_TRAINER_CHECKPOINT_CHECKPOINT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "trainer/model/learner.h"
#include "trainer/tokenizer/tokenizer.h"

namespace andrea {

// What a run must know beside its parameters and moments, to go on.
struct TrainingState {
  std::int64_t step = 0;    // steps taken
  std::int64_t tokens = 0;  // tokens trained on
  std::uint64_t seed = 0;   // the run's own
  double seconds = 0;       // spent training, over all sittings
};

// Writes <checkpoints>/step_N and then removes all but the newest `keep` (0: removes none). When it
// throws, as on a full disk, earlier checkpoints are as they were.
void save_checkpoint(const std::filesystem::path& checkpoints, const TrainingState& state,
                     Learner& learner, const Tokenizer& tokenizer, int keep);

// Where a checkpoint was found, and what had to be passed over on the way to it.
struct FoundCheckpoint {
  std::filesystem::path folder;      // of the checkpoint
  std::vector<std::string> damaged;  // sentences, newest first
};

// The newest one whose checksums hold; none when there is none, or the folder is missing.
std::optional<FoundCheckpoint> find_checkpoint(const std::filesystem::path& checkpoints);

// Loads parameters and moments into the learner. Error: the checkpoint is of another shape, or
// damaged.
TrainingState load_checkpoint(const std::filesystem::path& folder, Learner& learner);

// Error, naming the file, unless every file of the checkpoint has its length and checksum.
void verify_checkpoint(const std::filesystem::path& folder);

// Removes what interrupted writes left behind.
void remove_unfinished_checkpoints(const std::filesystem::path& checkpoints);

}  // namespace andrea

#endif  // ANDREA_TRAINER_CHECKPOINT_CHECKPOINT_H_
