// The contract's cross-entropy: kernels/cuda/loss.h in float.

#include "kernels/cross_entropy.h"
#include "kernels/cuda/loss.h"

namespace andrea {

void cross_entropy_forward(const float* logits, const int* targets, float* losses, int N, int V,
                           int stride, const Launch& launch) {
  cuda::losses_of(logits, targets, losses, N, V, stride, launch);
}

void cross_entropy_forward_backward(float* logits, const int* targets, float* losses,
                                    float gradient_scale, int N, int V, int stride,
                                    const Launch& launch) {
  cuda::losses_and_gradients(logits, targets, losses, gradient_scale, N, V, stride, launch);
}

}  // namespace andrea
