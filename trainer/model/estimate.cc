#include "trainer/model/estimate.h"

#include <cuda_runtime_api.h>
#include <simulator/reports.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>

#include "kernels/activation.h"
#include "kernels/decode.h"
#include "kernels/global_norm.h"
#include "kernels/parameter_layout.h"
#include "kernels/step_scalars.h"
#include "kernels/training_pass.h"
#include "kernels/transformer.h"

namespace andrea {

namespace {

std::size_t product(std::size_t size, int a, int b) {
  return size * static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

}  // namespace

std::span<const MemoryPart> memory_parts() {
  static constexpr MemoryPart kParts[] = {{"parameters", &MemoryEstimate::parameters},
                                          {"gradients", &MemoryEstimate::gradients},
                                          {"moments", &MemoryEstimate::moments},
                                          {"copy of the weights", &MemoryEstimate::weights},
                                          {"activations", &MemoryEstimate::activations},
                                          {"logits", &MemoryEstimate::logits},
                                          {"scratch", &MemoryEstimate::scratch},
                                          {"batches", &MemoryEstimate::batches},
                                          {"validation and samples", &MemoryEstimate::evaluation}};
  return kParts;
}

MemoryEstimate estimate_training_memory(const ModelConfig& config, int B, int T,
                                        int micro_batches) {
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
  estimate.batches =
      product(4 * sizeof(int) + sizeof(float), B, T) * static_cast<std::size_t>(micro_batches) +
      sizeof(StepScalars);
  return estimate;
}

std::size_t estimate_evaluation_memory(const ModelConfig& config, int B, int T) {
  const auto stride = static_cast<std::size_t>(config.padded_vocabulary());
  const std::size_t evaluator =
      transformer_scratch_bytes(config, B, T) +
      product(stride * sizeof(float) + 2 * sizeof(int) + sizeof(float), B, T);
  const std::size_t decoder =
      decode_cache_bytes(config) + decode_scratch_bytes(config) + stride * sizeof(float);
  return evaluator + decoder;
}

int validation_batch(const ModelConfig& config) {
  constexpr int kTokens = 2048;
  return std::max(1, kTokens / config.context);
}

MemoryEstimate estimate_run_memory(const ModelConfig& config, int B, int micro_batches) {
  MemoryEstimate estimate = estimate_training_memory(config, B, config.context, micro_batches);
  estimate.evaluation =
      estimate_evaluation_memory(config.plain(), validation_batch(config), config.context);
  return estimate;
}

int largest_batch(const ModelConfig& config, int most, int micro_batches, std::size_t bytes) {
  const std::int64_t sequences = std::int64_t{most} * micro_batches;
  const auto fits = [&](int B) {
    const auto micro = static_cast<int>((sequences + B - 1) / B);
    return estimate_run_memory(config, B, micro).total() <= bytes;
  };
  int fitting = 0;
  for (int above = most + 1; above - fitting > 1;) {
    const int middle = fitting + (above - fitting) / 2;
    (fits(middle) ? fitting : above) = middle;
  }
  return fitting;
}

std::string parts_of(const MemoryEstimate& estimate) {
  std::string parts;
  for (const auto& [name, bytes] : memory_parts()) {
    if (estimate.*bytes == 0) continue;
    parts += (parts.empty() ? "" : ", ") + std::string(name) + " " +
             readable_bytes(static_cast<double>(estimate.*bytes));
  }
  return parts;
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
    if (cudaMemGetInfo(&free, &all) != cudaSuccess) return 0;
    constexpr std::size_t kOfLibraries = std::size_t{256} << 20;  // cuBLAS takes some for itself
    return std::max(free, kOfLibraries + 1) - kOfLibraries;
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
