#include "tests/harness/exercise/layers.h"

#include <memory>

#include "kernels/activation.h"
#include "kernels/cross_entropy.h"
#include "kernels/cuda_check.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/residual.h"
#include "lessons/01_embedding_lookup/reference.h"
#include "lessons/02_dot_product_similarity/reference.h"
#include "lessons/03_attention/reference.h"
#include "lessons/04_layer_norm/reference.h"
#include "lessons/05_gelu_mlp/reference.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/07_full_model/cross_entropy_reference.h"

namespace andrea {

Layers::Layers(Chain& chain, const AttentionShape& shape, int V)
    : chain_(chain), shape_(shape), V_(V), N_(shape.B * shape.T) {
  Trial& trial = chain_.trial();
  tokens_ = trial.random().integers(N_, V);
  targets_ = trial.random().integers(N_, V);
  const Axes axes = {{"b", shape.B}, {"t", shape.T}};
  tokens_at_ = trial.input("tokens", axes, tokens_);
  targets_at_ = trial.input("targets", axes, targets_);
}

float* Layers::output(const std::string& name, int columns) {
  return chain_.trial().output(name, {{"b", shape_.B}, {"t", shape_.T}, {"c", columns}});
}

Parameter Layers::parameter(const std::string& name, int rows, int columns, float scale) {
  Trial& trial = chain_.trial();
  const Axes axes =
      rows == 1 ? Axes{{"c", columns}} : Axes{{rows == V_ ? "v" : "r", rows}, {"c", columns}};
  Parameter result{name, rows, columns, trial.random().numbers(rows * columns, scale), {}, {}};
  result.at = trial.input(name, axes, result.numbers);
  result.gradient = trial.gradient("d" + name, axes, Accumulate::overwrite);
  return result;
}

void* Layers::saved(std::size_t bytes) {
  saved_.emplace_back("saved", Shape{static_cast<std::int64_t>(bytes)});
  return saved_.back().data();
}

void Layers::expect(const Value& value) {
  chain_.expect(
      value.name, [&]<typename Scalar>(Scalar) { return value.as<Scalar>(); }, kTerms);
}

Value Layers::embedding() {
  const int T = shape_.T, C = shape_.C;
  const Parameter token_table = parameter("token_table", V_, C);
  const Parameter position_table = parameter("position_table", T, C);
  const std::size_t scratch = embedding_scratch_bytes(shape_.B, T, C, V_);
  const Value out = computed("embedded", [&]<typename Scalar>(Scalar) {
    return reference::embedding_forward(tokens_, T, token_table.matrix<Scalar>(),
                                        position_table.matrix<Scalar>());
  });
  chain_.step("embedding", "embedding_forward", scratch, [&](const Launch& launch) {
    embedding_forward(tokens_at_, token_table.at, position_table.at, out.at, shape_.B, T, C,
                      launch);
  });
  expect(out);
  backward_.push_back([=, this](const Value& dout) {
    chain_.step("embedding", "embedding_backward", scratch, [&](const Launch& launch) {
      embedding_backward(dout.at, tokens_at_, token_table.gradient, position_table.gradient,
                         shape_.B, T, C, V_, Accumulate::overwrite, launch);
    });
    expect_gradient(token_table, [&]<typename Scalar>(Scalar) {
      return reference::scatter_add(dout.as<Scalar>(), tokens_, V_);
    });
    expect_gradient(position_table, [&]<typename Scalar>(Scalar) {
      return reference::sum_over_batch(dout.as<Scalar>(), T);
    });
    return Value{};
  });
  return out;
}

Value Layers::norm(const std::string& name, const Value& x) {
  const int C = x.columns();
  const Parameter gain = parameter(name + "_gain", 1, C);
  const Parameter bias = parameter(name + "_bias", 1, C);
  void* const kept = saved(layer_norm_saved_bytes(N_, C));
  const std::size_t scratch = layer_norm_scratch_bytes(N_, C);
  const Value y = computed(name, [&]<typename Scalar>(Scalar) {
    return reference::layer_norm_forward(x.as<Scalar>(), gain.vector<Scalar>(),
                                         bias.vector<Scalar>());
  });
  chain_.step("layer_norm", "layer_norm_forward", scratch, [&](const Launch& launch) {
    layer_norm_forward(x.at, gain.at, bias.at, y.at, kept, N_, C, launch);
  });
  expect(y);
  backward_.push_back([=, this](const Value& dy) {
    const auto gradients = [&]<typename Scalar>(Scalar) {
      return reference::layer_norm_backward(dy.as<Scalar>(), x.as<Scalar>(), gain.vector<Scalar>());
    };
    const Value dx =
        computed("d" + x.name, [&]<typename Scalar>(Scalar s) { return gradients(s).dx; });
    chain_.step("layer_norm", "layer_norm_backward", scratch, [&](const Launch& launch) {
      layer_norm_backward(dy.at, x.at, gain.at, kept, dx.at, gain.gradient, bias.gradient, N_, C,
                          Accumulate::overwrite, launch);
    });
    expect(dx);
    expect_gradient(gain, [&]<typename Scalar>(Scalar s) { return gradients(s).dgain; });
    expect_gradient(bias, [&]<typename Scalar>(Scalar s) { return gradients(s).dbias; });
    return dx;
  });
  return y;
}

Value Layers::linear(const std::string& name, const Value& x, int out) {
  const int in = x.columns();
  const Parameter weight = parameter(name + "_weight", in, out, 0.5f);
  const Parameter bias = parameter(name + "_bias", 1, out);
  const std::size_t scratch = linear_scratch_bytes(N_, in, out);
  const Value y = computed(name, [&]<typename Scalar>(Scalar) {
    return reference::linear_forward(x.as<Scalar>(), weight.matrix<Scalar>(),
                                     bias.vector<Scalar>());
  });
  chain_.step("linear", "linear_forward", scratch, [&](const Launch& launch) {
    linear_forward(x.at, weight.at, bias.at, y.at, N_, in, out, launch);
  });
  expect(y);
  backward_.push_back([=, this](const Value& dy) {
    const auto gradients = [&]<typename Scalar>(Scalar) {
      return reference::linear_backward(dy.as<Scalar>(), x.as<Scalar>(), weight.matrix<Scalar>());
    };
    const Value dx =
        computed("d" + x.name, [&]<typename Scalar>(Scalar s) { return gradients(s).dx; });
    chain_.step("linear", "linear_backward", scratch, [&](const Launch& launch) {
      linear_backward(dy.at, x.at, weight.at, dx.at, weight.gradient, bias.gradient, N_, in, out,
                      Accumulate::overwrite, launch);
    });
    expect(dx);
    expect_gradient(weight, [&]<typename Scalar>(Scalar s) { return gradients(s).dweight; });
    expect_gradient(bias, [&]<typename Scalar>(Scalar s) { return gradients(s).dbias; });
    return dx;
  });
  return y;
}

Value Layers::attention(const std::string& name, const Value& qkv) {
  const AttentionShape shape = shape_;
  void* const kept = saved(attention_saved_bytes(shape));
  const std::size_t scratch = attention_scratch_bytes(shape);
  const Value out = computed(name, [&]<typename Scalar>(Scalar) {
    return reference::attention_forward(qkv.as<Scalar>(), shape);
  });
  chain_.step("attention", "attention_forward", scratch, [&](const Launch& launch) {
    attention_forward(qkv.at, out.at, kept, shape, launch);
  });
  expect(out);
  backward_.push_back([=, this](const Value& dout) {
    const Value dqkv = computed("d" + qkv.name, [&]<typename Scalar>(Scalar) {
      return reference::attention_backward(dout.as<Scalar>(), qkv.as<Scalar>(), shape);
    });
    chain_.step("attention", "attention_backward", scratch, [&](const Launch& launch) {
      attention_backward(dout.at, qkv.at, out.at, kept, dqkv.at, shape, launch);
    });
    expect(dqkv);
    return dqkv;
  });
  return out;
}

Value Layers::gelu(const std::string& name, const Value& x) {
  constexpr Activation kKind = Activation::gelu;
  const int width = x.columns();
  const Value y = computed(name, [&]<typename Scalar>(Scalar) {
    return reference::activation_forward(kKind, x.as<Scalar>());
  });
  chain_.step("activation", "activation_forward", 0, [&](const Launch& launch) {
    activation_forward(kKind, x.at, y.at, N_, width, launch);
  });
  expect(y);
  backward_.push_back([=, this](const Value& dy) {
    const Value dx = computed("d" + x.name, [&]<typename Scalar>(Scalar) {
      return reference::activation_backward(kKind, dy.as<Scalar>(), x.as<Scalar>());
    });
    chain_.step("activation", "activation_backward", 0, [&](const Launch& launch) {
      activation_backward(kKind, dy.at, x.at, dx.at, N_, width, launch);
    });
    expect(dx);
    return dx;
  });
  return y;
}

Value Layers::residual(const std::string& name, const Value& x, const Sublayer& sublayer) {
  const std::int64_t count = std::int64_t{N_} * x.columns();
  // Coming back, the sublayer is met between the two: the last here is the first there.
  const auto dout = std::make_shared<Value>();
  backward_.push_back([=, this](const Value& dbranch) {
    const Value dx = computed("d" + x.name, [&]<typename Scalar>(Scalar) {
      return reference::residual_backward(dout->as<Scalar>(), dbranch.as<Scalar>());
    });
    chain_.step("residual", "residual_backward", 0, [&](const Launch& launch) {
      residual_backward(dout->at, dbranch.at, dx.at, count, launch);
    });
    expect(dx);
    return dx;
  });
  Value entry = x;
  entry.name += "_branch";  // whose gradient is one of x's two
  const Value correction = sublayer(entry);
  const Value out = computed(name, [&]<typename Scalar>(Scalar) {
    return reference::residual_forward(x.as<Scalar>(), correction.as<Scalar>());
  });
  chain_.step("residual", "residual_forward", 0, [&](const Launch& launch) {
    residual_forward(x.at, correction.at, out.at, count, launch);
  });
  expect(out);
  backward_.push_back([=](const Value& incoming) { return *dout = incoming; });
  return out;
}

void Layers::logits_and_loss(const Value& x) {
  const int C = x.columns();
  const float gradient_scale = 1.0f / static_cast<float>(N_);
  const Parameter table = parameter("output_table", V_, C);
  const std::size_t scratch = dot_similarity_scratch_bytes(N_, V_, C);
  const Value logits = computed("logits", [&]<typename Scalar>(Scalar) {
    return reference::dot_similarity_forward(x.as<Scalar>(), table.matrix<Scalar>());
  });
  chain_.step("dot_similarity", "dot_similarity_forward", scratch, [&](const Launch& launch) {
    dot_similarity_forward(x.at, table.at, logits.at, N_, V_, C, V_, launch);
  });
  expect(logits);

  // The gradient takes the place of the logits, so it is computed in a copy.
  dlogits_ = computed("dlogits", [&]<typename Scalar>(Scalar) {
    return reference::cross_entropy_backward(logits.as<Scalar>(), targets_,
                                             static_cast<Scalar>(gradient_scale));
  });
  float* const losses = chain_.trial().output("losses", {{"b", shape_.B}, {"t", shape_.T}});
  chain_.step("cross_entropy", "cross_entropy_forward_backward", 0, [&](const Launch& launch) {
    CUDA_CHECK(cudaMemcpyAsync(dlogits_.at, logits.at,
                               sizeof(float) * static_cast<std::size_t>(N_ * V_),
                               cudaMemcpyDeviceToDevice, launch.stream));
    cross_entropy_forward_backward(dlogits_.at, targets_at_, losses, gradient_scale, N_, V_, V_,
                                   launch);
  });
  chain_.expect(
      "losses",
      [&]<typename Scalar>(Scalar) {
        return reference::cross_entropy_forward(logits.as<Scalar>(), targets_);
      },
      kTerms);
  expect(dlogits_);

  backward_.push_back([=, this](const Value& dlogits) {
    const auto gradients = [&]<typename Scalar>(Scalar) {
      return reference::dot_similarity_backward(dlogits.as<Scalar>(), x.as<Scalar>(),
                                                table.matrix<Scalar>());
    };
    const Value dx =
        computed("d" + x.name, [&]<typename Scalar>(Scalar s) { return gradients(s).dx; });
    chain_.step("dot_similarity", "dot_similarity_backward", scratch, [&](const Launch& launch) {
      dot_similarity_backward(dlogits.at, x.at, table.at, dx.at, table.gradient, N_, V_, C, V_,
                              Accumulate::overwrite, launch);
    });
    expect(dx);
    expect_gradient(table, [&]<typename Scalar>(Scalar s) { return gradients(s).dtable; });
    return dx;
  });
}

void Layers::backward() {
  Value gradient = dlogits_;
  for (auto step = backward_.rbegin(); step != backward_.rend(); ++step) {
    gradient = (*step)(gradient);
  }
}

}  // namespace andrea
