// File: activation.h
//
// The function between the two linear layers of the MLP, number by number.
//
//   gelu       x Phi(x), with Phi(x) ~ (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
//   gelu_erf   x Phi(x), with Phi(x) = (1 + erf(x / sqrt(2))) / 2
//   relu       max(x, 0); its derivative at 0 is 0
//   swiglu     silu(a) * b, where a row of x is [a | b] and silu(a) = a / (1 + exp(-a))
//
// Sources: GELU, Hendrycks and Gimpel 2016, section 2; SwiGLU, Shazeer 2020, equation 6.

#ifndef ANDREA_KERNELS_ACTIVATION_H_
#define ANDREA_KERNELS_ACTIVATION_H_

#include <string>

#include "kernels/launch.h"
#include "kernels/model_config.h"

namespace andrea {

// Empty, or a sentence that says that this implementation lacks the kind.
std::string activation_supports(Activation kind);

// How many numbers of x make `width` numbers of y.
constexpr int activation_input_width(Activation kind, int width) {
  return kind == Activation::swiglu ? 2 * width : width;
}

// y is overwritten.
void activation_forward(Activation kind,
                        const float* x,  // [N, activation_input_width(kind, width)]
                        float* y,        // [N, width]
                        int N, int width, const Launch& launch);

// dx may be dy for every kind but swiglu.
void activation_backward(Activation kind,
                         const float* dy,  // [N, width]
                         const float* x,   // [N, activation_input_width(kind, width)]
                         float* dx,        // as x
                         int N, int width, const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_ACTIVATION_H_
