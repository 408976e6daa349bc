// File: optimiser_reference.h
//
// The end of a training step: the gradient's norm (kernels/global_norm.h) and AdamW
// (kernels/adamw.h).

#ifndef ANDREA_LESSONS_07_FULL_MODEL_OPTIMISER_REFERENCE_H_
#define ANDREA_LESSONS_07_FULL_MODEL_OPTIMISER_REFERENCE_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/adamw.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// What global_norm computes.
template <typename Scalar>
struct GlobalNorm {
  Scalar gradient_norm;  // before clipping
  Scalar clip_scale;     // what every gradient is multiplied by
};

// The norm of all gradients as one vector, and the factor that brings it down to `max_norm` (0:
// none).
template <typename Scalar>
GlobalNorm<Scalar> global_norm(const Vector<Scalar>& gradients, Scalar max_norm) {
  const Scalar norm = std::sqrt(gradients.squaredNorm());
  if (!std::isfinite(norm)) return {norm, std::numeric_limits<Scalar>::quiet_NaN()};
  if (max_norm == 0 || norm <= max_norm) return {norm, 1};
  return {norm, max_norm / norm};
}

// What AdamW remembers of a vector of parameters; all zero before the first step.
template <typename Scalar>
struct AdamWState {
  Vector<Scalar> parameters, first_moments, second_moments;  // [count] each
};

// Step `step`, the first being 1. The first `decayed` parameters decay.
template <typename Scalar>
void adamw(AdamWState<Scalar>& state, const Vector<Scalar>& gradients, std::int64_t decayed,
           const AdamWOptions& options, std::int64_t step, Scalar learning_rate,
           Scalar clip_scale) {
  const Scalar beta1 = options.beta1, beta2 = options.beta2;
  const Scalar first_correction = 1 - std::pow(beta1, static_cast<Scalar>(step));
  const Scalar second_correction = 1 - std::pow(beta2, static_cast<Scalar>(step));
  for (std::int64_t i = 0; i < gradients.size(); ++i) {
    const Scalar g = clip_scale * gradients[i];
    Scalar& m = state.first_moments[i];
    Scalar& v = state.second_moments[i];
    m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g * g;
    const Scalar m_hat = m / first_correction;
    const Scalar v_hat = v / second_correction;
    const Scalar decay = i < decayed ? static_cast<Scalar>(options.weight_decay) : 0;
    state.parameters[i] -= learning_rate * (m_hat / (std::sqrt(v_hat) + options.epsilon) +
                                            decay * state.parameters[i]);
  }
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_07_FULL_MODEL_OPTIMISER_REFERENCE_H_
