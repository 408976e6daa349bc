#include "kernels/adamw.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/enqueue.h"

namespace andrea {

void adamw(float* parameters, const float* gradients, float* first_moments, float* second_moments,
           std::int64_t count, std::int64_t decayed, const AdamWOptions& options,
           const StepScalars* scalars, const Launch& launch) {
  const auto work = [=] {
    const auto step = static_cast<double>(scalars->step);
    const float beta1 = options.beta1;
    const float beta2 = options.beta2;
    const float epsilon = options.epsilon;
    const float clip_scale = scalars->clip_scale;
    const float learning_rate = scalars->learning_rate;
    const auto correction1 = static_cast<float>(1.0 / (1.0 - std::pow(double{beta1}, step)));
    const auto correction2 = static_cast<float>(1.0 / (1.0 - std::pow(double{beta2}, step)));

    // 28 bytes move for each parameter; a piece is short enough for its arithmetic to vectorise in
    // one loop and long enough to stream.
    constexpr std::int64_t kPiece = 4096;
#pragma omp parallel for schedule(static)
    for (std::int64_t first = 0; first < count; first += kPiece) {
      const std::int64_t last = std::min(first + kPiece, count);
      for (std::int64_t i = first; i < last; ++i) {
        const float g = clip_scale * gradients[i];
        const float m = beta1 * first_moments[i] + (1.0f - beta1) * g;
        const float v = beta2 * second_moments[i] + (1.0f - beta2) * g * g;
        const float decay = i < decayed ? options.weight_decay : 0.0f;
        const float update = m * correction1 / (std::sqrt(v * correction2) + epsilon);
        first_moments[i] = m;
        second_moments[i] = v;
        parameters[i] -= learning_rate * (update + decay * parameters[i]);
      }
    }
  };
  cpu::enqueue(
      launch, "adamw",
      {cpu::updates("parameters", parameters, count), cpu::reads("gradients", gradients, count),
       cpu::updates("first_moments", first_moments, count),
       cpu::updates("second_moments", second_moments, count), cpu::reads("scalars", scalars, 1)},
      work);
}

}  // namespace andrea
