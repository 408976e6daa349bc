// File: simulator/groups/invoke.h
//
// One thread of a group calls a function: invoke_one, and invoke_one_broadcast, which hands the
// result to the others. It is rank 0 here; CUDA leaves open which.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_INVOKE_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_INVOKE_H_

#include <simulator/groups/warp_groups.h>

#include <type_traits>
#include <utility>

namespace __simulator {

// A value of a type that may have no default constructor.
template <typename __T>
struct __Maybe {
  alignas(__T) unsigned char __bytes[sizeof(__T)];
};

// No sync round the call, as in CUDA.
template <typename __Group, typename __Function, typename... __Arguments>
inline auto __one_for_all(const __Group& __group, __Function&& __function,
                          __Arguments&&... __arguments) {
  using __Result = std::decay_t<decltype(std::forward<__Function>(__function)(
      std::forward<__Arguments>(__arguments)...))>;
  static_assert(!std::is_void_v<__Result>, "a function without a result is for invoke_one");
  static_assert(std::is_trivially_copyable_v<__Result>, "a shuffle copies bytes");
  __Maybe<__Result> __result = {};
  if (__group.thread_rank() == 0) {
    const __Result __value =
        std::forward<__Function>(__function)(std::forward<__Arguments>(__arguments)...);
    __builtin_memcpy(&__result, &__value, sizeof(__Result));
  }
  __result = __group.shfl(__result, 0);
  return *reinterpret_cast<const __Result*>(__result.__bytes);
}

}  // namespace __simulator

namespace cooperative_groups {

template <typename __Group, typename __Function, typename... __Arguments>
inline void invoke_one(const __Group& __group, __Function&& __function,
                       __Arguments&&... __arguments) {
  if (__group.thread_rank() == 0) {
    std::forward<__Function>(__function)(std::forward<__Arguments>(__arguments)...);
  }
}

template <typename __Function, typename... __Arguments>
inline auto invoke_one_broadcast(const coalesced_group& __group, __Function&& __function,
                                 __Arguments&&... __arguments) {
  return __simulator::__one_for_all(__group, std::forward<__Function>(__function),
                                    std::forward<__Arguments>(__arguments)...);
}
template <unsigned __Size, typename __Parent, typename __Function, typename... __Arguments>
inline auto invoke_one_broadcast(const thread_block_tile<__Size, __Parent>& __group,
                                 __Function&& __function, __Arguments&&... __arguments) {
  return __simulator::__one_for_all(__group, std::forward<__Function>(__function),
                                    std::forward<__Arguments>(__arguments)...);
}

}  // namespace cooperative_groups

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_INVOKE_H_
