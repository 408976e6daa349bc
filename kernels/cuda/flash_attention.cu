#include "kernels/cuda/flash_attention.h"

namespace andrea::cuda {

std::string attention_refusal(const AttentionShape& shape, Precision precision) {
  const int D = shape.head_size();
  const std::string heads = "the cuda set's attention has heads of ";
  if (shape.rotary) return "the cuda set's attention has no rotary positions";
  if (precision != Precision::bf16) {
    if (D <= 256) return "";
    return heads + "at most 256 numbers; these have " + std::to_string(D);
  }
  for (const int known : {16, 32, 48, 64, 80, 96, 128}) {
    if (D == known) return "";
  }
  return heads + "16, 32, 48, 64, 80, 96 or 128 numbers in bf16; these have " + std::to_string(D);
}

std::size_t attention_backward_scratch_bytes(const AttentionShape& shape) {
  // dout . out of each row, [B, H, T].
  return align_up(sizeof(float) * static_cast<std::size_t>(shape.B) *
                  static_cast<std::size_t>(shape.H) * static_cast<std::size_t>(shape.T));
}

}  // namespace andrea::cuda
