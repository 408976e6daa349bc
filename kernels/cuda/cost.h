// File: cost.h
//
// What a training step of the `cuda` set must move and multiply, kernel by kernel: the numbers that
// a measured time is held against. Bytes are those that no cache can save, each input of a kernel
// read once and each output written once; tests hold the kernels to that by counters.

#ifndef ANDREA_KERNELS_CUDA_COST_H_
#define ANDREA_KERNELS_CUDA_COST_H_

#include <string>
#include <vector>

#include "kernels/model_config.h"

namespace andrea::cuda {

// Who does the work, which tells what bounds it.
enum class Work {
  library_product,  // a matrix product by cuBLAS
  own_product,      // by tensor cores in a kernel of this folder
  memory,           // everything else
};

// One kernel, or the kernels of one call.
struct KernelCost {
  std::string name;
  std::string from;  // the exercise that its ladder begins with, as "04.2"
  Work work;
  double calls;  // in one step
  double bytes;  // of one call
  double flops;  // of one call; a multiplication and an addition are two
};

// Of a step with `micro_batches` of B sequences of T tokens, in the order in which the kernels
// first run.
// `epilogues_apart`: GELU, its derivative and the gradients of biases are kernels of their own, as
// products.h chooses before sm_90.
std::vector<KernelCost> step_costs(const ModelConfig& config, int B, int T, int micro_batches,
                                   bool epilogues_apart = false);

// What a card can do: a data sheet's ceilings, and the share of them that is reached in practice.
struct Card {
  std::string name;
  double bytes_per_second;
  double flops_per_second;  // of its tensor cores in bf16, summed in float, dense
  double memory_share;      // by kernels that only move memory
  double library_share;     // by cuBLAS in large products
  double own_share;         // by mma.sync, as attention has it
  double launch_seconds;    // from the end of one kernel of a graph to the begin of the next
  bool epilogues_apart;     // as step_costs() has it
};

// One call on the card: the longer of its bytes and its products, and the launch.
double seconds_of(const KernelCost& cost, const Card& card);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_COST_H_
