#include "kernels/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/cpu/enqueue.h"
#include "kernels/cpu/vector_math.h"

namespace andrea {
namespace {

struct SoftmaxOfRow {
  float largest;
  float sum;  // of exp(logit - largest)

  float loss(float target_logit) const { return std::log(sum) - (target_logit - largest); }
};

SoftmaxOfRow softmax_of(const float* row, int V) {
  const float largest = cpu::max_of(row, V);
  return {largest, cpu::sum_over(V, [=](int v) { return cpu::exp_polynomial(row[v] - largest); })};
}

}  // namespace

void cross_entropy_forward(const float* logits, const int* targets, float* losses, int N, int V,
                           int stride, const Launch& launch) {
  const auto work = [=] {
#pragma omp parallel for schedule(static)
    for (int n = 0; n < N; ++n) {
      const float* row = logits + static_cast<std::ptrdiff_t>(n) * stride;
      const int target = targets[n];
      losses[n] = target < 0 ? 0.0f : softmax_of(row, V).loss(row[target]);
    }
  };
  cpu::enqueue(launch, "cross_entropy_forward",
               {cpu::reads("logits", logits, cpu::Rows{N, V, stride}),
                cpu::reads("targets", targets, N), cpu::writes("losses", losses, N)},
               work);
}

void cross_entropy_forward_backward(float* logits, const int* targets, float* losses,
                                    float gradient_scale, int N, int V, int stride,
                                    const Launch& launch) {
  const auto work = [=] {
#pragma omp parallel for schedule(static)
    for (int n = 0; n < N; ++n) {
      float* row = logits + static_cast<std::ptrdiff_t>(n) * stride;
      const int target = targets[n];
      if (target < 0) {
        losses[n] = 0.0f;
        std::fill(row, row + stride, 0.0f);
        continue;
      }
      // The exponentials are left in the row as they are summed, so that each is computed once.
      const float largest = cpu::max_of(row, V);
      const float target_logit = row[target];
      const float sum =
          cpu::sum_over(V, [=](int v) { return row[v] = cpu::exp_polynomial(row[v] - largest); });
      losses[n] = SoftmaxOfRow{largest, sum}.loss(target_logit);
      const float scale = gradient_scale / sum;
      for (int v = 0; v < V; ++v) row[v] *= scale;
      row[target] -= gradient_scale;
      std::fill(row + V, row + stride, 0.0f);
    }
  };
  cpu::enqueue(launch, "cross_entropy_forward_backward",
               {cpu::reads("logits", logits, cpu::Rows{N, V, stride}),
                cpu::writes("logits", logits, N, stride), cpu::reads("targets", targets, N),
                cpu::writes("losses", losses, N)},
               work);
}

}  // namespace andrea
