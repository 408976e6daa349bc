// File: parameter_layout.h
//
// Where each parameter lies in the one flat buffer that holds them all. Gradients and the
// optimiser's moments use the same layout.
//
// Matrices come first, then vectors, so that the parameters that decay are a prefix; clipping,
// AdamW and an all-reduce are each one call over the whole. Every tensor is 256-byte aligned; the
// gaps, like the extra rows of the token and output tables, are zero and stay zero.
//
//   ParameterLayout layout(config);
//   DeviceBuffer<float> parameters(layout.size());
//   const float* table = layout.view<const float>(parameters.data()).token_table;

#ifndef ANDREA_KERNELS_PARAMETER_LAYOUT_H_
#define ANDREA_KERNELS_PARAMETER_LAYOUT_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/block.h"
#include "kernels/model_config.h"

namespace andrea {

// One tensor of the model, and where it lies.
struct ParameterTensor {
  std::string name;                 // as Hugging Face's GPT-2 has it: transformer.h.0.ln_1.weight
  std::vector<std::int64_t> shape;  // as files hold it: V rows, no padding
  std::int64_t offset;              // into the flat buffer, in numbers
  std::int64_t stored;              // numbers in memory, the extra rows included

  std::int64_t count() const;                           // the product of the shape
  bool is_matrix() const { return shape.size() == 2; }  // matrices decay, vectors do not
};

// The tensors of a whole model, as parameters (Number = const float) or gradients (float). What a
// variant does not have is null; output_table is token_table where the two are tied.
template <typename Number>
struct ModelTensors {
  Number* token_table;                       // [padded V, C]
  Number* position_table;                    // [context, C]
  Number* output_table;                      // [padded V, C]
  Number* final_gain;                        // [C]
  Number* final_bias;                        // [C]
  std::vector<BlockTensors<Number>> blocks;  // from the first to the last
};

class ParameterLayout {
 public:
  // Precondition: sizes are positive and heads divides width (the trainer checks what it is given).
  explicit ParameterLayout(const ModelConfig& config);

  const ModelConfig& config() const { return config_; }  // the model's
  // In the order of the buffer.
  const std::vector<ParameterTensor>& tensors() const { return tensors_; }

  // Numbers in the flat buffer, and in its prefix of matrices.
  std::int64_t size() const { return size_; }
  std::int64_t decayed() const { return decayed_; }

  // Parameters of the model, without padding: 98,820,096 for ANDREA-120M.
  std::int64_t parameter_count() const;

  // Pointers to every tensor in a buffer of size() numbers.
  template <typename Number>
  ModelTensors<Number> view(Number* flat) const {
    const auto at = [flat](std::int64_t offset) { return offset < 0 ? nullptr : flat + offset; };
    ModelTensors<Number> result{
        at(token_table_), at(position_table_), at(config_.tied ? token_table_ : output_table_),
        at(final_gain_),  at(final_bias_),     {}};
    for (const auto& o : blocks_) {
      result.blocks.push_back({at(o[0]), at(o[1]), at(o[2]), at(o[3]), at(o[4]), at(o[5]), at(o[6]),
                               at(o[7]), at(o[8]), at(o[9]), at(o[10]), at(o[11])});
    }
    return result;
  }

 private:
  // Offsets in the order of BlockTensors' members.
  using BlockOffsets = std::array<std::int64_t, 12>;

  static constexpr std::int64_t kAbsent = -1;

  // Appends a tensor with `padded_rows` rows in memory (or none but its own) and tells its offset.
  std::int64_t add(const std::string& name, std::vector<std::int64_t> shape,
                   std::int64_t padded_rows = 0);
  void add_matrices();
  void add_vectors();

  ModelConfig config_;
  std::vector<ParameterTensor> tensors_;
  std::int64_t size_ = 0;
  std::int64_t decayed_ = 0;

  std::int64_t token_table_ = kAbsent;
  std::int64_t position_table_ = kAbsent;
  std::int64_t output_table_ = kAbsent;
  std::int64_t final_gain_ = kAbsent;
  std::int64_t final_bias_ = kAbsent;
  std::vector<BlockOffsets> blocks_;
};

}  // namespace andrea

#endif  // ANDREA_KERNELS_PARAMETER_LAYOUT_H_
