// The time of a training step of ANDREA-120M, estimated from what its kernels must move and
// multiply:
//
//   bazel run //tools/gpu_check:estimate
//
// prints the tables of docs/kernels_cuda.md. Nothing is measured here.

#include <cstdio>
#include <vector>

#include "kernels/cuda/cost.h"

namespace andrea::cuda {
namespace {

// Ceilings of NVIDIA's data sheets: H200 SXM (2024), and the Ada architecture's white paper (2022).
// The shares are assumptions, of what is commonly reported for kernels of these kinds.
const std::vector<Card>& cards() {
  static const std::vector<Card> all = {
      {.name = "H200",
       .bytes_per_second = 4.8e12,
       .flops_per_second = 989e12,
       .memory_share = 0.85,
       .library_share = 0.68,
       .own_share = 0.30,
       .launch_seconds = 1.5e-6,
       .gelu_apart = false},
      {.name = "RTX 4090",
       .bytes_per_second = 1.008e12,
       .flops_per_second = 165e12,
       .memory_share = 0.90,
       .library_share = 0.90,
       .own_share = 0.65,
       .launch_seconds = 1.5e-6,
       .gelu_apart = true},
  };
  return all;
}

ModelConfig andrea_in_bf16() {
  ModelConfig config;
  config.precision = Precision::bf16;
  return config;
}

void print_step(const Card& card, int B, int micro_batches) {
  const ModelConfig config = andrea_in_bf16();
  const double tokens = static_cast<double>(B) * config.context * micro_batches;
  std::printf("%s, %d micro-batches of %d x %d tokens, bf16:\n\n", card.name.c_str(), micro_batches,
              B, config.context);
  std::printf("| kernel | from | calls | MB a call | GFLOP a call | ms a step |\n");
  std::printf("|---|---|---:|---:|---:|---:|\n");
  double step = 0, library = 0, flops = 0;
  for (const KernelCost& cost :
       step_costs(config, B, config.context, micro_batches, card.gelu_apart)) {
    const double seconds = cost.calls * seconds_of(cost, card);
    step += seconds;
    flops += cost.calls * cost.flops;
    if (cost.work == Work::library_product) library += seconds;
    std::printf("| %s | %s | %.0f | %.1f | %.1f | %.2f |\n", cost.name.c_str(), cost.from.c_str(),
                cost.calls, cost.bytes / 1e6, cost.flops / 1e9, seconds * 1e3);
  }
  std::printf("| the step | | | | | %.1f |\n\n", step * 1e3);
  std::printf(
      "%.0f tokens a second; matrix products by cuBLAS %.2f of the step; %.0f %% of the tensor "
      "cores' ceiling.\n\n",
      tokens / step, library / step, 100 * flops / step / card.flops_per_second);
}

}  // namespace
}  // namespace andrea::cuda

int main() {
  andrea::cuda::print_step(andrea::cuda::cards()[0], 32, 1);
  andrea::cuda::print_step(andrea::cuda::cards()[1], 8, 4);
}
