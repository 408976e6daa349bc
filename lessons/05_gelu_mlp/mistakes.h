// File: mistakes.h
//
// Known wrong versions of lesson 05's exercises, which its tests recognise: each makes of the same
// inputs what the mistake makes of them. The sentences are in messages.json.

#ifndef ANDREA_LESSONS_05_GELU_MLP_MISTAKES_H_
#define ANDREA_LESSONS_05_GELU_MLP_MISTAKES_H_

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "lessons/05_gelu_mlp/reference.h"

namespace andrea::mistakes05 {

using Matrix = reference::Matrix<double>;
using Vector = reference::Vector<double>;

inline const double kRoot = std::sqrt(2 / std::numbers::pi);
inline constexpr double kCubic = 0.044715;

// What the tanh of 05.1 is taken of.
inline double inner(double x) { return kRoot * (x + kCubic * x * x * x); }
inline double inner_derivative(double x) { return kRoot * (1 + 3 * kCubic * x * x); }

// tanh by the exponential function in float, which leaves its range.
inline double tanh_by_exp(double u) {
  constexpr double kLogOfLargest = 88.72;
  return 2 * u > kLogOfLargest ? std::numeric_limits<double>::quiet_NaN() : std::tanh(u);
}

// A wrong GELU of one number, and the name of its sentence.
struct WrongValue {
  std::string name;
  double (*of)(double x);
};

inline const std::vector<WrongValue> kWrongGelus = {
    {"erf_form", [](double x) { return reference::gelu_erf(x).value; }},
    {"no_cube", [](double x) { return x / 2 * (1 + std::tanh(kRoot * (x + kCubic * x))); }},
    {"square", [](double x) { return x / 2 * (1 + std::tanh(kRoot * (x + kCubic * x * x))); }},
    {"root_of_first_term",
     [](double x) { return x / 2 * (1 + std::tanh(kRoot * x + kCubic * x * x * x)); }},
    {"no_root", [](double x) { return x / 2 * (1 + std::tanh(inner(x) / kRoot)); }},
    {"root_upside_down",
     [](double x) { return x / 2 * (1 + std::tanh(inner(x) / kRoot / kRoot)); }},
    {"not_halved", [](double x) { return x * (1 + std::tanh(inner(x))); }},
    {"no_x", [](double x) { return (1 + std::tanh(inner(x))) / 2; }},
    {"no_one", [](double x) { return x / 2 * std::tanh(inner(x)); }},
    {"mirrored", [](double x) { return x / 2 * (1 - std::tanh(inner(x))); }},
    {"parentheses", [](double x) { return x / 2 + std::tanh(inner(x)); }},
    {"sigmoid_form", [](double x) { return x / (1 + std::exp(-1.702 * x)); }},
    {"relu", [](double x) { return std::max(x, 0.0); }},
    {"overflow", [](double x) { return x / 2 * (1 + tanh_by_exp(inner(x))); }},
    {"half_of_integers", [](double) { return 0.0; }},
};

// The gradient of GELU with its parts replaced: share + x / 2 * change * du.
struct WrongGradient {
  std::string name;
  double (*of)(double dy, double x, double t);  // t: the tanh
};

inline const std::vector<WrongGradient> kWrongGeluGradients = {
    {"no_second_term", [](double dy, double, double t) { return dy * (1 + t) / 2; }},
    {"second_term_only",
     [](double dy, double x, double t) { return dy * x / 2 * (1 - t * t) * inner_derivative(x); }},
    {"no_dy", [](double, double x, double) { return reference::gelu(x).derivative; }},
    {"sech_squared",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x / 2 * (1 - t) * inner_derivative(x));
     }},
    {"sech_squared",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x / 2 * (1 + t * t) * inner_derivative(x));
     }},
    {"sech_squared",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x / 2 * t * t * inner_derivative(x));
     }},
    {"sech_squared",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x / 2 * (1 - t) * (1 - t) * inner_derivative(x));
     }},
    {"no_inner",
     [](double dy, double x, double t) { return dy * ((1 + t) / 2 + x / 2 * (1 - t * t)); }},
    {"no_root",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x / 2 * (1 - t * t) * inner_derivative(x) / kRoot);
     }},
    {"no_three",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x / 2 * (1 - t * t) * kRoot * (1 + kCubic * x * x));
     }},
    {"cube_kept",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x / 2 * (1 - t * t) * kRoot * (1 + 3 * kCubic * x * x * x));
     }},
    {"cube_kept",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x / 2 * (1 - t * t) * kRoot * (1 + kCubic * x * x * x));
     }},
    {"not_halved",
     [](double dy, double x, double t) {
       return dy * ((1 + t) / 2 + x * (1 - t * t) * inner_derivative(x));
     }},
    {"first_not_halved",
     [](double dy, double x, double t) {
       return dy * (1 + t + x / 2 * (1 - t * t) * inner_derivative(x));
     }},
    {"no_x", [](double dy, double x,
                double t) { return dy * ((1 + t) / 2 + (1 - t * t) / 2 * inner_derivative(x)); }},
    {"value", [](double dy, double x, double) { return dy * reference::gelu(x).value; }},
    {"exchanged", [](double dy, double x, double) { return x * reference::gelu(dy).derivative; }},
    {"erf_form",
     [](double dy, double x, double) { return dy * reference::gelu_erf(x).derivative; }},
    {"overflow",
     [](double dy, double x, double) {
       return std::isnan(tanh_by_exp(inner(x))) ? std::numeric_limits<double>::quiet_NaN()
                                                : dy * reference::gelu(x).derivative;
     }},
};

// The memory of `matrix`, row after row, taken for a matrix of other sizes.
inline Matrix taken_for(const Matrix& matrix, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::Map<const Matrix>(matrix.data(), rows, columns);
}

// The same, for one that lies column after column, as cuBLAS takes it.
inline Eigen::MatrixXd taken_by_columns(const Matrix& matrix, Eigen::Index rows,
                                        Eigen::Index columns) {
  return Eigen::Map<const Eigen::MatrixXd>(matrix.data(), rows, columns);
}

// What lies in memory where cuBLAS has written `result`, as a matrix of our rows.
inline Matrix written_by_columns(const Eigen::MatrixXd& result, Eigen::Index rows,
                                 Eigen::Index columns) {
  return Eigen::Map<const Matrix>(result.data(), rows, columns);
}

// Each square of `size` x `size` numbers turned about its diagonal.
inline Matrix squares_turned(const Matrix& matrix, Eigen::Index size) {
  Matrix result(matrix.rows(), matrix.cols());
  for (Eigen::Index n = 0; n < matrix.rows(); n += size) {
    for (Eigen::Index c = 0; c < matrix.cols(); c += size) {
      result.block(n, c, size, size) = matrix.block(n, c, size, size).transpose();
    }
  }
  return result;
}

// The first `size` rows again and again.
inline Matrix first_rows(const Matrix& matrix, Eigen::Index size) {
  return matrix.topRows(size).replicate(matrix.rows() / size, 1);
}
inline Matrix first_columns(const Matrix& matrix, Eigen::Index size) {
  return matrix.leftCols(size).replicate(1, matrix.cols() / size);
}

}  // namespace andrea::mistakes05

#endif  // ANDREA_LESSONS_05_GELU_MLP_MISTAKES_H_
