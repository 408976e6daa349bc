// File: table_gradients.h
//
// How embedding_backward comes to a whole model's gradients of both tables. It overwrites both or
// adds to both, and writes no position behind T - 1; a tied token table holds the output
// projection's gradient by then.

#ifndef ANDREA_KERNELS_COMPOSED_TABLE_GRADIENTS_H_
#define ANDREA_KERNELS_COMPOSED_TABLE_GRADIENTS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/cuda_check.h"
#include "kernels/launch.h"
#include "kernels/model_config.h"

namespace andrea {

// Clears the position rows that embedding_backward is not to overwrite, where gradients replace
// what is there, and tells what it is to do: of tied tables add, to rows all of which are cleared.
inline Accumulate prepare_table_gradients(const ModelConfig& config,
                                          float* position_gradients,  // [context, C], or null
                                          int T, Accumulate accumulate, const Launch& launch) {
  if (position_gradients != nullptr && accumulate == Accumulate::overwrite) {
    const std::int64_t overwritten = config.tied ? 0 : std::int64_t{T} * config.width;
    const std::int64_t cleared = std::int64_t{config.context} * config.width - overwritten;
    CUDA_CHECK(cudaMemsetAsync(position_gradients + overwritten, 0,
                               static_cast<std::size_t>(cleared) * sizeof(float), launch.stream));
  }
  return config.tied ? Accumulate::add : accumulate;
}

}  // namespace andrea

#endif  // ANDREA_KERNELS_COMPOSED_TABLE_GRADIENTS_H_
