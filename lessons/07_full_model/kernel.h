// File: kernel.h
//
// The exercises of lesson 07: the loss, the optimiser, and the whole model put together. All
// pointers are device pointers; all sizes are positive. V is the vocabulary, and `stride` is how
// far the rows of logits lie apart: V rounded up, so that columns V to stride - 1 are padding.
//
// kernel.cu makes four headers of the contract out of them: kernels/cross_entropy.h of 07.1 and
// 07.2, kernels/global_norm.h of 07.3, kernels/adamw.h of 07.4, kernels/transformer.h of 07.5 and
// 07.6.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_KERNEL_H_
#define ANDREA_LESSONS_07_FULL_MODEL_KERNEL_H_

#include <cstdint>

#include "kernels/adamw.h"
#include "kernels/launch.h"
#include "kernels/parameter_layout.h"
#include "kernels/step_scalars.h"
#include "lessons/07_full_model/model_memory.h"
#include "lessons/07_full_model/training.h"

namespace andrea::lesson07 {

// 07.1  losses[n] = log(sum over v < V of exp(logits[n, v])) - logits[n, targets[n]], the natural
//       logarithm; 0 where targets[n] is -1. The padding of logits holds anything.
void row_losses(const float* logits,  // [N, stride], of which V columns are read
                const int* targets,   // [N], each in -1 .. V-1
                float* losses,        // [N]
                int N, int V, int stride, const Launch& launch);

// 07.2  In place: logits[n, v] becomes
//       gradient_scale * (softmax(logits[n, :])[v] - (v == targets[n] ? 1 : 0))
//       A row with target -1 becomes 0, and so does the padding of every row.
void gradient_of_logits(float* logits,       // [N, stride]
                        const int* targets,  // [N], each in -1 .. V-1
                        float gradient_scale, int N, int V, int stride, const Launch& launch);

// 07.3  The first kernel leaves at most kPartialSums sums in the scratch buffer, and the second has
//       one block of kPartialSums threads.
inline constexpr int kPartialSums = 256;
//       *gradient_norm = sqrt(sum of the squares of all gradients)
//       *clip_scale    = max_norm / *gradient_norm where max_norm > 0 and the norm is larger, else
//                        1; NaN where the norm is infinite or NaN
void norm_and_clip(const float* gradients,  // [count]
                   std::int64_t count, float max_norm,
                   float* gradient_norm,  // one number
                   float* clip_scale,     // one number
                   const Launch& launch);

// 07.4  One step of AdamW; scalars->step counts from 1. For each of the `count` parameters p, with
//       its gradient g times scalars->clip_scale, and its moments m and v:
//         m = beta1 m + (1 - beta1) g             m_hat = m / (1 - beta1^step)
//         v = beta2 v + (1 - beta2) g^2           v_hat = v / (1 - beta2^step)
//         p -= learning_rate * (m_hat / (sqrt(v_hat) + epsilon) + weight_decay * p)
//       where only the first `decayed` parameters decay.
void adamw_update(float* parameters,       // [count]
                  const float* gradients,  // [count]
                  float* first_moments,    // [count], m
                  float* second_moments,   // [count], v
                  std::int64_t count, std::int64_t decayed, const AdamWOptions& options,
                  const StepScalars* scalars, const Launch& launch);

// 07.5  The logits of a batch. memory (model_memory.h) holds what is computed on the way; its
//       streams, its normed rows, and what blocks and norm save are written here. `launch` is
//       handed on to every operation as it is.
void model_forward(const ModelConfig& config, const ModelTensors<const float>& parameters,
                   const int* tokens,  // [B, T]
                   const ForwardMemory& memory,
                   float* logits,  // [B, T, stride], stride = config.padded_vocabulary()
                   int B, int T, const Launch& launch);

// 07.6  The gradients of all parameters, from that of the logits. memory is as forward left it.
//       With Accumulate::overwrite, every gradient is written, those of the position rows from T on
//       as 0; with Accumulate::add, all are added to.
void model_backward(const ModelConfig& config, const ModelTensors<const float>& parameters,
                    const int* tokens,     // [B, T]
                    const float* dlogits,  // [B, T, stride], zero in columns V to stride - 1
                    const ForwardMemory& memory, const BackwardMemory& working,
                    const ModelTensors<float>& gradients, int B, int T, Accumulate accumulate,
                    const Launch& launch);

// 07.7  One step of training on a batch: after it the parameters and the moments are a step
//       further, and `losses` has the batch's losses from before the step. `counted` is how many of
//       the B * T targets are not -1; the loss is the mean over these. All five operations take
//       `launch` as it is, whose scratch suffices for each.
void training_step(const ParameterLayout& layout, const Training& training,
                   const int* tokens,   // [B, T]
                   const int* targets,  // [B, T]
                   int counted, float max_norm, const AdamWOptions& options, int B, int T,
                   const Launch& launch);

}  // namespace andrea::lesson07

#endif  // ANDREA_LESSONS_07_FULL_MODEL_KERNEL_H_
