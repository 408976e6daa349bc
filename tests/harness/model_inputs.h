// File: model_inputs.h
//
// Models for tests: their parameters, and the comparison of their gradients.

#ifndef ANDREA_TESTS_HARNESS_MODEL_INPUTS_H_
#define ANDREA_TESTS_HARNESS_MODEL_INPUTS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/launch.h"
#include "kernels/parameter_layout.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"

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

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_MODEL_INPUTS_H_
