// File: cooperative_groups/reduce.h
//
// reduce(group, value, operation): every thread of a tile or a coalesced group gets the reduced
// value.
//
// The order is that of the hardware's code, so that sums of floating-point numbers agree to the
// bit: a tile (or a coalesced group of 32) exchanges across halves, then quarters, and so on; a
// smaller coalesced group takes the last value of its inclusive scan.

#ifndef ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_REDUCE_H_
#define ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_REDUCE_H_

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <simulator/groups/functional.h>

#ifdef __CUDACC__

namespace __simulator {

template <typename __Result, typename __Operation>
inline __Result __butterfly(unsigned __mask, unsigned __size, __Result __value,
                            __Operation& __operation, __Where __where) {
  for (unsigned __distance = __size / 2; __distance > 0; __distance /= 2) {
    __value = __operation(__value, __exchange(__mask, __value, __lane() ^ __distance, __where));
  }
  return __value;
}

}  // namespace __simulator

namespace cooperative_groups {

template <unsigned __Size, typename __Parent, typename __T, typename __Operation>
inline auto reduce(const thread_block_tile<__Size, __Parent>& __group, __T&& __value,
                   __Operation&& __operation, __SIMULATOR_WHERE)
    -> std::decay_t<decltype(__operation(__value, __value))> {
  using __Result = std::decay_t<decltype(__operation(__value, __value))>;
  return __simulator::__butterfly<__Result>(__simulator::__Group_access::__mask(__group), __Size,
                                            __value, __operation, {__file, __line});
}

template <typename __T, typename __Operation>
inline auto reduce(const coalesced_group& __group, __T&& __value, __Operation&& __operation,
                   __SIMULATOR_WHERE) -> std::decay_t<decltype(__operation(__value, __value))> {
  using __Result = std::decay_t<decltype(__operation(__value, __value))>;
  const unsigned __threads = __group.num_threads();
  if (__threads == 32) {
    return __simulator::__butterfly<__Result>(~0u, 32, __value, __operation, {__file, __line});
  }
  const __Result __scanned =
      __simulator::__scan<__Result>(__group, __value, __operation, {__file, __line});
  return __group.shfl(__scanned, static_cast<int>(__threads - 1), __file, __line);
}

}  // namespace cooperative_groups

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_REDUCE_H_
