// File: model_case.h
//
// A small model with random parameters and tokens, as the tests of the whole model use it, on the
// device and for the reference.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_MODEL_CASE_H_
#define ANDREA_LESSONS_07_FULL_MODEL_MODEL_CASE_H_

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "kernels/block.h"
#include "kernels/device_buffer.h"
#include "kernels/layer_norm.h"
#include "kernels/parameter_layout.h"
#include "lessons/07_full_model/model_memory.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/trial.h"
#include "tests/harness/model_inputs.h"
#include "tests/harness/references.h"

namespace andrea {

inline const std::vector<std::string> kModelSizeNames = {"B", "T", "L", "C", "H", "V"};
inline const std::vector<std::vector<int>> kModels = {
    {1, 3, 1, 3, 1, 3}, {2, 3, 2, 4, 2, 5}, {1, 1, 2, 4, 1, 2}, {2, 5, 3, 6, 3, 131}};

inline const std::vector<std::string> kBackwardNames = {"B", "T", "L", "C", "H", "V", "add"};

// A case and whether gradients are added.
struct BackwardSizes {
  explicit BackwardSizes(const Trial& trial) {
    const auto all = trial.sizes<7>();
    std::copy_n(all.begin(), 6, sizes.begin());
    accumulate = all[6] != 0 ? Accumulate::add : Accumulate::overwrite;
  }

  std::array<int, 6> sizes;
  Accumulate accumulate;
};

inline ModelConfig model_config(const std::array<int, 6>& sizes) {
  ModelConfig config;
  config.layers = sizes[2];
  config.width = sizes[3];
  config.heads = sizes[4];
  config.vocabulary = sizes[5];
  config.mlp_width = 2 * config.width + 1;
  config.context = sizes[1] + 2;  // more positions than are used
  return config;
}

struct ModelCase {
  // `micro_batches`: how many batches of [B, T] tokens there are; `tokens` is the first.
  ModelCase(Trial& one_trial, const std::array<int, 6>& sizes, int micro_batches = 1)
      : trial(one_trial), B(sizes[0]), T(sizes[1]), config(model_config(sizes)), layout(config) {
    // Two numbers, normed, are 1 and -1 whatever they are: no gradient goes through.
    trial.need(config.width % config.heads == 0 && config.width > 2 && config.vocabulary > 1);
    N = B * T, L = config.layers, C = config.width, V = config.vocabulary;
    stride = config.padded_vocabulary();
    do {
      parameters = random_parameters(layout, trial.random());
      all_tokens = trial.random().integers(micro_batches * N, V);
    } while (smallest_variance(micro_batches * B) < 0.01);
    tokens.assign(all_tokens.begin(), all_tokens.begin() + N);
    parameters_device =
        trial.input("parameters", {{"place", static_cast<int>(layout.size())}}, parameters);
    tokens_device = trial.input("tokens", {{"b", B}, {"t", T}}, tokens);
  }

  ModelTensors<const float> parameter_tensors() const {
    return layout.view<const float>(parameters_device);
  }
  template <typename Scalar>
  reference::Vector<Scalar> all_parameters() const {
    return as_vector<Scalar>(parameters);
  }
  template <typename Scalar>
  std::vector<reference::Matrix<Scalar>> streams() const {
    return reference::transformer_streams(layout, all_parameters<Scalar>(), tokens, B, T);
  }
  template <typename Scalar>
  reference::Matrix<Scalar> normed(const reference::Matrix<Scalar>& stream) const {
    const reference::Vector<Scalar> all = all_parameters<Scalar>();
    const auto at = layout.view<const Scalar>(all.data());
    return reference::layer_norm_forward(stream, reference::load(at.final_gain, C),
                                         reference::load(at.final_bias, C));
  }
  // With the padding's columns, which are 0 since the padding's rows of the table are.
  template <typename Scalar>
  reference::Matrix<Scalar> padded(const reference::Matrix<Scalar>& logits) const {
    reference::Matrix<Scalar> all = reference::Matrix<Scalar>::Zero(N, stride);
    all.leftCols(V) = logits;
    return all;
  }

  // Of the rows that the norms read, of all tokens. A norm divides by its root: where that is
  // small, it magnifies what rounding has left.
  double smallest_variance(int sequences) const {
    const reference::Vector<double> all = all_parameters<double>();
    const auto at = layout.view<const double>(all.data());
    const auto streams = reference::transformer_streams(layout, all, all_tokens, sequences, T);
    double smallest = 1;
    const auto look_at = [&](const reference::Matrix<double>& rows) {
      for (Eigen::Index n = 0; n < rows.rows(); ++n) {
        const double variance = (rows.row(n).array() - rows.row(n).mean()).square().mean();
        smallest = std::min(smallest, variance);
      }
    };
    for (const auto& stream : streams) look_at(stream);
    for (std::size_t l = 0; l < at.blocks.size(); ++l) {
      look_at(reference::block_forward(config, at.blocks[l], streams[l], sequences, T).middle);
    }
    return smallest;
  }

  Trial& trial;
  int B, T, N, L, C, V, stride;
  ModelConfig config;
  ParameterLayout layout;
  std::vector<float> parameters;
  std::vector<int> tokens, all_tokens;
  const float* parameters_device;
  const int* tokens_device;
};

// Rows one behind the other, of all matrices.
template <typename Scalar>
reference::Vector<Scalar> joined(const std::vector<reference::Matrix<Scalar>>& matrices) {
  reference::Vector<Scalar> all(matrices.front().size() *
                                static_cast<Eigen::Index>(matrices.size()));
  Eigen::Index at = 0;
  for (const auto& matrix : matrices) {
    std::copy_n(matrix.data(), matrix.size(), all.data() + at);
    at += matrix.size();
  }
  return all;
}

// The places of the forward pass in outputs of a trial: "streams", "normed".
class ForwardOutputs {
 public:
  explicit ForwardOutputs(const ModelCase& it) {
    float* const streams =
        it.trial.output("streams", {{"stream", it.L + 1}, {"n", it.N}, {"c", it.C}});
    for (int l = 0; l <= it.L; ++l) memory.streams.push_back(streams + l * it.N * it.C);
    for (int l = 0; l < it.L; ++l) {
      saved_.emplace_back(static_cast<std::int64_t>(block_saved_bytes(it.config, it.B, it.T)));
      memory.blocks.push_back(saved_.back().data());
    }
    memory.normed = it.trial.output("normed", {{"n", it.N}, {"c", it.C}});
    saved_.emplace_back(static_cast<std::int64_t>(layer_norm_saved_bytes(it.N, it.C)));
    memory.norm_saved = saved_.back().data();
  }

  lesson07::ForwardMemory memory;

 private:
  std::vector<DeviceBuffer<char>> saved_;
};

// The same as the reference leaves them, as inputs of a trial, and what blocks and norm save.
class ForwardInputs {
 public:
  explicit ForwardInputs(const ModelCase& it) {
    const auto streams = it.streams<float>();
    const reference::Vector<float> all = joined(streams);
    const reference::Matrix<float> normed = it.normed(streams.back());
    const float* const streams_device = it.trial.input<float>(
        "streams", {{"stream", it.L + 1}, {"n", it.N}, {"c", it.C}}, {all.begin(), all.end()});
    for (int l = 0; l <= it.L; ++l) {
      memory.streams.push_back(const_cast<float*>(streams_device) + l * it.N * it.C);
    }
    memory.normed = const_cast<float*>(it.trial.input<float>(
        "normed", {{"n", it.N}, {"c", it.C}}, {normed.data(), normed.data() + normed.size()}));
    const Workspace workspace(lesson07::operation_scratch_bytes(it.config, it.B, it.T));
    DeviceBuffer<float> unused(std::int64_t{it.N} * it.C);
    const auto parameters = it.parameter_tensors();
    for (int l = 0; l < it.L; ++l) {
      const auto at = static_cast<std::size_t>(l);
      saved_.emplace_back(static_cast<std::int64_t>(block_saved_bytes(it.config, it.B, it.T)));
      memory.blocks.push_back(saved_.back().data());
      block_forward(it.config, parameters.blocks[at], memory.streams[at], unused.data(),
                    memory.blocks[at], it.B, it.T, workspace.launch());
    }
    saved_.emplace_back(static_cast<std::int64_t>(layer_norm_saved_bytes(it.N, it.C)));
    memory.norm_saved = saved_.back().data();
    layer_norm_forward(memory.streams.back(), parameters.final_gain, parameters.final_bias,
                       unused.data(), memory.norm_saved, it.N, it.C, workspace.launch());
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  lesson07::ForwardMemory memory;

 private:
  std::vector<DeviceBuffer<char>> saved_;
};

// Calls visit(name, pointer) for every tensor, in the order in which backward comes to them.
template <typename Number, typename Visit>
void for_each_tensor(ModelTensors<Number>& tensors, const Visit& visit) {
  visit("output_table", tensors.output_table);
  visit("final_gain", tensors.final_gain);
  visit("final_bias", tensors.final_bias);
  for (std::size_t l = tensors.blocks.size(); l-- > 0;) {
    BlockTensors<Number>& block = tensors.blocks[l];
    const std::string name = "blocks[" + std::to_string(l) + "].";
    visit(name + "contract_weight", block.contract_weight);
    visit(name + "contract_bias", block.contract_bias);
    visit(name + "expand_weight", block.expand_weight);
    visit(name + "expand_bias", block.expand_bias);
    visit(name + "norm2_gain", block.norm2_gain);
    visit(name + "norm2_bias", block.norm2_bias);
    visit(name + "out_weight", block.out_weight);
    visit(name + "out_bias", block.out_bias);
    visit(name + "qkv_weight", block.qkv_weight);
    visit(name + "qkv_bias", block.qkv_bias);
    visit(name + "norm1_gain", block.norm1_gain);
    visit(name + "norm1_bias", block.norm1_bias);
  }
  visit("token_table", tensors.token_table);
  visit("position_table", tensors.position_table);
}

// The tensors of a flat buffer, in that order: for Trial::consists_of.
inline std::vector<TensorPart> parts_of(const ParameterLayout& layout) {
  std::vector<float> flat(static_cast<std::size_t>(layout.size()));
  ModelTensors<float> tensors = layout.view<float>(flat.data());
  std::vector<TensorPart> parts;
  for_each_tensor(tensors, [&](const std::string& name, const float* pointer) {
    const std::int64_t offset = pointer - flat.data();
    const auto& all = layout.tensors();
    const ParameterTensor& tensor = *std::find_if(
        all.begin(), all.end(), [&](const ParameterTensor& one) { return one.offset == offset; });
    const int columns = static_cast<int>(tensor.shape.back());
    Axes axes = {{"column", columns}};
    if (tensor.is_matrix()) {
      axes.insert(axes.begin(), {"row", static_cast<int>(tensor.stored) / columns});
    }
    parts.push_back({name, axes, static_cast<std::size_t>(offset)});
  });
  return parts;
}

// The gradients of all parameters, each an output of its own: "gradients.token_table". What is
// expected of them, and what mistakes make of them, are flat vectors as the layout has them.
class GradientOutputs {
 public:
  GradientOutputs(const ModelCase& one_case, Accumulate accumulate)
      : it_(one_case), accumulate_(accumulate) {
    const std::vector<TensorPart> parts = parts_of(it_.layout);
    tensors.blocks.resize(static_cast<std::size_t>(it_.L));
    std::size_t next = 0;
    for_each_tensor(tensors, [&](const std::string& name, float*& pointer) {
      const TensorPart& part = parts[next++];
      parts_.push_back({"gradients." + name, static_cast<std::int64_t>(part.offset),
                        static_cast<std::int64_t>(count_of(part.axes))});
      pointer = it_.trial.gradient(parts_.back().name, part.axes, accumulate);
    });
  }

  template <typename Reference>
  void expect(const Reference& reference) {
    const reference::Vector<double> exact = reference(double{});
    const reference::Vector<float> rounded = reference(float{});
    const double accumulated = kRoundings * exact.cwiseAbs().maxCoeff();
    for (const Part& part : parts_) {
      it_.trial.expect(
          part.name,
          [&]<typename Scalar>(Scalar) -> reference::Vector<Scalar> {
            if constexpr (std::is_same_v<Scalar, double>) {
              return exact.segment(part.offset, part.count);
            } else {
              return rounded.segment(part.offset, part.count);
            }
          },
          accumulated);
    }
  }

  // `wrong` is computed once, and only where something is wrong.
  template <typename Wrong>
  void look_like(const std::string& mistake, const Wrong& wrong) {
    reference::Vector<double> flat;
    for (const Part& part : parts_) {
      it_.trial.looks_like(mistake, part.name, [&]() -> reference::Vector<double> {
        if (flat.size() == 0) flat = wrong();
        return flat.segment(part.offset, part.count);
      });
    }
  }

  // What a tensor holds that nobody writes, for `wrong`.
  void keep(reference::Vector<double>& flat, const std::string& name) const {
    for (const Part& part : parts_) {
      if (part.name.find(name) == std::string::npos) continue;
      const reference::Vector<double> before = as_vector<double>(it_.trial.before(part.name));
      if (accumulate_ == Accumulate::overwrite) {
        flat.segment(part.offset, part.count) = before;
      } else {
        flat.segment(part.offset, part.count).setZero();
      }
    }
  }

  // Adds what all tensors held before, times `factor`.
  void add_before(reference::Vector<double>& flat, double factor) const {
    for (const Part& part : parts_) {
      flat.segment(part.offset, part.count) +=
          factor * as_vector<double>(it_.trial.before(part.name));
    }
  }

  ModelTensors<float> tensors{};  // on the device

 private:
  struct Part {
    std::string name;
    std::int64_t offset, count;
  };

  const ModelCase& it_;
  Accumulate accumulate_;
  std::vector<Part> parts_;
};

}  // namespace andrea

#endif  // ANDREA_LESSONS_07_FULL_MODEL_MODEL_CASE_H_
