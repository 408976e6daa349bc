#include <mma.h>
#include <tensor_core.h>

#include <stdexcept>
#include <string>

#include "simulator/tests/groups/matrices.h"

using namespace nvcuda;

namespace simulator_test {
namespace {

template <typename T>
T* on_device(const std::vector<T>& values) {
  T* pointer;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}

// Rows (or columns) of a stride that is more than their length.
template <typename T>
T* laid_out(const std::vector<float>& by_rows, int rows, int columns, bool keep, int stride) {
  std::vector<T> values(static_cast<std::size_t>(keep ? rows : columns) * stride, T(0.0f));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      values[keep ? row * stride + column : column * stride + row] =
          T(by_rows[row * columns + column]);
    }
  }
  return on_device(values);
}

template <int kM, int kN, int kK, typename T, typename Sum, typename A, typename B>
__global__ void product(const T* a, const T* b, const Sum* c, Sum* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a, kM, kN, kK, T, A> a_fragment;
  wmma::fragment<wmma::matrix_b, kM, kN, kK, T, B> b_fragment;
  wmma::fragment<wmma::accumulator, kM, kN, kK, Sum> sums;
  wmma::load_matrix_sync(a_fragment, a, lda);
  wmma::load_matrix_sync(b_fragment, b, ldb);
  wmma::load_matrix_sync(sums, c, ldc, wmma::mem_row_major);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = sums.x[i] + sums.x[i];
  wmma::mma_sync(sums, a_fragment, b_fragment, sums);
  wmma::store_matrix_sync(d, sums, ldc, wmma::mem_row_major);
}

template <int kM, int kN, typename A, typename B>
__global__ void tf32_product(const float* a, const float* b, const float* c, float* d, int lda,
                             int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a, kM, kN, 8, wmma::precision::tf32, A> a_fragment;
  wmma::fragment<wmma::matrix_b, kM, kN, 8, wmma::precision::tf32, B> b_fragment;
  wmma::fragment<wmma::accumulator, kM, kN, 8, float> sums;
  wmma::load_matrix_sync(a_fragment, a, lda);
  wmma::load_matrix_sync(b_fragment, b, ldb);
  for (float& x : a_fragment.x) x = wmma::__float_to_tf32(x);
  for (float& x : b_fragment.x) x = wmma::__float_to_tf32(x);
  wmma::load_matrix_sync(sums, c, ldc, wmma::mem_row_major);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] *= 2;
  wmma::mma_sync(sums, a_fragment, b_fragment, sums);
  wmma::store_matrix_sync(d, sums, ldc, wmma::mem_row_major);
}

template <typename T, typename Sum, typename Launch>
std::vector<float> run(const Problem& problem, const Form& form, Launch launch) {
  // Of 16 bytes at least, in any type, and more than the length.
  const auto stride = [](int length) { return length / 16 * 16 + 32; };
  const int lda = stride(form.a_by_rows ? problem.k : problem.m);
  const int ldb = stride(form.b_by_rows ? problem.n : problem.k);
  const int ldc = stride(problem.n);
  T* const a = laid_out<T>(problem.a, problem.m, problem.k, form.a_by_rows, lda);
  T* const b = laid_out<T>(problem.b, problem.k, problem.n, form.b_by_rows, ldb);
  Sum* const c = laid_out<Sum>(problem.c, problem.m, problem.n, true, ldc);
  launch(a, b, c, lda, ldb, ldc);
  std::vector<Sum> sums(static_cast<std::size_t>(problem.m) * ldc);
  const cudaError_t error =
      cudaMemcpy(sums.data(), c, sums.size() * sizeof(Sum), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
  std::vector<float> d;
  for (int row = 0; row < problem.m; ++row) {
    for (int column = 0; column < problem.n; ++column) {
      d.push_back(static_cast<float>(sums[row * ldc + column]));
    }
  }
  return d;
}

template <int kM, int kN, typename T, typename Sum, typename A, typename B>
std::vector<float> with_layouts(const Problem& problem, const Form& form) {
  return run<T, Sum>(problem, form, [](T* a, T* b, Sum* c, int lda, int ldb, int ldc) {
    product<kM, kN, 16, T, Sum, A, B><<<1, 32>>>(a, b, c, c, lda, ldb, ldc);
  });
}

template <typename A, typename B>
std::vector<float> tf32_with_layouts(const Problem& problem, const Form& form) {
  return run<float, float>(problem, form,
                           [](float* a, float* b, float* c, int lda, int ldb, int ldc) {
                             tf32_product<16, 16, A, B><<<1, 32>>>(a, b, c, c, lda, ldb, ldc);
                           });
}

template <int kM, int kN, typename T, typename Sum>
std::vector<float> of_type(const Problem& problem, const Form& form) {
  using Rows = wmma::row_major;
  using Columns = wmma::col_major;
  if (form.a_by_rows && form.b_by_rows) {
    return with_layouts<kM, kN, T, Sum, Rows, Rows>(problem, form);
  }
  if (form.a_by_rows) return with_layouts<kM, kN, T, Sum, Rows, Columns>(problem, form);
  if (form.b_by_rows) return with_layouts<kM, kN, T, Sum, Columns, Rows>(problem, form);
  return with_layouts<kM, kN, T, Sum, Columns, Columns>(problem, form);
}

template <typename T, typename Sum>
std::vector<float> of_shape(const Problem& problem, const Form& form) {
  if (problem.m == 32) return of_type<32, 8, T, Sum>(problem, form);
  if (problem.m == 8) return of_type<8, 32, T, Sum>(problem, form);
  return of_type<16, 16, T, Sum>(problem, form);
}

// `b` by rows is read transposed, so that a lane gets two neighbours of a column.
template <typename T>
__global__ void mma_product(const T* a, const T* b, const float* c, float* d, bool b_by_rows) {
  constexpr int kStride = 24;  // elements: rows lie in different banks
  __shared__ __align__(16) T a_tile[16 * kStride];
  __shared__ __align__(16) T b_tile[16 * 16];
  const int lane = static_cast<int>(threadIdx.x);
  tensor_core::cp_async<16>(&a_tile[lane / 2 * kStride + lane % 2 * 8], &a[lane * 8]);
  tensor_core::cp_async_commit_group();
  if (lane < 16) tensor_core::cp_async<16>(&b_tile[lane * 8], &b[lane * 8]);
  tensor_core::cp_async_commit_group();
  tensor_core::cp_async_wait_group<0>();
  __syncwarp();

  unsigned a_registers[4];
  unsigned b_registers[2];
  tensor_core::ldmatrix_x4(a_registers, &a_tile[lane % 16 * kStride + lane / 16 * 8]);
  if (b_by_rows) {
    tensor_core::ldmatrix_x2_transposed(b_registers, &b_tile[lane % 16 * 8]);
  } else {
    tensor_core::ldmatrix_x2(b_registers, &b_tile[lane % 8 * 16 + lane / 8 % 2 * 8]);
  }
  const int row = lane / 4;
  const int column = lane % 4 * 2;
  float sums[4] = {2 * c[row * 8 + column], 2 * c[row * 8 + column + 1],
                   2 * c[(row + 8) * 8 + column], 2 * c[(row + 8) * 8 + column + 1]};
  tensor_core::mma_m16n8k16<T>(sums, a_registers, b_registers, sums);
  d[row * 8 + column] = sums[0];
  d[row * 8 + column + 1] = sums[1];
  d[(row + 8) * 8 + column] = sums[2];
  d[(row + 8) * 8 + column + 1] = sums[3];
}

template <typename T>
std::vector<float> mma_of_type(const Problem& problem, const Form& form) {
  T* const a = laid_out<T>(problem.a, 16, 16, true, 16);
  T* const b = laid_out<T>(problem.b, 16, 8, form.b_by_rows, form.b_by_rows ? 8 : 16);
  float* const c = on_device(problem.c);
  float* const d = on_device(problem.c);
  mma_product<T><<<1, 32>>>(a, b, c, d, form.b_by_rows);
  std::vector<float> result(problem.c.size());
  const cudaError_t error =
      cudaMemcpy(result.data(), d, result.size() * sizeof(float), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
  return result;
}

__global__ void ldmatrix_kernel(unsigned* out, int matrices, bool transposed) {
  __shared__ __align__(16) unsigned short elements[4 * 64];
  for (unsigned i = threadIdx.x; i < 256; i += 32) elements[i] = static_cast<unsigned short>(i);
  __syncwarp();
  const unsigned short* const row = &elements[threadIdx.x % (8 * matrices) * 8];
  unsigned registers[4] = {};
  unsigned two[2] = {};
  if (matrices == 1) {
    if (transposed) {
      tensor_core::ldmatrix_x1_transposed(registers[0], row);
    } else {
      tensor_core::ldmatrix_x1(registers[0], row);
    }
  } else if (matrices == 2) {
    if (transposed) {
      tensor_core::ldmatrix_x2_transposed(two, row);
    } else {
      tensor_core::ldmatrix_x2(two, row);
    }
    registers[0] = two[0];
    registers[1] = two[1];
  } else if (transposed) {
    tensor_core::ldmatrix_x4_transposed(registers, row);
  } else {
    tensor_core::ldmatrix_x4(registers, row);
  }
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = registers[i];
}

}  // namespace

std::vector<float> by_wmma(const Problem& problem, const Form& form) {
  const std::string type = form.type;
  if (type == "half") return of_shape<__half, float>(problem, form);
  if (type == "half_sums") return of_shape<__half, __half>(problem, form);
  if (type == "bfloat16") return of_shape<__nv_bfloat16, float>(problem, form);
  if (type == "char") return of_shape<signed char, int>(problem, form);
  if (type == "unsigned_char") return of_shape<unsigned char, int>(problem, form);
  using Rows = wmma::row_major;
  using Columns = wmma::col_major;
  return form.b_by_rows ? tf32_with_layouts<Rows, Rows>(problem, form)
                        : tf32_with_layouts<Rows, Columns>(problem, form);
}

std::vector<float> by_mma(const Problem& problem, const Form& form) {
  return std::string(form.type) == "half" ? mma_of_type<__half>(problem, form)
                                          : mma_of_type<__nv_bfloat16>(problem, form);
}

std::vector<unsigned> registers_of_ldmatrix(int matrices, bool transposed) {
  unsigned* const out = on_device(std::vector<unsigned>(128));
  ldmatrix_kernel<<<1, 32>>>(out, matrices, transposed);
  std::vector<unsigned> registers(128);
  const cudaError_t error =
      cudaMemcpy(registers.data(), out, 128 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
  return registers;
}

}  // namespace simulator_test
