// File: transformer.h
//
// The whole model: embedding, L blocks, a last norm, and logits by dot similarity with the output
// table (the token table itself where config.tied).
//
// Parameters and gradients are flat buffers, laid out by ParameterLayout (parameter_layout.h). How
// products round their factors says the layout's config: callers leave launch.tf32 alone.

#ifndef ANDREA_KERNELS_TRANSFORMER_H_
#define ANDREA_KERNELS_TRANSFORMER_H_

#include <string>

#include "kernels/launch.h"
#include "kernels/model_config.h"
#include "kernels/parameter_layout.h"

namespace andrea {

// Empty, or a sentence that names the variant which this kernel set lacks.
std::string transformer_supports(const ModelConfig& config);

// Bytes that forward keeps for backward, and bytes that either works in.
std::size_t transformer_saved_bytes(const ModelConfig& config, int B, int T);
std::size_t transformer_scratch_bytes(const ModelConfig& config, int B, int T);

// Preconditions: T <= config.context; every token in 0 .. V-1. `saved` may be null when no backward
// pass will follow. Columns V to stride - 1 of the logits are written, with no meaning.
void transformer_forward(const ParameterLayout& layout,
                         const float* parameters,  // [layout.size()]
                         const int* tokens,        // [B, T]
                         float* logits,            // [B, T, stride], stride = padded_vocabulary()
                         void* saved,              // transformer_saved_bytes, or null
                         int B, int T, const Launch& launch);

// Columns V to stride - 1 of dlogits must be zero. With Accumulate::overwrite every gradient of the
// buffer is written, those of unused position rows as zero.
void transformer_backward(const ParameterLayout& layout,
                          const float* parameters,  // [layout.size()]
                          const int* tokens,        // [B, T]
                          const float* dlogits,     // [B, T, stride]
                          const void* saved,        // as forward left it
                          float* gradients,         // [layout.size()]
                          int B, int T, Accumulate accumulate, const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_TRANSFORMER_H_
