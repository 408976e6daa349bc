// File: step_scalars.h
//
// The numbers that change from step to step. They are read from device memory, so that a step needs
// no round trip to the host and can be recorded once as a CUDA graph.

#ifndef ANDREA_KERNELS_STEP_SCALARS_H_
#define ANDREA_KERNELS_STEP_SCALARS_H_

#include <cstdint>

namespace andrea {

// What changes from step to step, in device memory.
struct StepScalars {
  // Written by the trainer before a step.
  std::int64_t step = 1;  // counts from 1, as Adam's bias correction does
  std::uint64_t seed = 0;
  float learning_rate = 0;

  // Written by global_norm.
  float gradient_norm = 0;
  float clip_scale = 1;
};

}  // namespace andrea

#endif  // ANDREA_KERNELS_STEP_SCALARS_H_
