// File: adamw.h
//
// Adam (Kingma and Ba 2015, algorithm 1) with decoupled weight decay (Loshchilov and Hutter 2019,
// algorithm 2), one pass over all parameters.
//
//   g = clip_scale * gradient
//   m = beta1 m + (1 - beta1) g              v = beta2 v + (1 - beta2) g^2
//   m_hat = m / (1 - beta1^step)             v_hat = v / (1 - beta2^step)
//   parameter -= learning_rate * (m_hat / (sqrt(v_hat) + epsilon) + weight_decay * parameter)
//
// Only the first `decayed` parameters decay: the layout puts the matrices in front.
//
// Where clip_scale is NaN, as global_norm leaves it when the gradient is not finite, the whole is
// lost or nothing is: a set either lets the NaN through, to all parameters and moments, or leaves
// them all untouched, as the `cuda` set does. Whoever cannot tell which it is looks at the norm
// before, and leaves the call away.

#ifndef ANDREA_KERNELS_ADAMW_H_
#define ANDREA_KERNELS_ADAMW_H_

#include <cstdint>

#include "kernels/launch.h"
#include "kernels/step_scalars.h"

namespace andrea {

// What AdamW is told for a whole run; the rest of what it is told changes from step to step.
struct AdamWOptions {
  float beta1 = 0.9f;         // decay of the first moment
  float beta2 = 0.999f;       // decay of the second moment
  float epsilon = 1e-8f;      // added to the root, not under it
  float weight_decay = 0.1f;  // decoupled, times the learning rate

  bool operator==(const AdamWOptions&) const = default;
};

// One step over all parameters; the first `decayed` of them decay. The moments are updated in
// place.
void adamw(float* parameters,       // [count]
           const float* gradients,  // [count]
           float* first_moments,    // [count]
           float* second_moments,   // [count]
           std::int64_t count, std::int64_t decayed, const AdamWOptions& options,
           const StepScalars* scalars,  // in device memory
           const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_ADAMW_H_
