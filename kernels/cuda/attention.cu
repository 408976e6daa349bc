// The contract, kernels/attention.h, over flash_attention.h. `saved` holds the logarithm of each
// row's sum.

#include "kernels/attention.h"
#include "kernels/cuda/flash_attention.h"

namespace andrea {

std::string attention_supports(const AttentionShape& shape) {
  return cuda::attention_refusal(shape);
}

std::size_t attention_saved_bytes(const AttentionShape& shape) {
  return align_up(sizeof(float) * static_cast<std::size_t>(shape.B) *
                  static_cast<std::size_t>(shape.H) * static_cast<std::size_t>(shape.T));
}

std::size_t attention_scratch_bytes(const AttentionShape& shape) {
  return cuda::attention_backward_scratch_bytes(shape);
}

void attention_forward(const float* qkv, float* out, void* saved, const AttentionShape& shape,
                       const Launch& launch) {
  cuda::attention_forward(qkv, out, static_cast<float*>(saved), shape, launch);
}

void attention_backward(const float* dout, const float* qkv, const float* out, const void* saved,
                        float* dqkv, const AttentionShape& shape, const Launch& launch) {
  cuda::attention_backward(dout, qkv, out, static_cast<const float*>(saved), dqkv, shape, launch);
}

}  // namespace andrea
