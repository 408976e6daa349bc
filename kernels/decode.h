// File: decode.h
//
// One stream of text, a few tokens at a time: what sampling calls. The tuned sets keep the keys and
// values of earlier positions in `cache` (Pope et al. 2022, section 2.1); kernels/composed keeps
// the tokens alone and runs the whole model again, so that any set can decode.
//
//   decode_forward(layout, parameters, prompt, 5, 0, cache, logits, launch);   // positions 0..4
//   decode_forward(layout, parameters, &next, 1, 5, cache, logits, launch);    // position 5

#ifndef ANDREA_KERNELS_DECODE_H_
#define ANDREA_KERNELS_DECODE_H_

#include <string>

#include "kernels/launch.h"
#include "kernels/model_config.h"
#include "kernels/parameter_layout.h"

namespace andrea {

// Empty, or a sentence that names the variant which this implementation lacks.
std::string decode_supports(const ModelConfig& config);

// Of the cache and of the working memory, for streams of up to config.context tokens.
std::size_t decode_cache_bytes(const ModelConfig& config);
std::size_t decode_scratch_bytes(const ModelConfig& config);

// Feeds `count` tokens at positions `position` .. `position + count - 1` and yields the logits that
// follow the last of them. The positions before must have been fed already, in order; position 0
// begins a new stream. Preconditions: count >= 1 and position + count <= config.context.
void decode_forward(const ParameterLayout& layout,
                    const float* parameters,  // [layout.size()]
                    const int* tokens,        // [count]
                    int count, int position,
                    void* cache,    // decode_cache_bytes
                    float* logits,  // [V]; room for padded_vocabulary()
                    const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_DECODE_H_
