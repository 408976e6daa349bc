// File: simulator/groups/partition.h
//
// Groups from groups: tiles of a size known at compile time or at run time, and the lanes that
// agree on a label or a predicate.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_PARTITION_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_PARTITION_H_

#include <simulator/groups/warp_groups.h>

#include <type_traits>

namespace cooperative_groups {

template <unsigned __Size, typename __Parent>
inline thread_block_tile<__Size, __Parent> tiled_partition(const __Parent&) {
  return __simulator::__Group_access::__tile<thread_block_tile<__Size, __Parent>>();
}

inline thread_block_tile<1, void> this_thread() {
  return thread_block_tile<1, void>(tiled_partition<1>(this_thread_block()));
}

}  // namespace cooperative_groups

namespace __simulator {

inline void __check_tile_size(unsigned __size, __Where __where) {
  if (__size != 0 && __size <= 32 && (__size & (__size - 1)) == 0) return;
  __refuse("tile-size", "a tile of this size is not possible",
           "tiled_partition takes 1, 2, 4, 8, 16 or 32 threads: a power of two, within one warp.",
           __where);
}

inline cooperative_groups::coalesced_group __tile_of_block(unsigned __size) {
  const unsigned __self = __linear_thread();
  const unsigned __threads = __block_threads();
  const unsigned __first = __self / __size * __size;
  const unsigned __count = __threads - __first < __size ? __threads - __first : __size;
  return __Group_access::__lanes(__lanes_from(__first % 32, __count), true, __self / __size,
                                 (__threads + __size - 1) / __size);
}

// Ranks 0 to size-1, the next size ranks, and so on.
inline cooperative_groups::coalesced_group __tile_of_lanes(
    const cooperative_groups::thread_group& __parent, unsigned __size) {
  const unsigned __mask = __Group_access::__mask(__parent);
  const auto __threads = static_cast<unsigned>(__parent.size());
  const auto __rank = static_cast<unsigned>(__parent.thread_rank());
  const unsigned __meta_rank = __rank / __size;
  unsigned __lanes = 0;
  unsigned __at = 0;
  for (unsigned __rest = __mask; __rest != 0; __rest &= __rest - 1, ++__at) {
    if (__at / __size == __meta_rank) __lanes |= __rest & -__rest;
  }
  return __Group_access::__lanes(__lanes, __Group_access::__is_tile(__parent), __meta_rank,
                                 (__threads + __size - 1) / __size);
}

// Parts are numbered by the predicate, unless all threads agree.
template <typename __Group>
inline cooperative_groups::coalesced_group __same_predicate(const __Group& __group,
                                                            bool __predicate, __Where __where) {
  const unsigned __mask = __Group_access::__mask(__group);
  const unsigned __true = __ballot_sync(__mask, __predicate, __where.__file, __where.__line);
  if (__true == 0 || (__true & __mask) == __mask) return __Group_access::__lanes(__mask);
  return __Group_access::__lanes(__predicate ? __true : __mask & ~__true, false, __predicate, 2);
}

// The part of the group whose threads have the same label; parts are numbered by their first lanes.
template <typename __Group, typename __Label>
inline cooperative_groups::coalesced_group __same_label(const __Group& __group, __Label __label,
                                                        __Where __where) {
  const unsigned __mask = __Group_access::__mask(__group);
  const unsigned __part = __match_any_sync(__mask, __label, __where.__file, __where.__line);
  const unsigned __first = __part & -__part;
  const unsigned __firsts =
      __ballot_sync(__mask, __first == 1u << __lane(), __where.__file, __where.__line);
  return __Group_access::__lanes(__part, false, __population(__firsts & (__first - 1)),
                                 __population(__firsts));
}

template <typename __Label>
inline auto __label_bits(__Label __label) {
  static_assert(std::is_integral_v<__Label> || std::is_pointer_v<__Label>,
                "the label of labeled_partition is an integer or a pointer");
  if constexpr (std::is_pointer_v<__Label>) {
    return reinterpret_cast<unsigned long long>(__label);
  } else if constexpr (sizeof(__Label) == 8) {
    return static_cast<unsigned long long>(__label);
  } else {
    return static_cast<unsigned>(__label);
  }
}

}  // namespace __simulator

namespace cooperative_groups {

inline thread_group tiled_partition(const thread_block&, unsigned __size, __SIMULATOR_WHERE) {
  __simulator::__check_tile_size(__size, {__file, __line});
  return __simulator::__tile_of_block(__size);
}

inline coalesced_group tiled_partition(const coalesced_group& __parent, unsigned __size,
                                       __SIMULATOR_WHERE) {
  __simulator::__check_tile_size(__size, {__file, __line});
  if (__parent.size() <= __size) return __parent;
  return __simulator::__tile_of_lanes(__parent, __size);
}

inline thread_group tiled_partition(const thread_group& __parent, unsigned __size,
                                    __SIMULATOR_WHERE) {
  __simulator::__check_tile_size(__size, {__file, __line});
  if (__simulator::__Group_access::__kind(__parent) != __simulator::__Group_kind::__lanes) {
    return __simulator::__tile_of_block(__size);
  }
  if (__parent.size() <= __size) return __parent;
  return __simulator::__tile_of_lanes(__parent, __size);
}

inline coalesced_group binary_partition(const coalesced_group& __group, bool __predicate,
                                        __SIMULATOR_WHERE) {
  return __simulator::__same_predicate(__group, __predicate, {__file, __line});
}
template <unsigned __Size, typename __Parent>
inline coalesced_group binary_partition(const thread_block_tile<__Size, __Parent>& __group,
                                        bool __predicate, __SIMULATOR_WHERE) {
  return __simulator::__same_predicate(__group, __predicate, {__file, __line});
}

template <typename __Label>
inline coalesced_group labeled_partition(const coalesced_group& __group, __Label __label,
                                         __SIMULATOR_WHERE) {
  return __simulator::__same_label(__group, __simulator::__label_bits(__label), {__file, __line});
}
template <typename __Label, unsigned __Size, typename __Parent>
inline coalesced_group labeled_partition(const thread_block_tile<__Size, __Parent>& __group,
                                         __Label __label, __SIMULATOR_WHERE) {
  return __simulator::__same_label(__group, __simulator::__label_bits(__label), {__file, __line});
}

}  // namespace cooperative_groups

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_PARTITION_H_
