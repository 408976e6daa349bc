// File: cuda_pipeline_primitives.h
//
// Asynchronous copies from global to shared memory as plain functions: begin, commit, wait. The
// rules are those of simulator/async_copy.h.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_PIPELINE_PRIMITIVES_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_PIPELINE_PRIMITIVES_H_

#ifdef __CUDACC__

#include <cuda_awbarrier_primitives.h>
#include <simulator/async_copy.h>

// 4, 8 or 16 bytes; the last `__zeros` of them are not copied but zero.
inline void __pipeline_memcpy_async(void* __to, const void* __from, std::size_t __bytes,
                                    std::size_t __zeros = 0, __SIMULATOR_WHERE) {
  __simulator::__begin_small_copy(__to, __from, __bytes, __bytes - __zeros, {__file, __line});
}
inline void __pipeline_commit() { __simulator::__commit_copies(); }
inline void __pipeline_wait_prior(std::size_t __last_groups) {
  __simulator::__wait_for_copies(static_cast<unsigned>(__last_groups));
}
inline void __pipeline_arrive_on(__mbarrier_t* __barrier, __SIMULATOR_WHERE) {
  __simulator::__bind_copies(__barrier, {__file, __line});
}

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_PIPELINE_PRIMITIVES_H_
