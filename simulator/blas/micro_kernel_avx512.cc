#include "simulator/blas/micro_kernel.h"

#pragma GCC target("avx512f,avx512dq,prefer-vector-width=512")

#include "simulator/blas/micro_kernel_loop.h"

namespace simulator::blas {

// 24 sums, two of A and one of B: 27 of 32 registers.
const MicroKernels kAvx512Kernels = micro_kernels_of<64, 12>();

}  // namespace simulator::blas
