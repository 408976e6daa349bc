// File: step_kernels.h
//
// The kernels of a training step in bf16, each ready to be called by itself, and the step as a
// whole.

#ifndef ANDREA_TOOLS_GPU_CHECK_BENCHMARK_STEP_KERNELS_H_
#define ANDREA_TOOLS_GPU_CHECK_BENCHMARK_STEP_KERNELS_H_

#include <cuda_bf16.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/device_buffer.h"
#include "kernels/parameter_layout.h"
#include "kernels/step_scalars.h"

namespace andrea::cuda {

// Device memory with random numbers between -scale and scale: what a product takes in power, and so
// in time, depends on them.
DeviceBuffer<float> random_floats(std::int64_t count, float scale = 1);
DeviceBuffer<__nv_bfloat16> random_bf16(std::int64_t count);

// One call of what an entry of step_costs() describes, by its name. An entry that stands for
// several calls of a backward pass, as "qkv, backward" for two, makes them all.
struct KernelCall {
  std::string name;
  double calls;  // of the entry's
  std::function<void()> run;
};

class StepKernels {
 public:
  // Precondition: the config is in bf16, and training_pass_supports() it.
  StepKernels(const ModelConfig& config, int B);

  // They call into this object.
  std::vector<KernelCall> calls();

  // The matrix products alone, a layer's three in each entry, with nothing done to their results;
  // `calls` is how often a step makes them.
  std::vector<KernelCall> products();

  // One micro-batch forward and backward, the norm and AdamW.
  void step();

 private:
  std::int64_t rows_of(int width) const { return std::int64_t{N} * width; }
  Launch launch() { return {.scratch = scratch_.data(), .scratch_bytes = scratch_.bytes()}; }
  void backward_calls(std::vector<KernelCall>& calls);

  ModelConfig config_;
  ParameterLayout layout_;
  int B, T, N, C, F, V;
  DeviceBuffer<float> parameters_, gradients_, first_moments_, second_moments_;
  DeviceBuffer<__nv_bfloat16> weights_;
  DeviceBuffer<__nv_bfloat16> x_, correction_, residual_, y_;  // [N, C]
  DeviceBuffer<__nv_bfloat16> qkv_, dqkv_;                     // [N, 3C]
  DeviceBuffer<__nv_bfloat16> expanded_, activated_, dwide_;   // [N, F]
  DeviceBuffer<__nv_bfloat16> logits_;                         // [N, V]
  DeviceBuffer<float> mean_, rstd_, losses_;                   // [N]
  DeviceBuffer<float> log_sum_exp_;                            // [B, H, T]
  DeviceBuffer<int> tokens_;                                   // [N]
  DeviceBuffer<StepScalars> scalars_;
  DeviceBuffer<char> scratch_;
};

}  // namespace andrea::cuda

#endif  // ANDREA_TOOLS_GPU_CHECK_BENCHMARK_STEP_KERNELS_H_
