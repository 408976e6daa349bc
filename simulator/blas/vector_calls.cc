// Level 1: vectors. And level 2: a matrix and vectors, which are products too.

#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "simulator/blas/call.h"
#include "simulator/blas/context.h"
#include "simulator/blas/product.h"

namespace simulator::blas {
namespace {

using __simulator::__Where;

// Elements at equal distances. With a negative increment the first is the one that lies last.
template <typename T>
struct Vector {
  T* data = nullptr;
  int count = 0;
  int increment = 1;

  T* first() const {
    return increment < 0 ? data + static_cast<std::ptrdiff_t>(1 - count) * increment : data;
  }
  T& operator[](int i) const { return first()[static_cast<std::ptrdiff_t>(i) * increment]; }
  Extent extent() const { return vector_extent(std::max(count, 0), increment, sizeof(T)); }
};

// Float's sums are added up in double: a GPU adds in a tree, which is nearly as exact.
template <typename T>
double sum_of_products(Vector<const T> x, Vector<const T> y) {
  double sum = 0;
  for (int i = 0; i < x.count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return sum;
}

// Scaled by the largest, so that no square is too large or too small.
template <typename T>
T norm(Vector<const T> x) {
  double largest = 0;
  for (int i = 0; i < x.count; ++i) {
    const double magnitude = std::abs(static_cast<double>(x[i]));
    if (std::isnan(magnitude)) return x[i];
    largest = std::max(largest, magnitude);
  }
  if (largest == 0 || std::isinf(largest)) return static_cast<T>(largest);
  double sum = 0;
  for (int i = 0; i < x.count; ++i) {
    const double scaled = static_cast<double>(x[i]) / largest;
    sum += scaled * scaled;
  }
  return static_cast<T>(largest * std::sqrt(sum));
}

template <typename T>
T sum_of_magnitudes(Vector<const T> x) {
  double sum = 0;
  for (int i = 0; i < x.count; ++i) sum += std::abs(static_cast<double>(x[i]));
  return static_cast<T>(sum);
}

// Counted from 1; 0 where there is none. The first of equal ones.
template <typename T, typename Better>
int position(Vector<const T> x, Better better) {
  int best = 0;
  for (int i = 1; i < x.count; ++i) {
    if (better(std::abs(x[i]), std::abs(x[best]))) best = i;
  }
  return x.count > 0 ? best + 1 : 0;
}

template <typename T>
cublasStatus_t axpy(const char* function, cublasHandle_t handle, int n, const T* alpha,
                    const T* x_data, int incx, T* y_data, int incy, __Where where) {
  Call call(function, handle, where);
  if (call.good() && n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<const T> x{x_data, n, incx};
  const Vector<T> y{y_data, n, incy};
  const Scalar factor = call.scalar(3, "alpha", kDataType<T>, alpha);
  call.reads(4, "x", x_data, x.extent(), Use::if_alpha);
  call.updates(6, "y", y_data, y.extent(), Use::if_alpha);
  return call.submit(call.good() ? handle->stream : nullptr, factor, Scalar(1),
                     [=](double value, double) {
                       if (value == 0) return;
                       for (int i = 0; i < n; ++i) y[i] += static_cast<T>(value) * x[i];
                     });
}

template <typename T>
cublasStatus_t scal(const char* function, cublasHandle_t handle, int n, const T* alpha, T* x_data,
                    int incx, __Where where) {
  Call call(function, handle, where);
  if (call.good() && (n <= 0 || incx <= 0)) return CUBLAS_STATUS_SUCCESS;
  const Vector<T> x{x_data, n, incx};
  const Scalar factor = call.scalar(3, "alpha", kDataType<T>, alpha);
  call.updates(4, "x", x_data, x.extent());
  return call.submit(call.good() ? handle->stream : nullptr, factor, Scalar(1),
                     [=](double value, double) {
                       for (int i = 0; i < n; ++i) x[i] *= static_cast<T>(value);
                     });
}

template <typename T>
cublasStatus_t copy(const char* function, cublasHandle_t handle, int n, const T* x_data, int incx,
                    T* y_data, int incy, __Where where) {
  Call call(function, handle, where);
  if (call.good() && n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<const T> x{x_data, n, incx};
  const Vector<T> y{y_data, n, incy};
  call.reads(3, "x", x_data, x.extent());
  call.writes(5, "y", y_data, y.extent());
  return call.submit(call.good() ? handle->stream : nullptr, [=] {
    for (int i = 0; i < n; ++i) y[i] = x[i];
  });
}

template <typename T>
cublasStatus_t swap(const char* function, cublasHandle_t handle, int n, T* x_data, int incx,
                    T* y_data, int incy, __Where where) {
  Call call(function, handle, where);
  if (call.good() && n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<T> x{x_data, n, incx};
  const Vector<T> y{y_data, n, incy};
  call.updates(3, "x", x_data, x.extent());
  call.updates(5, "y", y_data, y.extent());
  return call.submit(call.good() ? handle->stream : nullptr, [=] {
    for (int i = 0; i < n; ++i) std::swap(x[i], y[i]);
  });
}

template <typename T>
cublasStatus_t rot(const char* function, cublasHandle_t handle, int n, T* x_data, int incx,
                   T* y_data, int incy, const T* c, const T* s, __Where where) {
  Call call(function, handle, where);
  if (call.good() && n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<T> x{x_data, n, incx};
  const Vector<T> y{y_data, n, incy};
  call.updates(3, "x", x_data, x.extent());
  call.updates(5, "y", y_data, y.extent());
  const Scalar cosine = call.scalar(7, "c", kDataType<T>, c);
  const Scalar sine = call.scalar(8, "s", kDataType<T>, s);
  return call.submit(call.good() ? handle->stream : nullptr, [=] {
    const T cosine_value = static_cast<T>(cosine.value());
    const T sine_value = static_cast<T>(sine.value());
    for (int i = 0; i < n; ++i) {
      const T from_x = x[i];
      const T from_y = y[i];
      x[i] = cosine_value * from_x + sine_value * from_y;
      y[i] = cosine_value * from_y - sine_value * from_x;
    }
  });
}

template <typename T>
cublasStatus_t dot(const char* function, cublasHandle_t handle, int n, const T* x_data, int incx,
                   const T* y_data, int incy, T* result, __Where where) {
  Call call(function, handle, where);
  const Vector<const T> x{x_data, std::max(n, 0), incx};
  const Vector<const T> y{y_data, std::max(n, 0), incy};
  call.reads(3, "x", x_data, x.extent());
  call.reads(5, "y", y_data, y.extent());
  call.result(7, "result", result, sizeof(T));
  return call.submit(call.good() ? handle->stream : nullptr,
                     [=] { *result = static_cast<T>(sum_of_products(x, y)); });
}

// One number from one vector.
template <typename T, typename Result, typename Function>
cublasStatus_t reduce(const char* function, cublasHandle_t handle, int n, const T* x_data, int incx,
                      Result* result, __Where where, Function of) {
  Call call(function, handle, where);
  const Vector<const T> x{x_data, incx > 0 ? std::max(n, 0) : 0, incx};
  call.reads(3, "x", x_data, x.extent());
  call.result(5, "result", result, sizeof(Result));
  return call.submit(call.good() ? handle->stream : nullptr, [=] { *result = of(x); });
}

template <typename T>
constexpr Arithmetic kArithmetic = sizeof(T) == sizeof(double) ? Arithmetic::in_double
                                                               : Arithmetic::in_float;

// A vector as a matrix of one column.
template <typename T>
Operand column(Vector<T> vector) {
  return {vector.first(), kDataType<std::remove_const_t<T>>, vector.increment, 0, 0, nullptr};
}

template <typename T>
cublasStatus_t gemv(const char* function, cublasHandle_t handle, cublasOperation_t trans, int m,
                    int n, const T* alpha, const T* a, int lda, const T* x_data, int incx,
                    const T* beta, T* y_data, int incy, __Where where) {
  Call call(function, handle, where);
  call.operation(2, "trans", trans);
  call.count(3, "m", m);
  call.count(4, "n", n);
  call.leading(7, "lda", lda, m, "A");
  call.increment(9, "incx", incx);
  call.increment(12, "incy", incy);
  if (call.good() && (m == 0 || n == 0)) return CUBLAS_STATUS_SUCCESS;
  const Scalar alpha_scalar = call.scalar(5, "alpha", kDataType<T>, alpha);
  const Scalar beta_scalar = call.scalar(10, "beta", kDataType<T>, beta);
  if (!call.good()) return call.status();
  const Vector<const T> x{x_data, trans == CUBLAS_OP_N ? n : m, incx};
  const Vector<T> y{y_data, trans == CUBLAS_OP_N ? m : n, incy};
  if (alpha_scalar.on_device() || alpha_scalar.value() != 0) {
    call.reads(6, "A", a, matrix_extent(m, n, lda, sizeof(T)), Use::if_alpha);
    call.reads(8, "x", x_data, x.extent(), Use::if_alpha);
  }
  call.updates(11, "y", y_data, y.extent(), Use::if_beta);
  Product product;
  product.arithmetic = kArithmetic<T>;
  product.size = {static_cast<std::size_t>(y.count), 1, static_cast<std::size_t>(x.count), 1};
  product.a = in_columns(a, kDataType<T>, lda);
  if (trans != CUBLAS_OP_N) product.a = product.a.transposed();
  product.b = column(x);
  product.c = product.d = column(y);
  return call.submit(
      handle->stream, alpha_scalar, beta_scalar,
      [=](double alpha_value, double beta_value) { compute(product, alpha_value, beta_value); });
}

template <typename T>
cublasStatus_t ger(const char* function, cublasHandle_t handle, int m, int n, const T* alpha,
                   const T* x_data, int incx, const T* y_data, int incy, T* a, int lda,
                   __Where where) {
  Call call(function, handle, where);
  call.count(2, "m", m);
  call.count(3, "n", n);
  call.increment(6, "incx", incx);
  call.increment(8, "incy", incy);
  call.leading(10, "lda", lda, m, "A");
  if (call.good() && (m == 0 || n == 0)) return CUBLAS_STATUS_SUCCESS;
  const Scalar alpha_scalar = call.scalar(4, "alpha", kDataType<T>, alpha);
  const Vector<const T> x{x_data, m, incx};
  const Vector<const T> y{y_data, n, incy};
  call.reads(5, "x", x_data, x.extent(), Use::if_alpha);
  call.reads(7, "y", y_data, y.extent(), Use::if_alpha);
  call.updates(9, "A", a, matrix_extent(m, n, lda, sizeof(T)), Use::if_alpha);
  if (!call.good()) return call.status();
  Product product;
  product.arithmetic = kArithmetic<T>;
  product.size = {static_cast<std::size_t>(m), static_cast<std::size_t>(n), 1, 1};
  product.a = column(x);
  product.b = column(y).transposed();
  product.c = product.d = in_columns(a, kDataType<T>, lda);
  return call.submit(handle->stream, alpha_scalar, Scalar(1), [=](double value, double) {
    if (value != 0) compute(product, value, 1);
  });
}

}  // namespace
}  // namespace simulator::blas

namespace blas = simulator::blas;
using Where = __simulator::__Where;

#define SIMULATOR_VECTOR_CALLS(letter, index_letter, T)                                            \
  cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, \
                                         int incx, T* y, int incy, Where where) {                  \
    return blas::axpy("cublas" #letter "axpy", handle, n, alpha, x, incx, y, incy, where);         \
  }                                                                                                \
  cublasStatus_t cublas##letter##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x,       \
                                         int incx, Where where) {                                  \
    return blas::scal("cublas" #letter "scal", handle, n, alpha, x, incx, where);                  \
  }                                                                                                \
  cublasStatus_t cublas##letter##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y, \
                                         int incy, Where where) {                                  \
    return blas::copy("cublas" #letter "copy", handle, n, x, incx, y, incy, where);                \
  }                                                                                                \
  cublasStatus_t cublas##letter##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y,       \
                                         int incy, Where where) {                                  \
    return blas::swap("cublas" #letter "swap", handle, n, x, incx, y, incy, where);                \
  }                                                                                                \
  cublasStatus_t cublas##letter##rot_v2(cublasHandle_t handle, int n, T* x, int incx, T* y,        \
                                        int incy, const T* c, const T* s, Where where) {           \
    return blas::rot("cublas" #letter "rot", handle, n, x, incx, y, incy, c, s, where);            \
  }                                                                                                \
  cublasStatus_t cublas##letter##dot_v2(cublasHandle_t handle, int n, const T* x, int incx,        \
                                        const T* y, int incy, T* result, Where where) {            \
    return blas::dot("cublas" #letter "dot", handle, n, x, incx, y, incy, result, where);          \
  }                                                                                                \
  cublasStatus_t cublas##letter##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx,       \
                                         T* result, Where where) {                                 \
    return blas::reduce("cublas" #letter "nrm2", handle, n, x, incx, result, where,                \
                        [](auto vector) { return blas::norm<T>(vector); });                        \
  }                                                                                                \
  cublasStatus_t cublas##letter##asum_v2(cublasHandle_t handle, int n, const T* x, int incx,       \
                                         T* result, Where where) {                                 \
    return blas::reduce("cublas" #letter "asum", handle, n, x, incx, result, where,                \
                        [](auto vector) { return blas::sum_of_magnitudes<T>(vector); });           \
  }                                                                                                \
  cublasStatus_t cublasI##index_letter##amax_v2(cublasHandle_t handle, int n, const T* x,          \
                                                int incx, int* result, Where where) {              \
    return blas::reduce(                                                                           \
        "cublasI" #index_letter "amax", handle, n, x, incx, result, where,                         \
        [](auto vector) { return blas::position<T>(vector, [](T a, T b) { return a > b; }); });    \
  }                                                                                                \
  cublasStatus_t cublasI##index_letter##amin_v2(cublasHandle_t handle, int n, const T* x,          \
                                                int incx, int* result, Where where) {              \
    return blas::reduce(                                                                           \
        "cublasI" #index_letter "amin", handle, n, x, incx, result, where,                         \
        [](auto vector) { return blas::position<T>(vector, [](T a, T b) { return a < b; }); });    \
  }                                                                                                \
  cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,    \
                                         int n, const T* alpha, const T* a, int lda, const T* x,   \
                                         int incx, const T* beta, T* y, int incy, Where where) {   \
    return blas::gemv("cublas" #letter "gemv", handle, trans, m, n, alpha, a, lda, x, incx, beta,  \
                      y, incy, where);                                                             \
  }                                                                                                \
  cublasStatus_t cublas##letter##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha,       \
                                        const T* x, int incx, const T* y, int incy, T* a, int lda, \
                                        Where where) {                                             \
    return blas::ger("cublas" #letter "ger", handle, m, n, alpha, x, incx, y, incy, a, lda,        \
                     where);                                                                       \
  }

SIMULATOR_VECTOR_CALLS(S, s, float)
SIMULATOR_VECTOR_CALLS(D, d, double)

#undef SIMULATOR_VECTOR_CALLS
