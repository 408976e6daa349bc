#include "kernels/cuda/cost.h"

#include <algorithm>

#include "kernels/cuda/flash_attention.h"
#include "kernels/launch_size.h"
#include "kernels/parameter_layout.h"

namespace andrea::cuda {
namespace {

constexpr int kTileOfKeys = 128;  // in attention's backward pass, of heads of 64

// Makes the entries of one micro-batch, whose letters it knows.
class Costs {
 public:
  Costs(const ModelConfig& config, int batch, int time, int micro_batches, bool epilogues_apart)
      : epilogues_apart_(epilogues_apart),
        number_(config.precision == Precision::bf16 ? 2 : 4),
        calls_(micro_batches),
        L(config.layers),
        N(static_cast<double>(batch) * time),
        T(time),
        C(config.width),
        F(config.mlp_width),
        V(config.padded_vocabulary()),
        parts_(attention_parts(blocks_for(time, kTileOfKeys), batch * config.heads)),
        P(static_cast<double>(ParameterLayout(config).size())) {}

  std::vector<KernelCost> all(const ModelConfig& config) {
    if (config.precision == Precision::bf16) {
      add("weights to bf16, at random", "07.8", Work::memory, 1, P * (4 + number_), 0);
    }
    add("embedding", "01.1", Work::memory, 1, 2 * N * C * number_, 0);
    add("norm", "04.2", Work::memory, 1, 2 * N * C * number_, 0);
    add("residual and norm", "06.8", Work::memory, 2 * L, 4 * N * C * number_, 0);
    product("qkv", L, C, 3 * C);
    attention("attention", "03.8", /*products=*/2, /*rows=*/4);
    product("attention's output", L, C, C);
    product("expand, with GELU", L, C, F, /*more_rows=*/epilogues_apart_ ? 0 : F);
    if (epilogues_apart_) add("GELU", "05.1", Work::memory, L, 2 * N * F * number_, 0);
    product("contract", L, F, C);
    product("logits", 1, C, V);
    add("loss and its gradient", "07.2", Work::memory, 1, 2 * N * V * number_, 0);

    backward_products("logits, backward", 1, C, V, 0);
    add("norm, backward", "04.3", Work::memory, 2 * L + 1, 4 * N * C * number_, 0);
    backward_products("contract, backward, with GELU's", L, F, C,
                      /*more_rows=*/epilogues_apart_ ? 0 : F);
    if (epilogues_apart_) add("GELU, backward", "05.2", Work::memory, L, 3 * N * F * number_, 0);
    backward_products("expand, backward", L, C, F, 0);
    backward_products("attention's output, backward", L, C, C, 0);
    attention("attention, backward", "03.9", /*products=*/5, /*rows=*/9 + 4 * parts_);
    backward_products("qkv, backward", L, C, 3 * C, 0);
    if (config.biases && epilogues_apart_) {
      add("gradients of the four biases", "05.4", Work::memory, L, N * (5 * C + F) * number_, 0);
    }
    if (config.recompute) {
      add("norms and GELU again", "04.2", Work::memory, L, N * (4 * C + 2 * F) * number_, 0);
    }
    add("embedding, backward", "01.6", Work::memory, 1, N * C * number_ + 4 * V * C, 0);

    calls_ = 1;
    add("global norm", "07.3", Work::memory, 1, 4 * P, 0);
    add("AdamW", "07.4", Work::memory, 1, 28 * P, 0);
    return costs_;
  }

 private:
  void add(const char* name, const char* from, Work work, double calls, double bytes,
           double flops) {
    costs_.push_back({name, from, work, calls * calls_, bytes, flops});
  }

  // [N, in] times [in, out], and so many numbers a row that the epilogue moves besides.
  void product(const char* name, double calls, double in, double out, double more_rows = 0) {
    add(name, "05.6", Work::library_product, calls,
        (N * (in + out + more_rows) + in * out) * number_, 2 * N * in * out);
  }

  // The two products of a layer's backward pass; the weights' gradient is float.
  void backward_products(const char* name, double calls, double in, double out, double more_rows) {
    add(name, "05.7", Work::library_product, 2 * calls,
        ((N * (2 * out + 2 * in + more_rows) + in * out) * number_ + 4 * in * out) / 2,
        2 * N * in * out);
  }

  // Of each product of T x T the causal half is computed; `rows` of C numbers a token are moved.
  void attention(const char* name, const char* from, double products, double rows) {
    add(name, from, Work::own_product, L, rows * N * C * number_, products * N * T * C);
  }

  bool epilogues_apart_;
  double number_;  // bytes of an activation
  double calls_;   // micro-batches that repeat what is added
  double L, N, T, C, F, V;
  double parts_;  // sums of the queries' gradients
  double P;
  std::vector<KernelCost> costs_;
};

}  // namespace

std::vector<KernelCost> step_costs(const ModelConfig& config, int B, int T, int micro_batches,
                                   bool epilogues_apart) {
  return Costs(config, B, T, micro_batches, epilogues_apart).all(config);
}

double seconds_of(const KernelCost& cost, const Card& card) {
  const double share = cost.work == Work::library_product ? card.library_share : card.own_share;
  return std::max(cost.bytes / (card.bytes_per_second * card.memory_share),
                  cost.flops / (card.flops_per_second * share)) +
         card.launch_seconds;
}

}  // namespace andrea::cuda
