// File: model_inputs.h
//
// Models for tests: their parameters, and their references compiled once (templates of Eigen
// are slow to compile, and three tests compare with the whole model in both precisions).

#ifndef ANDREA_TESTS_HARNESS_MODEL_INPUTS_H_
#define ANDREA_TESTS_HARNESS_MODEL_INPUTS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/launch.h"
#include "kernels/parameter_layout.h"
#include "lessons/07_full_model/reference.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"

namespace andrea {

// Random numbers for every parameter of a model; the gaps between tensors are zero.
inline std::vector<float> random_parameters(const ParameterLayout& layout, RandomInputs& random,
                                            float scale = 1) {
  std::vector<float> parameters(static_cast<std::size_t>(layout.size()));
  for (const ParameterTensor& tensor : layout.tensors()) {
    const std::vector<float> numbers = random.numbers(tensor.count(), scale);
    std::copy(numbers.begin(), numbers.end(), parameters.begin() + tensor.offset);
  }
  return parameters;
}

// So many operations, one after the other, round a number of a small model by a unit or so of the
// largest numbers about: what close() is told to allow where a whole block or model is compared.
inline constexpr double kRoundings = 16;

// The flat buffer of gradients as an operation finds it: zeros in the gaps, and in each tensor what
// gradient_tensor() would put there.
GuardedTensor<float> model_gradients(const ParameterLayout& layout, Accumulate accumulate,
                                     RandomInputs& random);

// Compares the gradients of a model tensor by tensor, by name; the gaps must be zero still. With a
// `prefix`, only tensors whose name begins with it, and the others must not have been touched.
void expect_gradients_close(const ParameterLayout& layout, const GuardedTensor<float>& actual,
                            Accumulate accumulate, const reference::Vector<double>& exact,
                            const reference::Vector<float>& rounded,
                            const std::string& prefix = "");

namespace reference {

extern template BlockStates<float> block_forward(const ModelConfig&,
                                                 const BlockTensors<const float>&,
                                                 const Matrix<float>&, int, int);
extern template BlockStates<double> block_forward(const ModelConfig&,
                                                  const BlockTensors<const double>&,
                                                  const Matrix<double>&, int, int);
extern template Matrix<float> block_backward(const ModelConfig&, const BlockTensors<const float>&,
                                             const Matrix<float>&, const Matrix<float>&, int, int,
                                             const BlockTensors<float>&);
extern template Matrix<double> block_backward(const ModelConfig&, const BlockTensors<const double>&,
                                              const Matrix<double>&, const Matrix<double>&, int,
                                              int, const BlockTensors<double>&);
extern template Matrix<float> transformer_forward(const ParameterLayout&, const Vector<float>&,
                                                  const std::vector<int>&, int, int);
extern template Matrix<double> transformer_forward(const ParameterLayout&, const Vector<double>&,
                                                   const std::vector<int>&, int, int);
extern template Vector<float> transformer_backward(const ParameterLayout&, const Vector<float>&,
                                                   const std::vector<int>&, const Matrix<float>&,
                                                   int, int);
extern template Vector<double> transformer_backward(const ParameterLayout&, const Vector<double>&,
                                                    const std::vector<int>&, const Matrix<double>&,
                                                    int, int);

}  // namespace reference
}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_MODEL_INPUTS_H_
