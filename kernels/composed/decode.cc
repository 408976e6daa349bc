// Decoding without a cache of keys and values, for sets that have none of their own: the "cache"
// holds the tokens so far, and every call runs the whole model over them.

#include "kernels/decode.h"

#include "kernels/composed/buffer_plan.h"
#include "kernels/cuda_check.h"
#include "kernels/transformer.h"

namespace andrea {

std::string decode_supports(const ModelConfig& config) { return transformer_supports(config); }

std::size_t decode_cache_bytes(const ModelConfig& config) {
  return sizeof(int) * static_cast<std::size_t>(config.context);
}

std::size_t decode_scratch_bytes(const ModelConfig& config) {
  BufferPlan plan;
  plan.numbers(std::int64_t{config.context} * config.padded_vocabulary());
  return plan.total() + transformer_scratch_bytes(config, 1, config.context);
}

void decode_forward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                    int count, int position, void* cache, float* logits, const Launch& launch) {
  const std::int64_t stride = layout.config().padded_vocabulary();
  auto* history = static_cast<int*>(cache);
  const int length = position + count;
  CUDA_CHECK(cudaMemcpyAsync(history + position, tokens,
                             sizeof(int) * static_cast<std::size_t>(count),
                             cudaMemcpyDeviceToDevice, launch.stream));
  BufferPlan plan(launch.scratch);
  float* all_logits = plan.numbers(std::int64_t{length} * stride);  // [length, stride]
  transformer_forward(layout, parameters, history, all_logits, nullptr, 1, length,
                      plan.remaining(launch));
  CUDA_CHECK(cudaMemcpyAsync(logits, all_logits + (length - 1) * stride,
                             sizeof(float) * static_cast<std::size_t>(stride),
                             cudaMemcpyDeviceToDevice, launch.stream));
}

}  // namespace andrea
