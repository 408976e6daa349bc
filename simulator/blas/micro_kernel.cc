#include "simulator/blas/micro_kernel.h"

#include "simulator/blas/micro_kernel_loop.h"

namespace simulator::blas {

const MicroKernels kBaselineKernels = micro_kernels_of<16, 6>();

namespace {

const MicroKernels& best_kernels() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    return kAvx512Kernels;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kAvx2Kernels;
  return kBaselineKernels;
}

}  // namespace

template <>
const MicroKernel<float>& micro_kernel<float>() {
  static const MicroKernel<float>& kernel = best_kernels().of_float;
  return kernel;
}

template <>
const MicroKernel<double>& micro_kernel<double>() {
  static const MicroKernel<double>& kernel = best_kernels().of_double;
  return kernel;
}

template <>
const MicroKernel<std::int32_t>& micro_kernel<std::int32_t>() {
  static const MicroKernel<std::int32_t>& kernel = best_kernels().of_int;
  return kernel;
}

}  // namespace simulator::blas
