// File: cooperative_groups/scan.h
//
// inclusive_scan(group, value, operation) and exclusive_scan: each thread of a tile or a coalesced
// group gets the reduced value of the ranks up to its own, or below it. Rank 0 of an exclusive scan
// gets a value-initialised one. Without an operation they add.

#ifndef ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_SCAN_H_
#define ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_SCAN_H_

#include <cooperative_groups.h>
#include <simulator/groups/functional.h>

#ifdef __CUDACC__

#include <type_traits>

namespace __simulator {

// Doubles the distance in each step.
template <typename __Result, typename __Group, typename __Operation>
inline __Result __scan(const __Group& __group, __Result __value, __Operation& __operation,
                       __Where __where) {
  const unsigned __rank = __group.thread_rank();
  for (unsigned __distance = 1; __distance < __group.num_threads(); __distance *= 2) {
    const __Result __lower = __group.shfl_up(__value, __distance, __where.__file, __where.__line);
    if (__distance <= __rank) __value = __operation(__value, __lower);
  }
  return __value;
}

}  // namespace __simulator

namespace cooperative_groups {

template <typename __Group, typename __T, typename __Operation>
inline auto inclusive_scan(const __Group& __group, __T&& __value, __Operation&& __operation,
                           __SIMULATOR_WHERE)
    -> std::decay_t<decltype(__operation(__value, __value))> {
  using __Result = std::decay_t<decltype(__operation(__value, __value))>;
  return __simulator::__scan<__Result>(__group, __value, __operation, {__file, __line});
}
template <typename __Group, typename __T>
inline std::decay_t<__T> inclusive_scan(const __Group& __group, __T&& __value, __SIMULATOR_WHERE) {
  return inclusive_scan(__group, __value, plus<std::decay_t<__T>>(), __file, __line);
}

template <typename __Group, typename __T, typename __Operation>
inline auto exclusive_scan(const __Group& __group, __T&& __value, __Operation&& __operation,
                           __SIMULATOR_WHERE)
    -> std::decay_t<decltype(__operation(__value, __value))> {
  using __Result = std::decay_t<decltype(__operation(__value, __value))>;
  const __Result __inclusive =
      __simulator::__scan<__Result>(__group, __value, __operation, {__file, __line});
  const __Result __lower = __group.shfl_up(__inclusive, 1, __file, __line);
  return __group.thread_rank() == 0 ? __Result{} : __lower;
}
template <typename __Group, typename __T>
inline std::decay_t<__T> exclusive_scan(const __Group& __group, __T&& __value, __SIMULATOR_WHERE) {
  return exclusive_scan(__group, __value, plus<std::decay_t<__T>>(), __file, __line);
}

}  // namespace cooperative_groups

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_SCAN_H_
