// File: cooperative_groups/memcpy_async.h
//
// memcpy_async(group, to, from, bytes): the threads of a group copy together and go on; wait(group)
// waits for all of it and is a sync of the group, wait_prior<n>(group) for all but the last n
// copies. The rules are those of simulator/async_copy.h.

#ifndef ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
#define ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_

#include <cooperative_groups.h>
#include <simulator/groups/thread_scope.h>

#ifdef __CUDACC__

#include <simulator/async_copy.h>

#include <type_traits>

namespace __simulator {

template <typename __Group>
inline void __copy_as_group(const __Group& __group, void* __to, const void* __from,
                            std::size_t __bytes, __Where __where) {
  __begin_group_copy(static_cast<unsigned>(__group.thread_rank()),
                     static_cast<unsigned>(__group.size()), __to, __from, __bytes, __where);
  __commit_copies();
}

// A layout is a number of elements, an integer or an aligned_size_t.
template <typename __T>
constexpr bool __is_layout = std::is_convertible_v<__T, std::size_t>;

}  // namespace __simulator

namespace cooperative_groups {

template <typename __Group, typename __T, typename __Bytes>
inline std::enable_if_t<__simulator::__is_layout<__Bytes>> memcpy_async(const __Group& __group,
                                                                        __T* __to,
                                                                        const __T* __from,
                                                                        const __Bytes& __bytes,
                                                                        __SIMULATOR_WHERE) {
  __simulator::__copy_as_group(__group, __to, __from, static_cast<std::size_t>(__bytes),
                               {__file, __line});
}

// Numbers of elements: as many as both sides have.
template <typename __Group, typename __T, typename __To_layout, typename __From_layout>
inline std::enable_if_t<__simulator::__is_layout<__To_layout>> memcpy_async(
    const __Group& __group, __T* __to, const __To_layout& __to_elements, const __T* __from,
    const __From_layout& __from_elements, __SIMULATOR_WHERE) {
  const auto __room = static_cast<std::size_t>(__to_elements);
  const auto __given = static_cast<std::size_t>(__from_elements);
  __simulator::__copy_as_group(
      __group, __to, __from, (__given < __room ? __given : __room) * sizeof(__T), {__file, __line});
}

template <unsigned __last, typename __Group>
inline void wait_prior(const __Group& __group, __SIMULATOR_WHERE) {
  __simulator::__wait_for_copies(__last);
  __group.sync(__file, __line);
}
template <typename __Group>
inline void wait(const __Group& __group, __SIMULATOR_WHERE) {
  __simulator::__wait_for_copies(0);
  __group.sync(__file, __line);
}

}  // namespace cooperative_groups

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
