// Exam 06: a block whose two sublayers stand side by side. What each function computes stands in
// kernel.h; README.md is the task. No kernel is to be written: the operations of lessons 03 to 06
// are called in their order. It is tried by
//
//   bazel test //exam/x06_parallel_block:kernel_test

#include <cstdint>

#include "exam/x06_parallel_block/kernel.h"
#include "kernels/activation.h"
#include "kernels/attention.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/residual.h"

namespace andrea::exam06 {

// ---- x06.1 Forward: one norm, which both branches read.

void parallel_block(const BlockSizes& sizes, const Tensors<const float>& p, const float* x,
                    const States& s, float* correction, float* y, const Launch& launch) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  const std::int64_t count = std::int64_t{N} * C;  // of a [B, T, C] tensor
  // TODO(x06.1): norm; qkv, attended and what attention adds; expanded, activated and what the
  // MLP adds; y, which is x and both, about 9 lines.
}

// ---- x06.2 Backward: the norm receives from both branches, and x from the norm and from y.

void parallel_block_backward(const BlockSizes& sizes, const Tensors<const float>& p,
                             const float* dy, const float* x, const States& s, const Gradients& d,
                             float* dx, const Tensors<float>& g, Accumulate accumulate,
                             const Launch& launch) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  const std::int64_t count = std::int64_t{N} * C;
  // TODO(x06.2): each call of x06.1 backward, in an order in which nothing is read before it is
  // complete; dnorm holds what the attention's branch brings before it holds both, about 15 lines.
}

}  // namespace andrea::exam06
