// File: micro_kernel.h
//
// The innermost loop of the matrix product: a small tile of sums, held in vector registers, takes
// in one column of A and one row of B at a time. Compiled once for each width of registers.

#ifndef ANDREA_SIMULATOR_BLAS_MICRO_KERNEL_H_
#define ANDREA_SIMULATOR_BLAS_MICRO_KERNEL_H_

#include <cstddef>
#include <cstdint>

namespace simulator::blas {

// `run` adds to the sums, a tile of `rows` x `columns` whose columns lie `leading` apart, the
// product of two packed panels: at each of `depth` steps `rows` numbers of A and `columns` of B.
// Each sum is added to in the order of the steps, whatever the width.
template <typename Number>
struct MicroKernel {
  std::size_t rows = 0;     // of the tile
  std::size_t columns = 0;  // of the tile
  // Adds `depth` products to each sum of the tile.
  void (*run)(const Number* a, const Number* b, std::size_t depth, Number* sums,
              std::size_t leading) = nullptr;
};

// The widest that this machine can run.
template <typename Number>
const MicroKernel<Number>& micro_kernel();

struct MicroKernels {
  MicroKernel<float> of_float;       // float sums
  MicroKernel<double> of_double;     // double sums
  MicroKernel<std::int32_t> of_int;  // sums of int8 products
};
extern const MicroKernels kBaselineKernels;  // for any x86-64
extern const MicroKernels kAvx2Kernels;      // for processors with AVX2 and FMA
extern const MicroKernels kAvx512Kernels;    // for processors with AVX-512

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_MICRO_KERNEL_H_
