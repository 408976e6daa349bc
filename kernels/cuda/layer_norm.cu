// The contract's layer norm: kernels/cuda/norm.h in float. `saved` holds the N means, and after
// them the N reciprocal standard deviations.

#include "kernels/cuda/norm.h"
#include "kernels/layer_norm.h"

namespace andrea {
namespace {

cuda::RowStatistics statistics_in(void* saved, int N) {
  if (saved == nullptr) return {};
  auto* const mean = static_cast<float*>(saved);
  return {mean, mean + N};
}

}  // namespace

std::size_t layer_norm_saved_bytes(int N, int /*C*/) {
  return align_up(2 * static_cast<std::size_t>(N) * sizeof(float));
}

std::size_t layer_norm_scratch_bytes(int N, int C) {
  return cuda::norm_backward_scratch_bytes(N, C);
}

void layer_norm_forward(const float* x, const float* gain, const float* bias, float* y, void* saved,
                        int N, int C, const Launch& launch) {
  cuda::norm_forward(x, gain, bias, y, statistics_in(saved, N), N, C, launch);
}

void layer_norm_backward(const float* dy, const float* x, const float* gain, const void* saved,
                         float* dx, float* dgain, float* dbias, int N, int C, Accumulate accumulate,
                         const Launch& launch) {
  cuda::norm_backward(dy, x, gain, nullptr, statistics_in(const_cast<void*>(saved), N), dx, dgain,
                      dbias, N, C, accumulate, launch);
}

}  // namespace andrea
