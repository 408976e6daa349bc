// The time of a training step of ANDREA-120M, estimated from what its kernels must move and
// multiply:
//
//   bazel run //tools/gpu_check:estimate
//
// prints the tables of docs/kernels_cuda.md. Nothing is measured here.

#include <cstdio>
#include <string>
#include <vector>

#include "kernels/cuda/cost.h"

namespace andrea::cuda {
namespace {

// Ceilings of NVIDIA's data sheets: H200 SXM (2024), and the Ada architecture's white paper (2022).
// The shares are assumptions, of what is commonly reported for kernels of these kinds; that of
// attention on the H200 is what FlashAttention-2 reaches with the same instructions on an H100
// (kOthers), whose tensor cores are the same.
const std::vector<Card>& cards() {
  static const std::vector<Card> all = {
      {.name = "H200",
       .bytes_per_second = 4.8e12,
       .flops_per_second = 989e12,
       .memory_share = 0.85,
       .library_share = 0.68,
       .own_share = 0.23,
       .launch_seconds = 1.5e-6,
       .epilogues_apart = false},
      {.name = "RTX 4090",
       .bytes_per_second = 1.008e12,
       .flops_per_second = 165e12,
       .memory_share = 0.90,
       .library_share = 0.90,
       .own_share = 0.65,
       .launch_seconds = 1.5e-6,
       .epilogues_apart = true},
  };
  return all;
}

ModelConfig andrea_in_bf16() {
  ModelConfig config;
  config.precision = Precision::bf16;
  return config;
}

// One step's parts, in seconds.
struct Parts {
  double library = 0;
  double attention = 0;
  double memory = 0;

  double step() const { return library + attention + memory; }
};

Parts parts_of(const std::vector<KernelCost>& costs, const Card& card) {
  Parts parts;
  for (const KernelCost& cost : costs) {
    const double seconds = cost.calls * seconds_of(cost, card);
    (cost.work == Work::library_product ? parts.library
     : cost.work == Work::own_product   ? parts.attention
                                        : parts.memory) += seconds;
  }
  return parts;
}

std::vector<KernelCost> costs_on(const Card& card, int B, int micro_batches) {
  const ModelConfig config = andrea_in_bf16();
  return step_costs(config, B, config.context, micro_batches, card.epilogues_apart);
}

void print_step(const Card& card, int B, int micro_batches) {
  const int T = andrea_in_bf16().context;
  std::printf("%s, %d micro-batches of %d x %d tokens, bf16:\n\n", card.name.c_str(), micro_batches,
              B, T);
  std::printf("| kernel | from | calls | MB a call | GFLOP a call | ms a step |\n");
  std::printf("|---|---|---:|---:|---:|---:|\n");
  const std::vector<KernelCost> costs = costs_on(card, B, micro_batches);
  double flops = 0;
  for (const KernelCost& cost : costs) {
    flops += cost.calls * cost.flops;
    std::printf("| %s | %s | %.0f | %.1f | %.1f | %.2f |\n", cost.name.c_str(), cost.from.c_str(),
                cost.calls, cost.bytes / 1e6, cost.flops / 1e9,
                cost.calls * seconds_of(cost, card) * 1e3);
  }
  const Parts parts = parts_of(costs, card);
  std::printf("| the step | | | | | %.1f |\n\n", parts.step() * 1e3);
  std::printf(
      "%.0f tokens a second; matrix products by cuBLAS %.2f of the step; %.0f %% of the tensor "
      "cores' ceiling.\n\n",
      static_cast<double>(B) * T * micro_batches / parts.step(), parts.library / parts.step(),
      100 * flops / parts.step() / card.flops_per_second);
}

// Attention by others on an H100, in FLOP/s with five products backward, at heads of 64 and 1,024
// tokens, from the figures of the paper of FlashAttention-3 (Shah et al., 2024). Forward is causal,
// backward is not, which it does not measure at this size: causal, it would be slower.
struct OthersAttention {
  const char* name;
  double forward, backward;
};
constexpr OthersAttention kOthers[] = {{"FlashAttention-2", 229e12, 238e12},
                                       {"FlashAttention-3", 265e12, 363e12},
                                       {"cuDNN", 288e12, 348e12}};

double find(const std::vector<KernelCost>& costs, const std::string& name, const Card& card) {
  for (const KernelCost& cost : costs) {
    if (cost.name == name) return cost.calls * seconds_of(cost, card);
  }
  return 0;
}

void print_row(const std::string& name, const Parts& parts) {
  std::printf("| %s | %.1f | %.1f | %.2f |\n", name.c_str(), parts.attention * 1e3,
              parts.step() * 1e3, parts.library / parts.step());
}

// What the step would take with others' attention, and llm.c's step by the same counts: it rounds
// no weights, and has biases' gradients made by a kernel of its own.
void print_comparison(const Card& card, int B) {
  std::printf("| %s, attention | ms of it | ms a step | products by cuBLAS |\n", card.name.c_str());
  std::printf("|---|---:|---:|---:|\n");
  const std::vector<KernelCost> costs = costs_on(card, B, 1);
  print_row("of this set", parts_of(costs, card));
  double forward = 0, backward = 0;  // FLOPs
  for (const KernelCost& cost : costs) {
    if (cost.name == "attention") forward = cost.calls * cost.flops;
    if (cost.name == "attention, backward") backward = cost.calls * cost.flops;
  }
  Parts parts = parts_of(costs, card);
  for (const OthersAttention& other : kOthers) {
    parts.attention = forward / other.forward + backward / other.backward;
    print_row(other.name, parts);
  }
  const std::vector<KernelCost> apart =
      step_costs(andrea_in_bf16(), B, andrea_in_bf16().context, 1, /*epilogues_apart=*/true);
  parts.memory += find(apart, "gradients of the four biases", card) -
                  find(costs, "weights to bf16, at random", card);
  print_row("cuDNN, in llm.c", parts);
}

}  // namespace
}  // namespace andrea::cuda

int main() {
  andrea::cuda::print_step(andrea::cuda::cards()[0], 32, 1);
  andrea::cuda::print_comparison(andrea::cuda::cards()[0], 32);
  std::printf("\n");
  andrea::cuda::print_step(andrea::cuda::cards()[1], 8, 4);
}
