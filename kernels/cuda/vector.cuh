// File: vector.cuh
//
// A few neighbouring numbers, moved at once: 16 bytes of them where the rows allow it, else one. A
// kernel that is written for Vector<Number, kWidth> serves rows of any length.
//
//   const auto x = load_vector<kWidth>(x_row, vector);   // x_row[vector * kWidth] and what follows
//   sum += to_float(x.values[k]);

#ifndef ANDREA_KERNELS_CUDA_VECTOR_CUH_
#define ANDREA_KERNELS_CUDA_VECTOR_CUH_

#include <cstdint>

#include "kernels/cuda/number.cuh"

namespace andrea::cuda {

template <typename Number, int kWidth>
struct alignas(kWidth * sizeof(Number)) Vector {
  Number values[kWidth];
};

// Vector `index` of a row.
template <int kWidth, typename Number>
__device__ inline Vector<Number, kWidth> load_vector(const Number* row, int index) {
  return reinterpret_cast<const Vector<Number, kWidth>*>(row)[index];
}

template <int kWidth, typename Number>
__device__ inline void store_vector(Number* row, int index, const Vector<Number, kWidth>& vector) {
  reinterpret_cast<Vector<Number, kWidth>*>(row)[index] = vector;
}

// 16 bytes of numbers, and one access of them anywhere that is a multiple of 16.
template <typename Number>
using Packed = Vector<Number, kPacked<Number>>;

template <typename Number>
__device__ inline Packed<Number> load_packed(const Number* from) {
  return load_vector<kPacked<Number>>(from, 0);
}

template <typename Number>
__device__ inline void store_packed(Number* to, const Packed<Number>& packed) {
  store_vector(to, 0, packed);
}

// Where row n of a matrix begins.
template <typename Number>
__device__ inline Number* row_at(Number* matrix, std::int64_t n, int stride) {
  return matrix + n * stride;
}

// Whether rows of so many numbers are made of whole vectors of 16 bytes.
template <typename Number>
constexpr bool is_packed(int C) {
  return C % kPacked<Number> == 0;
}

// Whether 16 bytes may be moved at once from here on.
inline bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_VECTOR_CUH_
