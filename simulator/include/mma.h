// File: mma.h
//
// Tensor cores by warp matrices: nvcuda::wmma, with CUDA's names.
//
//   fragment<matrix_a, m, n, k, T, row_major or col_major>, matrix_b, accumulator
//   fill_fragment, load_matrix_sync, store_matrix_sync, mma_sync
//
// Shapes m x n x k and types T of the inputs:
//   16x16x16, 32x8x16, 8x32x16   __half (accumulators float or __half), __nv_bfloat16 (float),
//                                signed char, unsigned char (int)
//   16x16x8                      precision::tf32 (float), after __float_to_tf32
//
// A fragment is spread over the lanes, `num_elements` of them in x[] of each; which element of the
// matrix x[i] is, CUDA leaves open (here as simulator/groups/warp_matrix.h has it, and where a GPU
// keeps an element several times, so does this). Code may change all x[i] alike, no more. The
// order of the sums is in warp_matrix.h too; a GPU's may differ in the last bits.
//
// Every call needs all 32 lanes with the same arguments; the address a multiple of 32 bytes, the
// leading dimension of 16. Each is checked. Loads and stores order no memory: __syncwarp or
// __syncthreads does.
//
// Refused: double, 4-bit and 1-bit inputs.

#ifndef ANDREA_SIMULATOR_INCLUDE_MMA_H_
#define ANDREA_SIMULATOR_INCLUDE_MMA_H_

#ifdef __CUDACC__

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <simulator/groups/warp_matrix.h>
#include <simulator/warp.h>

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision {
struct tf32;
}  // namespace precision

enum layout_t { mem_row_major, mem_col_major };

}  // namespace wmma
}  // namespace nvcuda

namespace __simulator {

// What is known of an element type: how it is stored, its format, and how many make 16 bytes.
template <typename __T>
struct __Element;
#define __SIMULATOR_ELEMENT(TYPE, STORAGE, NUMBER)         \
  template <>                                              \
  struct __Element<TYPE> {                                 \
    using __Storage = STORAGE;                             \
    static constexpr __Number __number = __Number::NUMBER; \
  };
__SIMULATOR_ELEMENT(__half, __half, __half)
__SIMULATOR_ELEMENT(__nv_bfloat16, __nv_bfloat16, __bfloat16)
__SIMULATOR_ELEMENT(nvcuda::wmma::precision::tf32, float, __tf32)
__SIMULATOR_ELEMENT(float, float, __float)
__SIMULATOR_ELEMENT(signed char, signed char, __signed_char)
__SIMULATOR_ELEMENT(unsigned char, unsigned char, __unsigned_char)
__SIMULATOR_ELEMENT(int, int, __int)
#undef __SIMULATOR_ELEMENT

// Rows, columns and elements in each lane; no members where there is no such fragment.
template <typename __Use, int __m, int __n, int __k, typename __T>
struct __Fragment_shape {
  static constexpr bool __exists = false;
};

template <unsigned __row_count, unsigned __column_count, unsigned __elements, bool __is_b>
struct __Spread {
  static constexpr bool __exists = true;
  static constexpr unsigned __rows = __row_count;
  static constexpr unsigned __columns = __column_count;
  static constexpr unsigned __in_lane = __elements;
  static constexpr bool __down = __is_b;
  // A GPU keeps some matrices more than once.
  static constexpr unsigned __different = __rows * __columns / 32;
};

#define __SIMULATOR_SHAPE(M, N, K, TYPE, A, B)                                                  \
  template <>                                                                                   \
  struct __Fragment_shape<nvcuda::wmma::matrix_a, M, N, K, TYPE> : __Spread<M, K, A, false> {}; \
  template <>                                                                                   \
  struct __Fragment_shape<nvcuda::wmma::matrix_b, M, N, K, TYPE> : __Spread<K, N, B, true> {};
#define __SIMULATOR_ACCUMULATOR(M, N, K, TYPE)                      \
  template <>                                                       \
  struct __Fragment_shape<nvcuda::wmma::accumulator, M, N, K, TYPE> \
      : __Spread<M, N, M * N / 32, false> {};
#define __SIMULATOR_SHAPES(M, N)                           \
  __SIMULATOR_SHAPE(M, N, 16, __half, 16, 16)              \
  __SIMULATOR_SHAPE(M, N, 16, __nv_bfloat16, M / 2, N / 2) \
  __SIMULATOR_SHAPE(M, N, 16, signed char, M / 2, N / 2)   \
  __SIMULATOR_SHAPE(M, N, 16, unsigned char, M / 2, N / 2) \
  __SIMULATOR_ACCUMULATOR(M, N, 16, float)                 \
  __SIMULATOR_ACCUMULATOR(M, N, 16, __half)                \
  __SIMULATOR_ACCUMULATOR(M, N, 16, int)
__SIMULATOR_SHAPES(16, 16)
__SIMULATOR_SHAPES(32, 8)
__SIMULATOR_SHAPES(8, 32)
__SIMULATOR_SHAPE(16, 16, 8, nvcuda::wmma::precision::tf32, 4, 4)
__SIMULATOR_ACCUMULATOR(16, 16, 8, float)
#undef __SIMULATOR_SHAPES
#undef __SIMULATOR_ACCUMULATOR
#undef __SIMULATOR_SHAPE

template <typename __T>
constexpr unsigned __elements_of_16_bytes = 16 / sizeof(__T);

}  // namespace __simulator

namespace nvcuda {
namespace wmma {

template <typename __Use, int __m, int __n, int __k, typename __T, typename __Layout = void>
class __align__(8) fragment {
  using __Shape = __simulator::__Fragment_shape<__Use, __m, __n, __k, __T>;
  static_assert(
      __Shape::__exists,
      "the simulator has no warp matrix of this shape and type: mma.h lists those it has");

 public:
  using element_type = __T;
  using storage_element_type = typename __simulator::__Element<__T>::__Storage;
  enum { num_elements = __Shape::__in_lane, num_storage_elements = __Shape::__in_lane };

  storage_element_type x[num_elements];
};

inline float __float_to_tf32(float __number) {
  // Rounded to nearest, ties away from zero.
  unsigned __bits;
  __builtin_memcpy(&__bits, &__number, sizeof(__bits));
  if ((__bits & 0x7f800000u) != 0x7f800000u) __bits += 0x1000u;
  __bits &= 0xffffe000u;
  __builtin_memcpy(&__number, &__bits, sizeof(__bits));
  return __number;
}

template <typename __Use, int __m, int __n, int __k, typename __T, typename __Layout>
inline void fill_fragment(
    fragment<__Use, __m, __n, __k, __T, __Layout>& __fragment,
    const typename fragment<__Use, __m, __n, __k, __T, __Layout>::storage_element_type& __value) {
  for (int __i = 0; __i < __fragment.num_elements; ++__i) __fragment.x[__i] = __value;
}

}  // namespace wmma
}  // namespace nvcuda

namespace __simulator {

// Where element i of the caller's lane lies in memory.
template <typename __Shape>
inline unsigned __offset_in_memory(unsigned __i, unsigned __stride, bool __by_rows) {
  const __Place __at = __place(__lane(), __i, __Shape::__rows, __Shape::__down);
  return __by_rows ? __at.__row * __stride + __at.__column : __at.__column * __stride + __at.__row;
}

template <typename __Use, int __m, int __n, int __k, typename __T, typename __Fragment,
          typename __Storage>
inline void __load(__Fragment& __fragment, const __Storage* __from, unsigned __stride,
                   bool __by_rows, __Where __where) {
  using __Shape = __Fragment_shape<__Use, __m, __n, __k, __T>;
  __check_matrix({"load_matrix_sync", __from, __stride, __elements_of_16_bytes<__Storage>},
                 __where);
  for (unsigned __i = 0; __i < __Shape::__in_lane; ++__i) {
    __fragment.x[__i] = __i < __Shape::__different
                            ? __from[__offset_in_memory<__Shape>(__i, __stride, __by_rows)]
                            : __fragment.x[__i % __Shape::__different];
  }
}

}  // namespace __simulator

namespace nvcuda {
namespace wmma {

// Inputs: the layout is the fragment's own.
#define __SIMULATOR_LOAD_INPUT(LAYOUT, BY_ROWS)                                                 \
  template <typename __Use, int __m, int __n, int __k, typename __T>                            \
  inline void load_matrix_sync(                                                                 \
      fragment<__Use, __m, __n, __k, __T, LAYOUT>& __fragment,                                  \
      const typename fragment<__Use, __m, __n, __k, __T, LAYOUT>::storage_element_type* __from, \
      unsigned __stride, __SIMULATOR_WHERE) {                                                   \
    __simulator::__load<__Use, __m, __n, __k, __T>(__fragment, __from, __stride, BY_ROWS,       \
                                                   {__file, __line});                           \
  }
__SIMULATOR_LOAD_INPUT(row_major, true)
__SIMULATOR_LOAD_INPUT(col_major, false)
#undef __SIMULATOR_LOAD_INPUT

template <int __m, int __n, int __k, typename __T>
inline void load_matrix_sync(fragment<accumulator, __m, __n, __k, __T>& __fragment,
                             const __T* __from, unsigned __stride, layout_t __layout,
                             __SIMULATOR_WHERE) {
  __simulator::__load<accumulator, __m, __n, __k, __T>(__fragment, __from, __stride,
                                                       __layout == mem_row_major, {__file, __line});
}

template <int __m, int __n, int __k, typename __T>
inline void store_matrix_sync(__T* __to,
                              const fragment<accumulator, __m, __n, __k, __T>& __fragment,
                              unsigned __stride, layout_t __layout, __SIMULATOR_WHERE) {
  using __Shape = __simulator::__Fragment_shape<accumulator, __m, __n, __k, __T>;
  __simulator::__check_matrix(
      {"store_matrix_sync", __to, __stride, __simulator::__elements_of_16_bytes<__T>},
      {__file, __line});
  for (unsigned __i = 0; __i < __Shape::__in_lane; ++__i) {
    __to[__simulator::__offset_in_memory<__Shape>(__i, __stride, __layout == mem_row_major)] =
        __fragment.x[__i];
  }
}

// d = a b + c; d and c may be the same.
template <int __m, int __n, int __k, typename __T, typename __A_layout, typename __B_layout,
          typename __To, typename __From>
inline void mma_sync(fragment<accumulator, __m, __n, __k, __To>& __d,
                     const fragment<matrix_a, __m, __n, __k, __T, __A_layout>& __a,
                     const fragment<matrix_b, __m, __n, __k, __T, __B_layout>& __b,
                     const fragment<accumulator, __m, __n, __k, __From>& __c,
                     bool __saturate = false, __SIMULATOR_WHERE) {
  using __simulator::__Element;
  using __simulator::__Number;
  constexpr __Number __inputs = __Element<__T>::__number;
  constexpr bool __integers =
      __inputs == __Number::__signed_char || __inputs == __Number::__unsigned_char;
  constexpr auto __fits = [](__Number __sum) {
    if (__integers) return __sum == __Number::__int;
    return __sum == __Number::__float ||
           (__sum == __Number::__half && __inputs == __Number::__half);
  };
  static_assert(__fits(__Element<__To>::__number) && __fits(__Element<__From>::__number),
                "accumulators are int for char inputs, float or __half for __half, else float");
  const __simulator::__Product __product = {
      "mma_sync", __m, __n, __k, __inputs, __Element<__From>::__number, __Element<__To>::__number,
      __saturate};
  __simulator::__multiply_fragments(__product, __a.x, __b.x, __c.x, __d.x, {__file, __line});
}

}  // namespace wmma
}  // namespace nvcuda

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_MMA_H_
