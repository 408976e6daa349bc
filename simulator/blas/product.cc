#include "simulator/blas/product.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace simulator::blas {
namespace {

template <typename Number>
class Storing {
 public:
  Storing(const Product& product, Number alpha, Number beta)
      : product_(product), alpha_(alpha), beta_(beta) {}

  void operator()(const Tile<Number>& tile) const {
    std::vector<Number> values(tile.rows);
    for (std::size_t j = 0; j < tile.columns; ++j) {
      const std::size_t column = tile.column + j;
      std::size_t first = tile.row;
      std::size_t end = tile.row + tile.rows;
      if (product_.part == Part::lower_triangle) first = std::max(first, column);
      if (product_.part == Part::upper_triangle) end = std::min(end, column + 1);
      if (first >= end) continue;
      const Number* const sums = tile.sums + j * tile.leading + (first - tile.row);
      store(tile.batch, first, column, end - first, sums, values.data());
    }
  }

 private:
  void store(std::size_t batch, std::size_t row, std::size_t column, std::size_t count,
             const Number* sums, Number* values) const {
    for (std::size_t i = 0; i < count; ++i) values[i] = alpha_ * sums[i];
    if (beta_ != 0) {
      const Operand& c = product_.c;
      with_element_type(c.type, [&](auto element) {
        using T = typename decltype(element)::Type;
        const T* const from = c.matrix<const T>(batch) + c.offset(row, column);
        for (std::size_t i = 0; i < count; ++i) {
          values[i] +=
              beta_ * number_of<Number>(from[static_cast<std::ptrdiff_t>(i) * c.row_stride]);
        }
      });
    }
    if constexpr (!std::is_same_v<Number, std::int32_t>) {
      if (product_.epilogue.kind != CUBLASLT_EPILOGUE_DEFAULT) {
        apply(product_.epilogue, batch, row, column, count, values);
      }
    }
    const Operand& d = product_.d;
    with_element_type(d.type, [&](auto element) {
      using T = typename decltype(element)::Type;
      T* const to = d.matrix<T>(batch) + d.offset(row, column);
      for (std::size_t i = 0; i < count; ++i) {
        to[static_cast<std::ptrdiff_t>(i) * d.row_stride] = element_of<T>(values[i]);
      }
    });
  }

  const Product& product_;
  const Number alpha_;
  const Number beta_;
};

// Each number of `to`, a column, becomes the sum of a row of the matrix.
template <typename Number>
void sum_rows(const Operand& matrix, std::size_t rows, std::size_t columns, std::size_t batch,
              const Operand& to) {
  std::vector<Number> sums(rows);
  with_element_type(matrix.type, [&](auto element) {
    using T = typename decltype(element)::Type;
    const T* const from = matrix.matrix<const T>(batch);
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        sums[i] += number_of<Number>(from[matrix.offset(i, j)]);
      }
    }
  });
  with_element_type(to.type, [&](auto element) {
    using T = typename decltype(element)::Type;
    T* const out = to.matrix<T>(batch);
    for (std::size_t i = 0; i < rows; ++i) out[i] = element_of<T>(sums[i]);
  });
}

template <typename Number>
void compute_in(const Product& product, double alpha, double beta, unsigned threads) {
  ProductSize size = product.size;
  if (alpha == 0) size.k = 0;
  multiply<Number>(size, product.a, product.b, threads != 0 ? threads : threads_for(size),
                   Storing<Number>(product, static_cast<Number>(alpha), static_cast<Number>(beta)));
  const Epilogue& epilogue = product.epilogue;
  if (!epilogue.writes_bias()) return;
  for (std::size_t batch = 0; batch < size.batches; ++batch) {
    if (epilogue.sums_rows()) {
      sum_rows<Number>(product.d, size.m, size.n, batch, epilogue.bias);
    } else if (epilogue.kind == CUBLASLT_EPILOGUE_BGRADA) {
      sum_rows<Number>(product.a, size.m, product.size.k, batch, epilogue.bias);
    } else {
      sum_rows<Number>(product.b.transposed(), size.n, product.size.k, batch, epilogue.bias);
    }
  }
}

}  // namespace

void compute(const Product& product, double alpha, double beta, unsigned threads) {
  switch (product.arithmetic) {
    case Arithmetic::in_float:
      compute_in<float>(product, alpha, beta, threads);
      break;
    case Arithmetic::in_double:
      compute_in<double>(product, alpha, beta, threads);
      break;
    case Arithmetic::in_int:
      compute_in<std::int32_t>(product, alpha, beta, threads);
      break;
  }
}

bool find_arithmetic(cublasComputeType_t compute_type, cudaDataType a, cudaDataType b,
                     cudaDataType c, Arithmetic* arithmetic, cudaDataType* scale_type) {
  if (a != b) return false;
  switch (compute_type) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      *arithmetic = Arithmetic::in_float;
      *scale_type = CUDA_R_16F;
      return a == CUDA_R_16F && c == CUDA_R_16F;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      *arithmetic = Arithmetic::in_float;
      *scale_type = CUDA_R_32F;
      if (c == CUDA_R_32F) {
        return a == CUDA_R_32F || a == CUDA_R_16F || a == CUDA_R_16BF || a == CUDA_R_8I;
      }
      return a == c && (a == CUDA_R_16F || a == CUDA_R_16BF);
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      *arithmetic = Arithmetic::in_float;
      *scale_type = CUDA_R_32F;
      return a == CUDA_R_32F && c == CUDA_R_32F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      *arithmetic = Arithmetic::in_double;
      *scale_type = CUDA_R_64F;
      return a == CUDA_R_64F && c == CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      *arithmetic = Arithmetic::in_int;
      *scale_type = CUDA_R_32I;
      return a == CUDA_R_8I && c == CUDA_R_32I;
  }
  return false;
}

}  // namespace simulator::blas
