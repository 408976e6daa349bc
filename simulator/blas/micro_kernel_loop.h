// File: micro_kernel_loop.h
//
// The loop of micro_kernel.h, for the registers that the file which includes it has asked the
// compiler for. Without a name outside of that file, so that no copy stands in for another.

#ifndef ANDREA_SIMULATOR_BLAS_MICRO_KERNEL_LOOP_H_
#define ANDREA_SIMULATOR_BLAS_MICRO_KERNEL_LOOP_H_

#include "simulator/blas/micro_kernel.h"

namespace simulator::blas {
namespace {

// Two vectors of rows: each number of B that is loaded is used twice.
template <typename Number, std::size_t kVectorBytes, std::size_t kColumns>
void multiply_panels(const Number* a, const Number* b, std::size_t depth, Number* sums,
                     std::size_t leading) {
  constexpr std::size_t kLanes = kVectorBytes / sizeof(Number);
  typedef Number Vector __attribute__((vector_size(kVectorBytes)));
  typedef Number Loaded
      __attribute__((vector_size(kVectorBytes), aligned(alignof(Number)), may_alias));

  Vector upper[kColumns];
  Vector lower[kColumns];
#pragma GCC unroll 12
  for (std::size_t j = 0; j < kColumns; ++j) {
    upper[j] = *reinterpret_cast<const Loaded*>(sums + j * leading);
    lower[j] = *reinterpret_cast<const Loaded*>(sums + j * leading + kLanes);
  }
  for (std::size_t p = 0; p < depth; ++p) {
    const Vector a_upper = *reinterpret_cast<const Loaded*>(a);
    const Vector a_lower = *reinterpret_cast<const Loaded*>(a + kLanes);
#pragma GCC unroll 12
    for (std::size_t j = 0; j < kColumns; ++j) {
      upper[j] += a_upper * b[j];
      lower[j] += a_lower * b[j];
    }
    a += 2 * kLanes;
    b += kColumns;
  }
#pragma GCC unroll 12
  for (std::size_t j = 0; j < kColumns; ++j) {
    *reinterpret_cast<Loaded*>(sums + j * leading) = upper[j];
    *reinterpret_cast<Loaded*>(sums + j * leading + kLanes) = lower[j];
  }
}

template <typename Number, std::size_t kVectorBytes, std::size_t kColumns>
constexpr MicroKernel<Number> micro_kernel_of() {
  return {2 * kVectorBytes / sizeof(Number), kColumns,
          &multiply_panels<Number, kVectorBytes, kColumns>};
}

template <std::size_t kVectorBytes, std::size_t kColumns>
constexpr MicroKernels micro_kernels_of() {
  return {micro_kernel_of<float, kVectorBytes, kColumns>(),
          micro_kernel_of<double, kVectorBytes, kColumns>(),
          micro_kernel_of<std::int32_t, kVectorBytes, kColumns>()};
}

}  // namespace
}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_MICRO_KERNEL_LOOP_H_
