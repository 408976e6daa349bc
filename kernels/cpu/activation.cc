#include "kernels/activation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "kernels/cpu/enqueue.h"
#include "kernels/cpu/vector_math.h"

namespace andrea {
namespace {

float sigmoid(float x) { return 1.0f / (1.0f + cpu::exp_polynomial(-x)); }

// (1 + tanh(u)) / 2 is the sigmoid of 2u: one exponential instead of a hyperbolic tangent.
struct Gelu {
  static constexpr float kScale = 2.0f * 0.7978845608f;  // 2 sqrt(2 / pi)
  static constexpr float kCubic = 0.044715f;

  static float gate(float x) { return sigmoid(kScale * (x + kCubic * x * x * x)); }
  static float value(float x) { return x * gate(x); }
  static float derivative(float x) {
    const float s = gate(x);
    return s + x * s * (1.0f - s) * kScale * (1.0f + 3.0f * kCubic * x * x);
  }
};

struct GeluErf {
  static float phi(float x) { return 0.5f * (1.0f + std::erf(x / std::numbers::sqrt2_v<float>)); }
  static float value(float x) { return x * phi(x); }
  static float derivative(float x) {
    const float density = cpu::exp_polynomial(-0.5f * x * x) * std::numbers::inv_sqrtpi_v<float> /
                          std::numbers::sqrt2_v<float>;
    return phi(x) + x * density;
  }
};

struct Relu {
  static float value(float x) { return x > 0.0f ? x : x * 0.0f; }  // NaN stays NaN
  static float derivative(float x) { return x > 0.0f ? 1.0f : 0.0f; }
};

constexpr std::ptrdiff_t kPiece = 4096;

template <typename Function>
void apply_forward(const float* x, float* y, std::ptrdiff_t count) {
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t first = 0; first < count; first += kPiece) {
    const std::ptrdiff_t last = std::min(first + kPiece, count);
    for (std::ptrdiff_t i = first; i < last; ++i) y[i] = Function::value(x[i]);
  }
}

template <typename Function>
void apply_backward(const float* dy, const float* x, float* dx, std::ptrdiff_t count) {
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t first = 0; first < count; first += kPiece) {
    const std::ptrdiff_t last = std::min(first + kPiece, count);
    for (std::ptrdiff_t i = first; i < last; ++i) dx[i] = dy[i] * Function::derivative(x[i]);
  }
}

void swiglu_forward(const float* x, float* y, int N, int width) {
#pragma omp parallel for schedule(static)
  for (int n = 0; n < N; ++n) {
    const float* a = x + static_cast<std::ptrdiff_t>(n) * 2 * width;
    const float* b = a + width;
    float* out = y + static_cast<std::ptrdiff_t>(n) * width;
    for (int i = 0; i < width; ++i) out[i] = a[i] * sigmoid(a[i]) * b[i];
  }
}

void swiglu_backward(const float* dy, const float* x, float* dx, int N, int width) {
#pragma omp parallel for schedule(static)
  for (int n = 0; n < N; ++n) {
    const float* a = x + static_cast<std::ptrdiff_t>(n) * 2 * width;
    const float* b = a + width;
    const float* gradient = dy + static_cast<std::ptrdiff_t>(n) * width;
    float* da = dx + static_cast<std::ptrdiff_t>(n) * 2 * width;
    float* db = da + width;
    for (int i = 0; i < width; ++i) {
      const float s = sigmoid(a[i]);
      const float silu_derivative = s + a[i] * s * (1.0f - s);
      da[i] = gradient[i] * b[i] * silu_derivative;
      db[i] = gradient[i] * a[i] * s;
    }
  }
}

}  // namespace

std::string activation_supports(Activation) { return ""; }

void activation_forward(Activation kind, const float* x, float* y, int N, int width,
                        const Launch& launch) {
  const auto work = [=] {
    const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(N) * width;
    switch (kind) {
      case Activation::gelu:
        return apply_forward<Gelu>(x, y, count);
      case Activation::gelu_erf:
        return apply_forward<GeluErf>(x, y, count);
      case Activation::relu:
        return apply_forward<Relu>(x, y, count);
      case Activation::swiglu:
        return swiglu_forward(x, y, N, width);
    }
  };
  cpu::enqueue(
      launch, "activation_forward",
      {cpu::reads("x", x, N, activation_input_width(kind, width)), cpu::writes("y", y, N, width)},
      work);
}

void activation_backward(Activation kind, const float* dy, const float* x, float* dx, int N,
                         int width, const Launch& launch) {
  const auto work = [=] {
    const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(N) * width;
    switch (kind) {
      case Activation::gelu:
        return apply_backward<Gelu>(dy, x, dx, count);
      case Activation::gelu_erf:
        return apply_backward<GeluErf>(dy, x, dx, count);
      case Activation::relu:
        return apply_backward<Relu>(dy, x, dx, count);
      case Activation::swiglu:
        return swiglu_backward(dy, x, dx, N, width);
    }
  };
  const int input_width = activation_input_width(kind, width);
  cpu::enqueue(launch, "activation_backward",
               {cpu::reads("dy", dy, N, width), cpu::reads("x", x, N, input_width),
                cpu::writes("dx", dx, N, input_width)},
               work);
}

}  // namespace andrea
