// File: model_memory.h
//
// Where the model puts what it computes on its way. It is given, since it is bookkeeping: one
// buffer is divided into parts, and the same lines that divide it also count how large it must be
// (kernels/composed/buffer_plan.h).
//
// Forward computes L + 1 streams of [B, T, C]: what the embedding gives, and what each block makes
// of it. Block l reads streams[l] and writes streams[l + 1].
//
//   saved:    streams[0] | streams[1] | blocks[0] | ... | streams[L] | blocks[L - 1] | normed | ...
//
// blocks[l] is what block l keeps for its own backward pass, and norm_saved what the last norm
// keeps. Where no backward pass follows nothing is kept: all streams are one buffer, which each
// block overwrites, and blocks[l] and the rest need no place of their own.
//
// Backward needs all of that and two gradients of [B, T, C]. What the smaller operations need for
// themselves is the rest of the scratch buffer, behind these.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_MODEL_MEMORY_H_
#define ANDREA_LESSONS_07_FULL_MODEL_MODEL_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/block.h"
#include "kernels/composed/buffer_plan.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/layer_norm.h"
#include "kernels/model_config.h"

namespace andrea::lesson07 {

struct ForwardMemory {
  ForwardMemory() = default;
  ForwardMemory(BufferPlan& plan, const ModelConfig& config, int B, int T, bool keeps) {
    const std::int64_t numbers = std::int64_t{B} * T * config.width;
    streams.push_back(plan.numbers(numbers));
    for (int l = 0; l < config.layers; ++l) {
      streams.push_back(keeps ? plan.numbers(numbers) : streams.front());
      blocks.push_back(keeps ? plan.bytes(block_saved_bytes(config, B, T)) : nullptr);
    }
    normed = plan.numbers(numbers);
    norm_saved = plan.bytes(layer_norm_saved_bytes(B * T, config.width));
  }

  std::vector<float*> streams;  // L + 1, each [B, T, C]
  std::vector<void*> blocks;    // L, each block_saved_bytes, or null
  float* normed = nullptr;      // [B, T, C]: the last stream after the last norm
  void* norm_saved = nullptr;   // layer_norm_saved_bytes
};

struct BackwardMemory {
  BackwardMemory() = default;
  BackwardMemory(BufferPlan& plan, const ModelConfig& config, int B, int T)
      : dnormed(plan.numbers(std::int64_t{B} * T * config.width)),
        dstream(plan.numbers(std::int64_t{B} * T * config.width)) {}

  float* dnormed = nullptr;  // [B, T, C]
  float* dstream = nullptr;  // [B, T, C]: of the stream, from the last to the first
};

// The largest scratch that one of the smaller operations asks for.
inline std::size_t operation_scratch_bytes(const ModelConfig& config, int B, int T) {
  const int V = config.padded_vocabulary();
  return std::max({embedding_scratch_bytes(B, T, config.width, V),
                   block_scratch_bytes(config, B, T), layer_norm_scratch_bytes(B * T, config.width),
                   dot_similarity_scratch_bytes(B * T, V, config.width)});
}

inline std::size_t forward_bytes(const ModelConfig& config, int B, int T, bool keeps) {
  BufferPlan plan;
  const ForwardMemory memory(plan, config, B, T, keeps);
  return plan.total();
}

inline std::size_t backward_bytes(const ModelConfig& config, int B, int T) {
  BufferPlan plan;
  const BackwardMemory memory(plan, config, B, T);
  return plan.total();
}

}  // namespace andrea::lesson07

#endif  // ANDREA_LESSONS_07_FULL_MODEL_MODEL_MEMORY_H_
