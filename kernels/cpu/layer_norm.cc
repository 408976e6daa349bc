#include "kernels/layer_norm.h"

#include <cmath>
#include <cstddef>

#include "kernels/cpu/column_sum.h"
#include "kernels/cpu/enqueue.h"
#include "kernels/cpu/vector_math.h"

namespace andrea {
namespace {

// What forward keeps of each row.
struct RowStatistics {
  float mean;
  float rstd;
};

RowStatistics statistics_of(const float* x, int C) {
  const float scale = 1.0f / static_cast<float>(C);
  const float mean = cpu::sum_over(C, [=](int c) { return x[c]; }) * scale;
  const float variance =
      cpu::sum_over(C, [=](int c) { return (x[c] - mean) * (x[c] - mean); }) * scale;
  return {mean, 1.0f / std::sqrt(variance + kLayerNormEpsilon)};
}

}  // namespace

std::size_t layer_norm_saved_bytes(int N, int) {
  return align_up(sizeof(RowStatistics) * static_cast<std::size_t>(N));
}

std::size_t layer_norm_scratch_bytes(int, int) { return 0; }

void layer_norm_forward(const float* x, const float* gain, const float* bias, float* y, void* saved,
                        int N, int C, const Launch& launch) {
  auto* statistics = static_cast<RowStatistics*>(saved);
  const auto work = [=] {
#pragma omp parallel for schedule(static)
    for (int n = 0; n < N; ++n) {
      const float* row = x + static_cast<std::ptrdiff_t>(n) * C;
      float* out = y + static_cast<std::ptrdiff_t>(n) * C;
      const RowStatistics s = statistics_of(row, C);
      for (int c = 0; c < C; ++c) {
        const float normalised = (row[c] - s.mean) * s.rstd;
        const float scaled = gain != nullptr ? normalised * gain[c] : normalised;
        out[c] = bias != nullptr ? scaled + bias[c] : scaled;
      }
      if (statistics != nullptr) statistics[n] = s;
    }
  };
  cpu::enqueue(launch, "layer_norm_forward",
               {cpu::reads("x", x, N, C), cpu::optional(cpu::reads("gain", gain, C)),
                cpu::optional(cpu::reads("bias", bias, C)), cpu::writes("y", y, N, C),
                cpu::optional(cpu::writes("saved", statistics, N))},
               work);
}

void layer_norm_backward(const float* dy, const float* x, const float* gain, const void* saved,
                         float* dx, float* dgain, float* dbias, int N, int C, Accumulate accumulate,
                         const Launch& launch) {
  const auto* statistics = static_cast<const RowStatistics*>(saved);
  const auto work = [=] {
    if (dbias != nullptr) {
      cpu::column_sum(N, C, accumulate, dbias,
                      [=](int n, int c) { return dy[static_cast<std::ptrdiff_t>(n) * C + c]; });
    }
    if (dgain != nullptr) {
      cpu::column_sum(N, C, accumulate, dgain, [=](int n, int c) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(n) * C + c;
        return dy[at] * (x[at] - statistics[n].mean) * statistics[n].rstd;
      });
    }
#pragma omp parallel for schedule(static)
    for (int n = 0; n < N; ++n) {
      const float* row = x + static_cast<std::ptrdiff_t>(n) * C;
      const float* gradient = dy + static_cast<std::ptrdiff_t>(n) * C;
      float* out = dx + static_cast<std::ptrdiff_t>(n) * C;
      const RowStatistics s = statistics[n];
      const auto g = [=](int c) { return gain != nullptr ? gradient[c] * gain[c] : gradient[c]; };
      const auto normalised = [=](int c) { return (row[c] - s.mean) * s.rstd; };
      const float scale = 1.0f / static_cast<float>(C);
      const float mean_g = cpu::sum_over(C, g) * scale;
      const float mean_product =
          cpu::sum_over(C, [=](int c) { return g(c) * normalised(c); }) * scale;
      for (int c = 0; c < C; ++c) {
        out[c] = s.rstd * (g(c) - mean_g - normalised(c) * mean_product);
      }
    }
  };
  cpu::enqueue(
      launch, "layer_norm_backward",
      {cpu::reads("dy", dy, N, C), cpu::reads("x", x, N, C),
       cpu::optional(cpu::reads("gain", gain, C)), cpu::reads("saved", statistics, N),
       cpu::writes("dx", dx, N, C), cpu::optional(cpu::accumulates(accumulate, "dgain", dgain, C)),
       cpu::optional(cpu::accumulates(accumulate, "dbias", dbias, C))},
      work);
}

}  // namespace andrea
