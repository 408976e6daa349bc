#include "kernels/global_norm.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/enqueue.h"
#include "kernels/cpu/vector_math.h"

namespace andrea {
namespace {

// Fixed, so that the order of additions does not depend on the number of threads.
constexpr std::int64_t kChunk = 1 << 16;

std::int64_t chunks_of(std::int64_t count) { return (count + kChunk - 1) / kChunk; }

}  // namespace

std::size_t global_norm_scratch_bytes(std::int64_t count) {
  return align_up(sizeof(double) * static_cast<std::size_t>(chunks_of(count)));
}

void global_norm(const float* gradients, std::int64_t count, float max_norm, StepScalars* scalars,
                 const Launch& launch) {
  auto* partial = static_cast<double*>(launch.scratch);
  const std::int64_t chunks = chunks_of(count);
  const auto work = [=] {
#pragma omp parallel for schedule(static)
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      const float* first = gradients + chunk * kChunk;
      const int length = static_cast<int>(std::min(kChunk, count - chunk * kChunk));
      partial[chunk] = cpu::sum_over(length, [=](int i) { return first[i] * first[i]; });
    }
    double sum = 0;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += partial[chunk];

    const auto norm = static_cast<float>(std::sqrt(sum));
    scalars->gradient_norm = norm;
    if (!std::isfinite(norm)) {
      scalars->clip_scale = NAN;
    } else {
      scalars->clip_scale = max_norm > 0 && norm > max_norm ? max_norm / norm : 1.0f;
    }
  };
  cpu::enqueue(launch, "global_norm",
               {cpu::reads("gradients", gradients, count),
                cpu::writes("scalars->gradient_norm", &scalars->gradient_norm, 1),
                cpu::writes("scalars->clip_scale", &scalars->clip_scale, 1),
                cpu::writes("scratch", partial, chunks)},
               work);
}

}  // namespace andrea
