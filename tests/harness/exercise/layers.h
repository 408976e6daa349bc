// File: layers.h
//
// The layers that the small model is made of. Each runs an operation of the contract on the device
// and in the references, expects the same of both (together.h), and keeps how to come back:
//
//   Layers layers(chain, {B, T, C, H}, V);
//   Value x = layers.embedding();
//   x = layers.residual("middle", x, [&](const Value& in) {
//     return layers.attention("attended", layers.linear("qkv", in, 3 * C));
//   });
//   layers.logits_and_loss(x);
//   layers.backward();

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_LAYERS_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_LAYERS_H_

#include <deque>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/attention.h"
#include "kernels/block.h"
#include "lessons/reference_types.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/together.h"
#include "tests/harness/guarded_tensor.h"

namespace andrea {

// A tensor of the chain, a row for each token: on the device, and as the references have it.
struct Value {
  std::string name;                  // as failures name it
  float* at = nullptr;               // on the device
  reference::Matrix<double> exact;   // in double
  reference::Matrix<float> rounded;  // in float

  int columns() const { return static_cast<int>(exact.cols()); }  // width of a row

  // The reference's numbers in that type.
  template <typename Scalar>
  const reference::Matrix<Scalar>& as() const {
    if constexpr (std::is_same_v<Scalar, double>) {
      return exact;
    } else {
      return rounded;
    }
  }
};

// A parameter, its gradient on the device, and its numbers.
struct Parameter {
  std::string name;            // as failures name it
  int rows, columns;           // a vector has one row
  std::vector<float> numbers;  // row-major
  const float* at;             // on the device
  float* gradient;             // on the device

  // For a reference, in its type.
  template <typename Scalar>
  reference::Matrix<Scalar> matrix() const {
    return as_matrix<Scalar>(numbers, rows, columns);
  }
  // The same of a vector.
  template <typename Scalar>
  reference::Vector<Scalar> vector() const {
    return as_vector<Scalar>(numbers);
  }
};

class Layers {
 public:
  using Sublayer = std::function<Value(const Value&)>;  // what stands beside the stream

  // For tokens of a vocabulary of V, in the chain whose shapes these are.
  Layers(Chain& chain, const AttentionShape& shape, int V);

  Value embedding();                                    // tokens' rows and positions' rows
  Value norm(const std::string& name, const Value& x);  // layer norm, with gain and bias
  Value linear(const std::string& name, const Value& x, int out);  // a linear layer, with a bias
  Value attention(const std::string& name,
                  const Value& qkv);                    // over the heads of the shape, causal
  Value gelu(const std::string& name, const Value& x);  // number by number
  // x + sublayer(x).
  Value residual(const std::string& name, const Value& x, const Sublayer& sublayer);
  // A whole block (kernels/block.h) with an MLP of the width F.
  Value block(const std::string& name, const Value& x, int F);
  // The end of the chain: the loss, and the gradient of the logits.
  void logits_and_loss(const Value& x);

  // From the loss back to the tables.
  void backward();

 private:
  using Backward = std::function<Value(const Value&)>;

  // The largest sum that a number of the chain is made of: so many terms of about 1.
  static constexpr double kTerms = 200;

  // A tensor that the chain's next step is to write: what compute(Scalar{}) gives.
  template <typename Compute>
  Value computed(const std::string& name, const Compute& compute) {
    Value value{name, nullptr, compute(double{}), compute(float{})};
    value.at = output(name, value.columns());
    return value;
  }
  float* output(const std::string& name, int columns);
  Parameter parameter(const std::string& name, int rows, int columns, float scale = 1);
  void* saved(std::size_t bytes);
  void expect(const Value& value);
  template <typename Compute>
  void expect_gradient(const Parameter& parameter, const Compute& compute) {
    chain_.expect("d" + parameter.name, compute, kTerms);
  }

  Chain& chain_;
  AttentionShape shape_;
  int V_, N_;
  std::vector<int> tokens_, targets_;
  const int* tokens_at_;
  const int* targets_at_;
  std::deque<GuardedTensor<std::byte>> saved_;
  std::vector<Backward> backward_;  // of each layer, in the order of forward
  Value dlogits_;
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_LAYERS_H_
