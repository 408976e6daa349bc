#include "simulator/blas/micro_kernel.h"

#pragma GCC target("avx2,fma")

#include "simulator/blas/micro_kernel_loop.h"

namespace simulator::blas {

// 12 sums, two of A and one of B: 15 of 16 registers.
const MicroKernels kAvx2Kernels = micro_kernels_of<32, 6>();

}  // namespace simulator::blas
