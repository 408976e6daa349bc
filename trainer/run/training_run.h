// File: training_run.h
//
// One training run, from its folder to its last checkpoint.

#ifndef ANDREA_TRAINER_RUN_TRAINING_RUN_H_
#define ANDREA_TRAINER_RUN_TRAINING_RUN_H_

#include <string>

#include "trainer/run/run_folder.h"
#include "trainer/run/train_options.h"

namespace andrea {

// Trains in `folder`, which is made if need be, until the last step, or until Ctrl-C or SIGTERM,
// after which the run can be taken up again. `config` is what is written down as config.toml.
//
// With options.resume the newest sound checkpoint is continued (or the beginning, where there is
// none yet); without it the folder must not hold a run. Errors: as told by the parts; memory that
// will not do (with the arithmetic); a loss or gradient that is not finite, with the step and the
// first tensor (the last checkpoint stays as it was).
void train(const RunFolder& folder, const TrainOptions& options, const std::string& config);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_TRAINING_RUN_H_
