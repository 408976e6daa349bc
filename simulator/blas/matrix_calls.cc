// Level 3 but for general products: symmetric matrices, triangular systems, sums and scaling.

#include <cublas_v2.h>

#include <algorithm>
#include <vector>

#include "simulator/blas/call.h"
#include "simulator/blas/context.h"
#include "simulator/blas/product.h"

namespace simulator::blas {
namespace {

using __simulator::__Where;

template <typename T>
constexpr Arithmetic kArithmetic = sizeof(T) == sizeof(double) ? Arithmetic::in_double
                                                               : Arithmetic::in_float;

// A matrix whose rows and columns lie at any distances, which makes transposes free.
template <typename T>
struct View {
  T* data = nullptr;
  std::ptrdiff_t row_stride = 1;
  std::ptrdiff_t column_stride = 0;

  T& operator()(std::size_t row, std::size_t column) const {
    return data[static_cast<std::ptrdiff_t>(row) * row_stride +
                static_cast<std::ptrdiff_t>(column) * column_stride];
  }
  View transposed() const { return {data, column_stride, row_stride}; }
  View transposed_if(bool transpose) const { return transpose ? transposed() : *this; }
};

bool reads(const Scalar& factor) { return factor.on_device() || factor.value() != 0; }

template <typename T>
cublasStatus_t syrk(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                    cublasOperation_t trans, int n, int k, const T* alpha, const T* a, int lda,
                    const T* beta, T* c, int ldc, __Where where) {
  Call call(function, handle, where);
  call.fill(2, "uplo", uplo);
  call.operation(3, "trans", trans);
  call.count(4, "n", n);
  call.count(5, "k", k);
  const bool transposed = trans != CUBLAS_OP_N;
  call.leading(8, "lda", lda, transposed ? k : n, "A");
  call.leading(11, "ldc", ldc, n, "C");
  if (call.good() && n == 0) return CUBLAS_STATUS_SUCCESS;
  const Scalar alpha_scalar = call.scalar(6, "alpha", kDataType<T>, alpha);
  const Scalar beta_scalar = call.scalar(9, "beta", kDataType<T>, beta);
  if (!call.good()) return call.status();
  if (k != 0 && reads(alpha_scalar)) {
    call.reads(7, "A", a, matrix_extent(transposed ? k : n, transposed ? n : k, lda, sizeof(T)),
               Use::if_alpha);
  }
  call.triangle(MemoryUse::updates, 10, "C", c, uplo, n, ldc, sizeof(T), Use::if_beta);
  Product product;
  product.arithmetic = kArithmetic<T>;
  product.size = {static_cast<std::size_t>(n), static_cast<std::size_t>(n),
                  static_cast<std::size_t>(k), 1};
  product.a = in_columns(a, kDataType<T>, lda);
  if (transposed) product.a = product.a.transposed();
  product.b = product.a.transposed();
  product.c = product.d = in_columns(c, kDataType<T>, ldc);
  product.part = uplo == CUBLAS_FILL_MODE_LOWER ? Part::lower_triangle : Part::upper_triangle;
  return call.submit(
      handle->stream, alpha_scalar, beta_scalar,
      [=](double alpha_value, double beta_value) { compute(product, alpha_value, beta_value); });
}

// Both triangles, from the one that is stored.
template <typename T>
std::vector<T> filled(View<const T> triangle, bool lower, std::size_t size) {
  std::vector<T> full(size * size);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) {
      full[i + j * size] = (i >= j) == lower ? triangle(i, j) : triangle(j, i);
    }
    full[j + j * size] = triangle(j, j);
  }
  return full;
}

template <typename T>
cublasStatus_t symm(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, int m, int n, const T* alpha, const T* a, int lda,
                    const T* b, int ldb, const T* beta, T* c, int ldc, __Where where) {
  Call call(function, handle, where);
  call.side(2, "side", side);
  call.fill(3, "uplo", uplo);
  call.count(4, "m", m);
  call.count(5, "n", n);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int size = left ? m : n;
  call.leading(8, "lda", lda, size, "A");
  call.leading(10, "ldb", ldb, m, "B");
  call.leading(13, "ldc", ldc, m, "C");
  if (call.good() && (m == 0 || n == 0)) return CUBLAS_STATUS_SUCCESS;
  const Scalar alpha_scalar = call.scalar(6, "alpha", kDataType<T>, alpha);
  const Scalar beta_scalar = call.scalar(11, "beta", kDataType<T>, beta);
  if (!call.good()) return call.status();
  if (reads(alpha_scalar)) {
    call.triangle(MemoryUse::reads, 7, "A", a, uplo, size, lda, sizeof(T), Use::if_alpha);
    call.reads(9, "B", b, matrix_extent(m, n, ldb, sizeof(T)), Use::if_alpha);
  }
  call.updates(12, "C", c, matrix_extent(m, n, ldc, sizeof(T)), Use::if_beta);
  Product product;
  product.arithmetic = kArithmetic<T>;
  product.size = {static_cast<std::size_t>(m), static_cast<std::size_t>(n),
                  static_cast<std::size_t>(size), 1};
  product.c = product.d = in_columns(c, kDataType<T>, ldc);
  const View<const T> stored{a, 1, lda};
  const Operand other = in_columns(b, kDataType<T>, ldb);
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  return call.submit(handle->stream, alpha_scalar, beta_scalar,
                     [=](double alpha_value, double beta_value) {
                       std::vector<T> full;
                       if (alpha_value != 0) full = filled(stored, lower, size);
                       Product whole = product;
                       const Operand symmetric = in_columns(full.data(), kDataType<T>, size);
                       whole.a = left ? symmetric : other;
                       whole.b = left ? other : symmetric;
                       compute(whole, alpha_value, beta_value);
                     });
}

// A * X = alpha * B by substitution; X takes the place of B.
template <typename T>
void solve(View<const T> a, bool lower, bool unit, View<T> b, std::size_t m, std::size_t n,
           T alpha) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t step = 0; step < m; ++step) {
      const std::size_t i = lower ? step : m - 1 - step;
      T rest = alpha * b(i, j);
      for (std::size_t done = 0; done < step; ++done) {
        const std::size_t p = lower ? done : m - 1 - done;
        rest -= a(i, p) * b(p, j);
      }
      b(i, j) = unit ? rest : rest / a(i, i);
    }
  }
}

template <typename T>
cublasStatus_t trsm(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m,
                    int n, const T* alpha, const T* a, int lda, T* b, int ldb, __Where where) {
  Call call(function, handle, where);
  call.side(2, "side", side);
  call.fill(3, "uplo", uplo);
  call.operation(4, "trans", trans);
  call.require(diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT, 5, "diag",
               std::to_string(static_cast<int>(diag)), "CUBLAS_DIAG_NON_UNIT or CUBLAS_DIAG_UNIT");
  call.count(6, "m", m);
  call.count(7, "n", n);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int size = left ? m : n;
  call.leading(10, "lda", lda, size, "A");
  call.leading(12, "ldb", ldb, m, "B");
  if (call.good() && (m == 0 || n == 0)) return CUBLAS_STATUS_SUCCESS;
  const Scalar factor = call.scalar(8, "alpha", kDataType<T>, alpha);
  if (!call.good()) return call.status();
  if (reads(factor)) {
    call.triangle(MemoryUse::reads, 9, "A", a, uplo, size, lda, sizeof(T), Use::if_alpha);
  }
  // With alpha = 0 what B holds does not matter: submit is given alpha in both places.
  call.updates(11, "B", b, matrix_extent(m, n, ldb, sizeof(T)), Use::if_beta);
  const bool transpose = (trans != CUBLAS_OP_N) == left;
  const bool lower = (uplo == CUBLAS_FILL_MODE_LOWER) != transpose;
  // From the right it is the system of the transposes.
  const View<const T> matrix = View<const T>{a, 1, lda}.transposed_if(transpose);
  const View<T> right_side = View<T>{b, 1, ldb}.transposed_if(!left);
  return call.submit(handle->stream, factor, factor, [=](double value, double) {
    const std::size_t columns = left ? n : m;
    if (value != 0) {
      solve(matrix, lower, diag == CUBLAS_DIAG_UNIT, right_side, static_cast<std::size_t>(size),
            columns, static_cast<T>(value));
      return;
    }
    for (std::size_t j = 0; j < columns; ++j) {
      for (int i = 0; i < size; ++i) right_side(i, j) = 0;
    }
  });
}

template <typename T>
cublasStatus_t geam(const char* function, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, const T* alpha, const T* a, int lda,
                    const T* beta, const T* b, int ldb, T* c, int ldc, __Where where) {
  Call call(function, handle, where);
  call.operation(2, "transa", transa);
  call.operation(3, "transb", transb);
  call.count(4, "m", m);
  call.count(5, "n", n);
  const bool turn_a = transa != CUBLAS_OP_N;
  const bool turn_b = transb != CUBLAS_OP_N;
  call.leading(8, "lda", lda, turn_a ? n : m, "A");
  call.leading(11, "ldb", ldb, turn_b ? n : m, "B");
  call.leading(13, "ldc", ldc, m, "C");
  if (call.good() && (m == 0 || n == 0)) return CUBLAS_STATUS_SUCCESS;
  const char kInPlace[] = "as for C, and no transpose, where C is the same matrix";
  call.require(a != c || (!turn_a && lda == ldc), turn_a ? 2 : 8, turn_a ? "transa" : "lda",
               turn_a ? "a transpose" : std::to_string(lda), kInPlace);
  call.require(b != c || (!turn_b && ldb == ldc), turn_b ? 3 : 11, turn_b ? "transb" : "ldb",
               turn_b ? "a transpose" : std::to_string(ldb), kInPlace);
  const Scalar alpha_scalar = call.scalar(6, "alpha", kDataType<T>, alpha);
  const Scalar beta_scalar = call.scalar(9, "beta", kDataType<T>, beta);
  if (!call.good()) return call.status();
  if (reads(alpha_scalar)) {
    call.reads(7, "A", a, matrix_extent(turn_a ? n : m, turn_a ? m : n, lda, sizeof(T)),
               Use::if_alpha);
  }
  if (reads(beta_scalar)) {
    call.reads(10, "B", b, matrix_extent(turn_b ? n : m, turn_b ? m : n, ldb, sizeof(T)),
               Use::if_beta);
  }
  call.writes(12, "C", c, matrix_extent(m, n, ldc, sizeof(T)));
  const View<const T> from_a = View<const T>{a, 1, lda}.transposed_if(turn_a);
  const View<const T> from_b = View<const T>{b, 1, ldb}.transposed_if(turn_b);
  const View<T> to{c, 1, ldc};
  return call.submit(handle->stream, alpha_scalar, beta_scalar,
                     [=](double alpha_value, double beta_value) {
                       const T of_a = static_cast<T>(alpha_value);
                       const T of_b = static_cast<T>(beta_value);
                       for (int j = 0; j < n; ++j) {
                         for (int i = 0; i < m; ++i) {
                           T sum = 0;
                           if (of_a != 0) sum += of_a * from_a(i, j);
                           if (of_b != 0) sum += of_b * from_b(i, j);
                           to(i, j) = sum;
                         }
                       }
                     });
}

template <typename T>
cublasStatus_t dgmm(const char* function, cublasHandle_t handle, cublasSideMode_t mode, int m,
                    int n, const T* a, int lda, const T* x, int incx, T* c, int ldc,
                    __Where where) {
  Call call(function, handle, where);
  call.side(2, "mode", mode);
  call.count(3, "m", m);
  call.count(4, "n", n);
  call.leading(6, "lda", lda, m, "A");
  call.leading(10, "ldc", ldc, m, "C");
  if (call.good() && (m == 0 || n == 0)) return CUBLAS_STATUS_SUCCESS;
  const bool left = mode == CUBLAS_SIDE_LEFT;
  const int count = left ? m : n;
  call.reads(5, "A", a, matrix_extent(m, n, lda, sizeof(T)));
  call.reads(7, "x", x, vector_extent(count, incx, sizeof(T)));
  call.writes(9, "C", c, matrix_extent(m, n, ldc, sizeof(T)));
  if (!call.good()) return call.status();
  const View<const T> factors{incx < 0 ? x + static_cast<std::ptrdiff_t>(1 - count) * incx : x,
                              incx, 0};
  const View<const T> from{a, 1, lda};
  const View<T> to{c, 1, ldc};
  return call.submit(handle->stream, [=] {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) to(i, j) = from(i, j) * factors(left ? i : j, 0);
    }
  });
}

}  // namespace
}  // namespace simulator::blas

namespace blas = simulator::blas;
using Where = __simulator::__Where;

#define SIMULATOR_MATRIX_CALLS(letter, T)                                                         \
  cublasStatus_t cublas##letter##syrk_v2(                                                         \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,        \
      const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc, Where where) {           \
    return blas::syrk("cublas" #letter "syrk", handle, uplo, trans, n, k, alpha, a, lda, beta, c, \
                      ldc, where);                                                                \
  }                                                                                               \
  cublasStatus_t cublas##letter##symm_v2(cublasHandle_t handle, cublasSideMode_t side,            \
                                         cublasFillMode_t uplo, int m, int n, const T* alpha,     \
                                         const T* a, int lda, const T* b, int ldb, const T* beta, \
                                         T* c, int ldc, Where where) {                            \
    return blas::symm("cublas" #letter "symm", handle, side, uplo, m, n, alpha, a, lda, b, ldb,   \
                      beta, c, ldc, where);                                                       \
  }                                                                                               \
  cublasStatus_t cublas##letter##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,            \
                                         cublasFillMode_t uplo, cublasOperation_t trans,          \
                                         cublasDiagType_t diag, int m, int n, const T* alpha,     \
                                         const T* a, int lda, T* b, int ldb, Where where) {       \
    return blas::trsm("cublas" #letter "trsm", handle, side, uplo, trans, diag, m, n, alpha, a,   \
                      lda, b, ldb, where);                                                        \
  }                                                                                               \
  cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t transa,            \
                                      cublasOperation_t transb, int m, int n, const T* alpha,     \
                                      const T* a, int lda, const T* beta, const T* b, int ldb,    \
                                      T* c, int ldc, Where where) {                               \
    return blas::geam("cublas" #letter "geam", handle, transa, transb, m, n, alpha, a, lda, beta, \
                      b, ldb, c, ldc, where);                                                     \
  }                                                                                               \
  cublasStatus_t cublas##letter##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n, \
                                      const T* a, int lda, const T* x, int incx, T* c, int ldc,   \
                                      Where where) {                                              \
    return blas::dgmm("cublas" #letter "dgmm", handle, mode, m, n, a, lda, x, incx, c, ldc,       \
                      where);                                                                     \
  }

SIMULATOR_MATRIX_CALLS(S, float)
SIMULATOR_MATRIX_CALLS(D, double)

#undef SIMULATOR_MATRIX_CALLS
