#include "trainer/model/estimate.h"

#include <cuda_runtime_api.h>
#include <simulator/reports.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "kernels/activation.h"
#include "kernels/global_norm.h"
#include "kernels/parameter_layout.h"
#include "kernels/training_pass.h"

namespace andrea {

MemoryEstimate estimate_training_memory(const ModelConfig& config, int B, int T) {
  const ParameterLayout layout(config);
  const std::size_t copy = static_cast<std::size_t>(layout.size()) * sizeof(float);
  MemoryEstimate estimate;
  estimate.parameters = copy;
  estimate.gradients = copy;
  estimate.moments = 2 * copy;
  const TrainingPassBytes pass = training_pass_bytes(config, B, T);
  estimate.weights = pass.weights;
  estimate.activations = pass.activations;
  estimate.logits = pass.logits;
  // Clipping comes after the last pass and works in the same buffer.
  const std::size_t norm = global_norm_scratch_bytes(layout.size());
  estimate.scratch = pass.scratch + (norm > pass.total() ? norm - pass.total() : 0);
  return estimate;
}

double training_flops_per_token(const ModelConfig& config, int T) {
  const double C = config.width;
  const double F = config.mlp_width;
  const double F_in = activation_input_width(config.activation, config.mlp_width);
  const double weights =
      config.layers * (C * 3 * C + C * C + C * F_in + F * C) + C * config.vocabulary;
  const double attention = config.layers * C * T;
  return 6 * (weights + attention);
}

std::size_t available_memory() {
  if (!simulator::simulated()) {
    std::size_t free = 0, all = 0;
    return cudaMemGetInfo(&free, &all) == cudaSuccess ? free : 0;
  }
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  std::size_t kilobytes = 0;
  std::string rest;
  while (meminfo >> key >> kilobytes && std::getline(meminfo, rest)) {
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return 0;
}

std::string readable_bytes(double bytes) {
  constexpr std::array<const char*, 7> kUnits = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, unit == 0 ? "%.0f %s" : "%.3g %s", bytes, kUnits[unit]);
  return buffer;
}

std::string with_separators(long long number) {
  const std::string digits = std::to_string(number);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (left % 3 == 0 && i > 0 && digits[i - 1] != '-') result += ',';
    result += digits[i];
  }
  return result;
}

}  // namespace andrea
