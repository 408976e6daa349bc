#include "trainer/model/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "trainer/base/random.h"

namespace andrea {
namespace {

double deviation(const ParameterTensor& tensor, const ModelConfig& config, InitialScale scale) {
  if (scale == InitialScale::width) return 1.0 / std::sqrt(config.width);
  const bool writes_to_stream = tensor.name.ends_with("c_proj.weight");
  return writes_to_stream ? 0.02 / std::sqrt(2.0 * config.layers) : 0.02;
}

// FNV-1a (Fowler, Noll, Vo): a stream's number from a tensor's name.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

std::vector<float> initial_weights(const ParameterLayout& layout, InitialScale scale,
                                   std::uint64_t seed) {
  std::vector<float> weights(static_cast<std::size_t>(layout.size()), 0.0f);
  for (const ParameterTensor& tensor : layout.tensors()) {
    const auto first = weights.begin() + tensor.offset;
    const auto last = first + tensor.count();
    if (tensor.is_matrix()) {
      Random random(seed, hash_of(tensor.name));
      const double sigma = deviation(tensor, layout.config(), scale);
      std::generate(first, last, [&] { return static_cast<float>(sigma * random.normal()); });
    } else if (tensor.name.ends_with(".weight")) {
      std::fill(first, last, 1.0f);
    }
  }
  return weights;
}

}  // namespace andrea
