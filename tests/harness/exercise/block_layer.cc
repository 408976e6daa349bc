#include <type_traits>
#include <utility>
#include <vector>

#include "lessons/06_residual_block/reference.h"
#include "tests/harness/exercise/layers.h"

namespace andrea {
namespace {

// BlockTensors, of which `at(i)` gives the i-th.
template <typename Number, typename At>
BlockTensors<Number> block_tensors(const At& at) {
  return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11)};
}

// The parameters of a block as its reference takes them, or as many numbers for their gradients.
template <typename Scalar>
struct BlockNumbers {
  explicit BlockNumbers(const std::vector<Parameter>& parameters) {
    for (const Parameter& each : parameters) {
      numbers.emplace_back(each.numbers.begin(), each.numbers.end());
    }
  }
  BlockNumbers(const std::vector<Parameter>& parameters, Scalar all) {
    for (const Parameter& each : parameters) numbers.emplace_back(each.numbers.size(), all);
  }

  BlockTensors<const Scalar> tensors() const {
    return block_tensors<const Scalar>([this](std::size_t i) { return numbers[i].data(); });
  }
  BlockTensors<Scalar> gradients() {
    return block_tensors<Scalar>([this](std::size_t i) { return numbers[i].data(); });
  }

  std::vector<std::vector<Scalar>> numbers;
};

template <typename Scalar>
struct BlockGradients {
  reference::Matrix<Scalar> dx;
  BlockNumbers<Scalar> sums;
};

template <typename Scalar>
BlockGradients<Scalar> block_gradients(const ModelConfig& config,
                                       const std::vector<Parameter>& parameters, const Value& dy,
                                       const Value& x, int B, int T) {
  BlockNumbers<Scalar> sums(parameters, 0);
  const BlockNumbers<Scalar> numbers(parameters);
  auto dx = reference::block_backward(config, numbers.tensors(), dy.as<Scalar>(), x.as<Scalar>(), B,
                                      T, sums.gradients());
  return {std::move(dx), std::move(sums)};
}

}  // namespace

Value Layers::block(const std::string& name, const Value& x, int F) {
  const int C = x.columns();
  const ModelConfig config{.layers = 1, .heads = shape_.H, .width = C, .mlp_width = F};
  // In the order of BlockTensors.
  const struct {
    const char* name;
    int rows, columns;
  } shapes[] = {{"norm1_gain", 1, C},   {"norm1_bias", 1, C},      {"qkv_weight", C, 3 * C},
                {"qkv_bias", 1, 3 * C}, {"out_weight", C, C},      {"out_bias", 1, C},
                {"norm2_gain", 1, C},   {"norm2_bias", 1, C},      {"expand_weight", C, F},
                {"expand_bias", 1, F},  {"contract_weight", F, C}, {"contract_bias", 1, C}};
  std::vector<Parameter> parameters;
  for (const auto& shape : shapes) {
    parameters.push_back(
        parameter(name + "_" + shape.name, shape.rows, shape.columns, shape.rows == 1 ? 1 : 0.5f));
  }
  void* const kept = saved(block_saved_bytes(config, shape_.B, shape_.T));
  const std::size_t scratch = block_scratch_bytes(config, shape_.B, shape_.T);
  const Value y = computed(name, [&]<typename Scalar>(Scalar) {
    const BlockNumbers<Scalar> all(parameters);
    return reference::block_forward(config, all.tensors(), x.as<Scalar>(), shape_.B, shape_.T).y;
  });
  const auto each = [&](auto member) {
    return [&parameters, member](std::size_t i) { return parameters[i].*member; };
  };
  const BlockTensors<const float> values = block_tensors<const float>(each(&Parameter::at));
  const BlockTensors<float> gradients = block_tensors<float>(each(&Parameter::gradient));
  chain_.step("block", "block_forward", scratch, [&](const Launch& launch) {
    block_forward(config, values, x.at, y.at, kept, shape_.B, shape_.T, launch);
  });
  expect(y);
  backward_.push_back([=, this](const Value& dy) {
    const auto exact = block_gradients<double>(config, parameters, dy, x, shape_.B, shape_.T);
    const auto rounded = block_gradients<float>(config, parameters, dy, x, shape_.B, shape_.T);
    Value dx{"d" + x.name, output("d" + x.name, C), exact.dx, rounded.dx};
    chain_.step("block", "block_backward", scratch, [&](const Launch& launch) {
      block_backward(config, values, dy.at, x.at, kept, dx.at, gradients, shape_.B, shape_.T,
                     Accumulate::overwrite, launch);
    });
    expect(dx);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      expect_gradient(parameters[i], [&]<typename Scalar>(Scalar) {
        if constexpr (std::is_same_v<Scalar, double>) {
          return exact.sums.numbers[i];
        } else {
          return rounded.sums.numbers[i];
        }
      });
    }
    return dx;
  });
  return y;
}

}  // namespace andrea
