// File: further.h
//
// Further exercises of lesson 06: the other order of norm and sum, the two in one kernel, and a
// block that is launched as a whole. All pointers are device pointers; N rows of C numbers, F is
// the width inside the MLP.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_FURTHER_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_FURTHER_H_

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

#include "kernels/block.h"
#include "kernels/launch.h"

namespace andrea::lesson06 {

// Given: sum = a + b, as in 06.1. `sum` may be a or b.
void add(const float* a,  // [count]
         const float* b,  // [count]
         float* sum,      // [count]
         std::int64_t count, const Launch& launch);

// 06.7  The MLP sublayer with the norm behind the sum, as the transformer had it in 2017:
//         expanded  = x W_expand + b_expand
//         activated = gelu(expanded)
//         sum       = x + activated W_contract + b_contract
//         y         = layer norm of sum, with norm2_gain and norm2_bias
//       and back. Of the block's tensors the six of the second sublayer are there.
struct PostNormStates {
  float* expanded;   // [N, F]
  float* activated;  // [N, F]
  float* sum;        // [N, C]
  void* norm_saved;  // what layer_norm_forward leaves
};
struct PostNormGradients {
  float* dsum;        // [N, C]
  float* dactivated;  // [N, F]
  float* dexpanded;   // [N, F]
  float* dbranch;     // [N, C]: what comes back through the MLP
};
void post_norm_sublayer(const BlockTensors<const float>& p,
                        const float* x,  // [N, C]
                        const PostNormStates& s,
                        float* y,  // [N, C]
                        int N, int C, int F, const Launch& launch);
void post_norm_sublayer_backward(const BlockTensors<const float>& p,
                                 const float* dy,  // [N, C]
                                 const float* x,   // [N, C]
                                 const PostNormStates& s, const PostNormGradients& d,
                                 float* dx,  // [N, C]
                                 const BlockTensors<float>& g, int N, int C, int F,
                                 Accumulate accumulate, const Launch& launch);

// 06.8  The sum of the residual and the norm that reads it, in one kernel each way. C is not larger
//       than kMaxWidth, so that a warp can hold a row in registers.
//         sum     = stream + correction
//         normed  = gain * x_hat + bias, with x_hat = (sum - mean) * rstd, row by row
//       mean and rstd as lesson 04 has them. Back, with g = gain * dnormed:
//         dstream = dsum + rstd * (g - mean(g) - x_hat * mean(g * x_hat))
//       where dsum came back past the sublayer, and dnormed through it.
inline constexpr int kMaxWidth = 1024;

// 06.8 forward.
void residual_norm(const float* stream,      // [N, C]
                   const float* correction,  // [N, C]
                   const float* gain,        // [C]
                   const float* bias,        // [C]
                   float* sum,               // [N, C]
                   float* normed,            // [N, C]
                   float* mean,              // [N]
                   float* rstd,              // [N]
                   int N, int C, const Launch& launch);
// 06.8 backward.
void residual_norm_backward(const float* dsum,     // [N, C]
                            const float* dnormed,  // [N, C]
                            const float* sum,      // [N, C]
                            const float* gain,     // [C]
                            const float* mean,     // [N]
                            const float* rstd,     // [N]
                            float* dstream,        // [N, C]
                            int N, int C, const Launch& launch);

// 06.9  What `work` enqueues on launch.stream, recorded as a graph without being done, and made
//       executable; `work` is called once. The stream is not the default one.
using Work = std::function<void(const Launch& launch)>;
struct RecordedWork {
  cudaGraph_t graph = nullptr;           // as it was recorded
  cudaGraphExec_t executable = nullptr;  // what is launched
};
RecordedWork record(const Work& work, const Launch& launch);
//       All of it, by one launch.
void replay(const RecordedWork& recorded, const Launch& launch);

}  // namespace andrea::lesson06

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_FURTHER_H_
