// File: key_value_cache.h
//
// How a set that decodes with a cache divides it: for each layer the keys, then the values, of all
// positions of the context.

#ifndef ANDREA_KERNELS_KEY_VALUE_CACHE_H_
#define ANDREA_KERNELS_KEY_VALUE_CACHE_H_

#include <cstddef>
#include <cstdint>

#include "kernels/model_config.h"

namespace andrea {

class KeyValueCache {
 public:
  // For one stream of text of up to config.context tokens.
  static std::size_t bytes(const ModelConfig& config) {
    return 2 * sizeof(float) * static_cast<std::size_t>(config.layers) *
           static_cast<std::size_t>(config.context) * static_cast<std::size_t>(config.width);
  }

  // `buffer` has bytes(config).
  KeyValueCache(void* buffer, const ModelConfig& config)
      : layer_numbers_(std::int64_t{config.context} * config.width),
        base_(static_cast<float*>(buffer)) {}

  float* keys(int layer) const { return base_ + 2 * layer * layer_numbers_; }  // [context, C]
  float* values(int layer) const { return keys(layer) + layer_numbers_; }      // [context, C]

 private:
  std::int64_t layer_numbers_;
  float* base_;
};

}  // namespace andrea

#endif  // ANDREA_KERNELS_KEY_VALUE_CACHE_H_
