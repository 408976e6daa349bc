// File: linked_kernels.h
//
// Whose kernels this program is linked with, and what follows from it for a run.

#ifndef ANDREA_TRAINER_RUN_LINKED_KERNELS_H_
#define ANDREA_TRAINER_RUN_LINKED_KERNELS_H_

#include <span>
#include <string>

#include "kernels/model_config.h"
#include "kernels/origins.h"

namespace andrea {

// Whether they run on a card, not under the simulator.
bool runs_on_a_card();

// Whether any of them are CUDA kernels that the simulator runs, so that the time they take says
// nothing about them.
bool are_simulated(std::span<const KernelOrigin> origins);

// "Kernels: attention of lessons/03_attention; all others of the cpu set.", "Kernels: all of the
// lessons set." Empty where all are the cpu set's.
std::string kernels_line(std::span<const KernelOrigin> origins);

// Whether adamw itself changes nothing where the gradient's norm is not finite, so that a step may
// be enqueued whole, with nobody who looks at the norm before it.
bool adamw_looks_at_the_norm(std::span<const KernelOrigin> origins);

// Error: they lack the model's variant, or the way in which it is to be computed.
void refuse_what_kernels_lack(const ModelConfig& model);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_LINKED_KERNELS_H_
