#include "simulator/blas/epilogue.h"

#include <cmath>
#include <cstdint>

namespace simulator::blas {
namespace {

constexpr double kSquareRootOf2OverPi = 0.79788456080286535588;
constexpr double kCubicFactor = 0.044715;

template <typename Number>
Number gelu(Number x) {
  const Number inner = static_cast<Number>(kSquareRootOf2OverPi) *
                       (x + static_cast<Number>(kCubicFactor) * x * x * x);
  return static_cast<Number>(0.5) * x * (1 + std::tanh(inner));
}

template <typename Number>
Number gelu_derivative(Number x) {
  const Number square = static_cast<Number>(kCubicFactor) * x * x;
  const Number tangent = std::tanh(static_cast<Number>(kSquareRootOf2OverPi) * (x + square * x));
  return static_cast<Number>(0.5) * (1 + tangent) +
         static_cast<Number>(0.5) * x * (1 - tangent * tangent) *
             static_cast<Number>(kSquareRootOf2OverPi) * (1 + 3 * square);
}

// Calls the function with a pointer to the matrix's elements from (row, column) on.
template <typename Function>
void at(const Operand& operand, std::size_t batch, std::size_t row, std::size_t column,
        Function function) {
  with_element_type(operand.type, [&](auto element) {
    using T = typename decltype(element)::Type;
    function(operand.matrix<T>(batch) + operand.offset(row, column));
  });
}

}  // namespace

bool is_supported(cublasLtEpilogue_t kind) {
  switch (kind) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DGELU:
    case CUBLASLT_EPILOGUE_DGELU_BGRAD:
    case CUBLASLT_EPILOGUE_BGRADA:
    case CUBLASLT_EPILOGUE_BGRADB:
      return true;
    default:
      return false;
  }
}

template <typename Number>
void apply(const Epilogue& epilogue, std::size_t batch, std::size_t row, std::size_t column,
           std::size_t count, Number* values) {
  if (epilogue.adds_bias()) {
    at(epilogue.bias, batch, row, 0, [&](auto* bias) {
      for (std::size_t i = 0; i < count; ++i) values[i] += number_of<Number>(bias[i]);
    });
  }
  if (epilogue.is_dgelu()) {
    at(epilogue.auxiliary, batch, row, column, [&](auto* arguments) {
      for (std::size_t i = 0; i < count; ++i) {
        values[i] *= gelu_derivative(number_of<Number>(arguments[i]));
      }
    });
  } else if (epilogue.has_auxiliary()) {
    at(epilogue.auxiliary, batch, row, column, [&](auto* arguments) {
      using T = std::remove_reference_t<decltype(*arguments)>;
      for (std::size_t i = 0; i < count; ++i) arguments[i] = element_of<T>(values[i]);
    });
  }
  if (epilogue.is_relu()) {
    // Not NaN: that stays.
    for (std::size_t i = 0; i < count; ++i) values[i] = values[i] < 0 ? 0 : values[i];
  } else if (epilogue.is_gelu()) {
    for (std::size_t i = 0; i < count; ++i) values[i] = gelu(values[i]);
  }
}

template void apply<float>(const Epilogue&, std::size_t, std::size_t, std::size_t, std::size_t,
                           float*);
template void apply<double>(const Epilogue&, std::size_t, std::size_t, std::size_t, std::size_t,
                            double*);

}  // namespace simulator::blas
