// File: placed_norms_model.h
//
// A language model that has its norms before its sublayers or behind them, as config.norm says, and
// learns: what the lab warm_up.cc trains. The trainer's model is pre-norm alone.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_PLACED_NORMS_MODEL_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_PLACED_NORMS_MODEL_H_

#include <span>
#include <vector>

#include "kernels/block.h"
#include "kernels/device_buffer.h"
#include "kernels/launch.h"
#include "kernels/model_config.h"
#include "kernels/parameter_layout.h"
#include "kernels/step_scalars.h"

namespace andrea {

// The parameters of a sublayer, or their gradients. Attention and MLP are alike: a linear layer,
// something that mixes or bends, and a linear layer that leads back to the stream. M is 3C in
// attention and F in the MLP, K is C or F.
template <typename Number>
struct SublayerTensors {
  Number* gain;        // [C]
  Number* bias;        // [C]
  Number* in_weight;   // [C, M]
  Number* in_bias;     // [M]
  Number* out_weight;  // [K, C]
  Number* out_bias;    // [C]
};

class PlacedNormsModel {
 public:
  // Of B sequences of config.context tokens; config.norm is pre or post. Every matrix is drawn so
  // that a sum of as many weights as a number of its product is made of has the deviation `sum`.
  PlacedNormsModel(const ModelConfig& config, int B, double sum, unsigned seed);

  // The mean loss of a batch, in nats, and the gradients of the parameters.
  double loss_and_gradients(std::span<const int> tokens,    // [B, T]
                            std::span<const int> targets);  // [B, T]

  // One step of AdamW. Returns the mean loss from before the step.
  double step(std::span<const int> tokens,   // [B, T]
              std::span<const int> targets,  // [B, T]
              float learning_rate);

  const ParameterLayout& layout() const { return layout_; }            // of the two below
  DeviceBuffer<float>& parameters() { return parameters_; }            // [layout().size()]
  const DeviceBuffer<float>& gradients() const { return gradients_; }  // [layout().size()]

 private:
  // What a sublayer's forward pass leaves for its backward pass.
  struct States {
    DeviceBuffer<float> normed;  // [N, C]: pre-norm, what the linear layer reads
    DeviceBuffer<float> inner;   // [N, M]: behind the first linear layer
    DeviceBuffer<float> mixed;   // [N, K]: attention or gelu of it
    DeviceBuffer<float> sum;     // [N, C]: post-norm, what the norm reads
    DeviceBuffer<float> y;       // [N, C]: the stream behind the sublayer
    DeviceBuffer<char> norm_saved;
    DeviceBuffer<char> attention_saved;
  };

  static bool is_attention(std::size_t i) { return i % 2 == 0; }
  int inner_width(std::size_t i) const;
  int mixed_width(std::size_t i) const;
  template <typename Number>
  SublayerTensors<Number> tensors(const ModelTensors<Number>& model, std::size_t i) const;

  void draw(double sum, unsigned seed);
  void forward();
  void backward();
  // From what a sublayer reads to its correction, without norm and residual; and back.
  void branch(std::size_t i, const float* read, float* correction);
  void branch_backward(std::size_t i, const float* dcorrection, const float* read, float* dread);

  ModelConfig config_;
  ParameterLayout layout_;
  int B_, T_, N_, C_;
  DeviceBuffer<float> parameters_, gradients_, first_moments_, second_moments_;
  DeviceBuffer<StepScalars> scalars_;
  DeviceBuffer<int> tokens_, targets_;
  DeviceBuffer<float> embedded_;  // [N, C]
  std::vector<States> states_;    // 2 L
  DeviceBuffer<float> last_;      // [N, C]: pre-norm, behind the last norm
  DeviceBuffer<char> last_saved_;
  DeviceBuffer<float> logits_, losses_;
  DeviceBuffer<float> dstream_;  // [N, C]
  DeviceBuffer<float> dnorm_;    // [N, C]: on the side of the norm that the branch is on
  DeviceBuffer<float> dbranch_;  // [N, C]
  DeviceBuffer<float> dinner_, dmixed_;
  DeviceBuffer<char> scratch_;
  Launch launch_;
  std::int64_t steps_ = 0;
};

}  // namespace andrea

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_PLACED_NORMS_MODEL_H_
