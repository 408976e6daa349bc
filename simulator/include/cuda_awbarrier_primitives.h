// File: cuda_awbarrier_primitives.h
//
// The barrier object of <cuda/barrier> as plain functions on 8 bytes of shared memory.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_AWBARRIER_PRIMITIVES_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_AWBARRIER_PRIMITIVES_H_

#ifdef __CUDACC__

#include <simulator/arrival.h>

#include <cstdint>

using __mbarrier_t = std::uint64_t;
using __mbarrier_token_t = std::uint64_t;

inline std::uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
inline void __mbarrier_init(__mbarrier_t* __barrier, std::uint32_t __expected, __SIMULATOR_WHERE) {
  __simulator::__begin_arrivals(__barrier, __expected, {__file, __line});
  *__barrier = __expected;
}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* __barrier, __SIMULATOR_WHERE) {
  return __simulator::__arrive(__barrier, 1, false, {__file, __line});
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* __barrier, __SIMULATOR_WHERE) {
  return __simulator::__arrive(__barrier, 1, true, {__file, __line});
}
// A program asks in a loop, in which others must be let run.
inline bool __mbarrier_test_wait(__mbarrier_t* __barrier, __mbarrier_token_t __token,
                                 __SIMULATOR_WHERE) {
  const bool __completed = __simulator::__has_completed(__barrier, __token, {__file, __line});
  if (!__completed) __simulator::__yield();
  return __completed;
}
inline bool __mbarrier_try_wait(__mbarrier_t* __barrier, __mbarrier_token_t __token, std::uint32_t,
                                __SIMULATOR_WHERE) {
  __simulator::__wait_for_phase(__barrier, __token, {__file, __line});
  return true;
}

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_AWBARRIER_PRIMITIVES_H_
