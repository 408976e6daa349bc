// File: block_case.h
//
// What the tests of this lesson share: a block of the trial's sizes, with its parameters.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_BLOCK_CASE_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_BLOCK_CASE_H_

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/activation.h"
#include "kernels/attention.h"
#include "kernels/block.h"
#include "kernels/cuda_check.h"
#include "kernels/device_buffer.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "lessons/06_residual_block/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/trial.h"
#include "tests/harness/guarded_tensor.h"

namespace andrea {

// C is H * D. Without `biases` the four linear layers have none.
inline const std::vector<std::string> kBlockSizeNames = {"B", "T", "H", "D", "F", "biases"};

// The tensors of a block in the order of BlockTensors.
inline constexpr std::size_t kBlockTensors = 12;

template <typename Number>
Number*& tensor_of(BlockTensors<Number>& tensors, std::size_t which) {
  Number** const all[kBlockTensors] = {
      &tensors.norm1_gain,  &tensors.norm1_bias,      &tensors.qkv_weight,
      &tensors.qkv_bias,    &tensors.out_weight,      &tensors.out_bias,
      &tensors.norm2_gain,  &tensors.norm2_bias,      &tensors.expand_weight,
      &tensors.expand_bias, &tensors.contract_weight, &tensors.contract_bias};
  return *all[which];
}

// What an operation's forward leaves for its backward, by the implementation that is linked:
// work(saved) is done here.
template <typename Work>
std::vector<float> saved_by(std::size_t bytes, const Work& work) {
  DeviceBuffer<float> saved(static_cast<std::int64_t>(bytes / sizeof(float)));
  work(saved.data());
  CUDA_CHECK(cudaDeviceSynchronize());
  return saved.to_host();
}

struct BlockCase {
  BlockCase(Trial& trial, const std::vector<int>& sizes) {
    B = sizes.at(0), T = sizes.at(1), H = sizes.at(2), C = H * sizes.at(3), F = sizes.at(4);
    biases = sizes.at(5) != 0;
    N = B * T;
    trial.need(C > 1);       // a norm of one number leaves nothing of it
    omp_set_num_threads(1);  // of the cpu set: for so little work they would wait for each other
    config.width = C;
    config.heads = H;
    config.mlp_width = F;
    config.biases = biases;
    shape = {B, T, C, H};
    const Axis c{"c", C}, f{"f", F}, third{"third", 3}, row{"row", C};
    tensors = {{{"norm1_gain", {c}, false},
                {"norm1_bias", {c}, false},
                {"qkv_weight", {row, third, c}, false},
                {"qkv_bias", {third, c}, true},
                {"out_weight", {row, c}, false},
                {"out_bias", {c}, true},
                {"norm2_gain", {c}, false},
                {"norm2_bias", {c}, false},
                {"expand_weight", {c, f}, false},
                {"expand_bias", {f}, true},
                {"contract_weight", {f, c}, false},
                {"contract_bias", {c}, true}}};
    for (std::size_t i = 0; i < kBlockTensors; ++i) {
      if (!has(i)) continue;
      values[i] = trial.random().numbers(static_cast<std::int64_t>(count_of(tensors[i].axes)));
      tensor_of(parameters, i) = trial.input(tensors[i].name, tensors[i].axes, values[i]);
    }
    x_values = random_rows(trial, C);
    // Rows that hardly vary have a norm that is made of rounding errors: none of them is like that.
    for (std::size_t i = 0; i < x_values.size(); ++i) {
      x_values[i] += i % static_cast<std::size_t>(C) % 2 == 0 ? 1.5f : -1.5f;
    }
    x_device = trial.input("x", axes(C), x_values);
  }

  // Working memory for each of the operations.
  std::size_t scratch_bytes() const {
    return std::max({layer_norm_scratch_bytes(N, C), linear_scratch_bytes(N, C, 3 * C),
                     attention_scratch_bytes(shape), linear_scratch_bytes(N, C, C),
                     linear_scratch_bytes(N, C, F), linear_scratch_bytes(N, F, C)});
  }

  // What a forward pass has left, as inputs of the exercises behind it.
  reference::BlockStates<float> forward() const {
    const reference::BlockWeights<float> w = weights<float>();
    reference::BlockStates<float> states;
    reference::attention_sublayer(w, shape, x<float>(), states);
    reference::mlp_sublayer(w, Activation::gelu, states);
    return states;
  }
  const float* input_rows(Trial& trial, const std::string& name,
                          const reference::Matrix<float>& matrix) const {
    return trial.input(name, axes(static_cast<int>(matrix.cols())), floats(matrix));
  }
  template <typename Work>
  const float* input_saved(Trial& trial, const std::string& name, std::size_t bytes,
                           const Work& work) const {
    const std::vector<float> saved = saved_by(bytes, work);
    return trial.input(name, {{"i", static_cast<int>(saved.size())}}, saved);
  }
  // The saved statistics of a norm that has read these rows.
  const float* input_norm_saved(Trial& trial, const std::string& name,
                                const reference::Matrix<float>& rows) const {
    return input_saved(trial, name, layer_norm_saved_bytes(N, C), [&](float* saved) {
      const DeviceBuffer<float> in(floats(rows));
      DeviceBuffer<float> out(rows.size());
      layer_norm_forward(in.data(), nullptr, nullptr, out.data(), saved, N, C, Launch());
      CUDA_CHECK(cudaDeviceSynchronize());
    });
  }
  const float* input_attention_saved(Trial& trial, const reference::Matrix<float>& qkv) const {
    return input_saved(trial, "attention_saved", attention_saved_bytes(shape), [&](float* saved) {
      const DeviceBuffer<float> in(floats(qkv));
      DeviceBuffer<float> out(std::int64_t{N} * C);
      const Workspace workspace(attention_scratch_bytes(shape));
      attention_forward(in.data(), out.data(), saved, shape, workspace.launch());
      CUDA_CHECK(cudaDeviceSynchronize());
    });
  }

  template <typename Scalar>
  reference::BlockStates<Scalar> cast(const reference::BlockStates<float>& s) const {
    return {s.norm1.cast<Scalar>(),     s.qkv.cast<Scalar>(),   s.attended.cast<Scalar>(),
            s.middle.cast<Scalar>(),    s.norm2.cast<Scalar>(), s.expanded.cast<Scalar>(),
            s.activated.cast<Scalar>(), s.y.cast<Scalar>()};
  }
  template <typename Scalar>
  reference::Matrix<Scalar> x() const {
    return rows<Scalar>(x_values);
  }

  // Of these names of gradients, those that the block has.
  std::vector<std::string> existing(std::vector<std::string> names) const {
    for (std::size_t i = 0; i < kBlockTensors; ++i) {
      if (!has(i)) std::erase(names, "d" + tensors[i].name);
    }
    return names;
  }

  bool has(std::size_t tensor) const { return biases || !tensors[tensor].is_linear_bias; }

  // [B, T, columns]
  Axes axes(int columns) const { return {{"b", B}, {"t", T}, {"c", columns}}; }
  std::vector<float> random_rows(Trial& trial, int columns) const {
    return trial.random().numbers(std::int64_t{N} * columns);
  }
  template <typename Scalar>
  reference::Matrix<Scalar> rows(const std::vector<float>& numbers) const {
    return as_matrix<Scalar>(numbers, N, static_cast<int>(numbers.size()) / N);
  }
  static std::vector<float> floats(const reference::Matrix<float>& matrix) {
    return {matrix.data(), matrix.data() + matrix.size()};
  }

  template <typename Scalar>
  reference::BlockWeights<Scalar> weights() const {
    std::array<std::vector<Scalar>, kBlockTensors> cast;
    BlockTensors<const Scalar> at{};
    for (std::size_t i = 0; i < kBlockTensors; ++i) {
      cast[i].assign(values[i].begin(), values[i].end());
      if (has(i)) tensor_of(at, i) = cast[i].data();
    }
    return {config, at};
  }

  struct About {
    std::string name;
    Axes axes;
    bool is_linear_bias;
  };

  int B, T, C, H, F, N;
  bool biases;
  ModelConfig config;
  AttentionShape shape;
  std::array<About, kBlockTensors> tensors;
  std::array<std::vector<float>, kBlockTensors> values;  // empty where there is none
  BlockTensors<const float> parameters{};                // on the device
  std::vector<float> x_values;
  const float* x_device;
};

}  // namespace andrea

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_BLOCK_CASE_H_
