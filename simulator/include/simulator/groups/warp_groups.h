// File: simulator/groups/warp_groups.h
//
// Groups inside a warp: tiles, and coalesced groups of any lanes. Both number their threads from 0,
// so that shuffles name a rank, and the bits of ballots and matches stand for ranks.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_WARP_GROUPS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_WARP_GROUPS_H_

#include <simulator/groups/block_and_grid.h>

namespace __simulator {

// The collectives, for a group that tells its mask, the lane of a rank, and how lanes are packed
// into ranks.
template <typename __Group>
class __Warp_group {
 public:
  void sync(__SIMULATOR_WHERE) const { __syncwarp(__self().__mask(), __file, __line); }

  template <typename __T>
  __T shfl(__T __value, int __source_rank, __SIMULATOR_WHERE) const {
    return __exchange(__self().__mask(), __value,
                      __self().__lane_of(static_cast<unsigned>(__source_rank)), {__file, __line});
  }
  template <typename __T>
  __T shfl_down(__T __value, unsigned __delta, __SIMULATOR_WHERE) const {
    const unsigned __rank = __self().thread_rank();
    const bool __inside = __delta < __self().num_threads() - __rank;
    return __exchange(__self().__mask(), __value,
                      __self().__lane_of(__inside ? __rank + __delta : __rank), {__file, __line});
  }
  template <typename __T>
  __T shfl_up(__T __value, unsigned __delta, __SIMULATOR_WHERE) const {
    const unsigned __rank = __self().thread_rank();
    return __exchange(__self().__mask(), __value,
                      __self().__lane_of(__delta <= __rank ? __rank - __delta : __rank),
                      {__file, __line});
  }

  int any(int __predicate, __SIMULATOR_WHERE) const {
    return __any_sync(__self().__mask(), __predicate, __file, __line);
  }
  int all(int __predicate, __SIMULATOR_WHERE) const {
    return __all_sync(__self().__mask(), __predicate, __file, __line);
  }
  unsigned ballot(int __predicate, __SIMULATOR_WHERE) const {
    return __self().__ranks_of(__ballot_sync(__self().__mask(), __predicate, __file, __line));
  }
  template <typename __T>
  unsigned match_any(__T __value, __SIMULATOR_WHERE) const {
    return __self().__ranks_of(__match_any_sync(__self().__mask(), __value, __file, __line));
  }
  template <typename __T>
  unsigned match_all(__T __value, int& __predicate, __SIMULATOR_WHERE) const {
    return __self().__ranks_of(
        __match_all_sync(__self().__mask(), __value, &__predicate, __file, __line));
  }

 private:
  const __Group& __self() const { return static_cast<const __Group&>(*this); }
};

// The lane of the set bit number `rank`.
inline unsigned __lane_of_rank(unsigned __mask, unsigned __rank) {
  if (__mask == ~0u) return __rank % 32;
  for (unsigned __rest = __mask; __rest != 0; __rest &= __rest - 1) {
    if (__rank-- == 0) return static_cast<unsigned>(__builtin_ctz(__rest));
  }
  return __lane();  // no such rank: the caller's own value
}

// Bit r of the result is the bit, in `lanes`, of the lane whose rank in `mask` is r.
inline unsigned __packed(unsigned __lanes, unsigned __mask) {
  unsigned __result = 0;
  unsigned __rank = 0;
  for (unsigned __rest = __mask; __rest != 0; __rest &= __rest - 1, ++__rank) {
    if ((__lanes & __rest & -__rest) != 0) __result |= 1u << __rank;
  }
  return __result;
}

}  // namespace __simulator

namespace cooperative_groups {

class coalesced_group : public thread_group, public __simulator::__Warp_group<coalesced_group> {
  using __Collectives = __simulator::__Warp_group<coalesced_group>;

 public:
  using __Collectives::sync;

  unsigned num_threads() const { return __simulator::__population(__mask_); }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const { return __rank_in_mask(); }
  unsigned meta_group_rank() const { return __meta_rank_; }
  unsigned meta_group_size() const { return __meta_size_; }

 private:
  friend __Collectives;
  friend struct __simulator::__Group_access;

  coalesced_group(unsigned __mask, bool __tile, unsigned __meta_rank, unsigned __meta_size)
      : thread_group(__mask, __tile, __meta_rank, __meta_size) {}

  unsigned __mask() const { return __mask_; }
  unsigned __lane_of(unsigned __rank) const { return __simulator::__lane_of_rank(__mask_, __rank); }
  unsigned __ranks_of(unsigned __lanes) const { return __simulator::__packed(__lanes, __mask_); }
};

template <unsigned __Size, typename __Parent = void>
class thread_block_tile;

}  // namespace cooperative_groups

namespace __simulator {

template <unsigned __Size, typename __Tile>
class __Tile_lanes : public __Warp_group<__Tile> {
  static_assert(__Size != 0 && (__Size & (__Size - 1)) == 0,
                "the size of a tile is a power of two");
  static_assert(
      __Size <= 32,
      "the simulator has tiles of at most 32 threads, those of one warp; use the block, or "
      "__shared__ memory and its sync, for more");

 public:
  static constexpr unsigned num_threads() { return __Size; }
  static constexpr unsigned size() { return __Size; }
  static unsigned thread_rank() { return __linear_thread() % __Size; }

  template <typename __T>
  __T shfl_xor(__T __value, unsigned __rank_mask, __SIMULATOR_WHERE) const {
    const unsigned __other = thread_rank() ^ __rank_mask;
    return __exchange(__mask(), __value, __lane_of(__other < __Size ? __other : thread_rank()),
                      {__file, __line});
  }

 private:
  friend __Warp_group<__Tile>;
  friend struct __Group_access;

  static unsigned __first() { return __lane() / __Size * __Size; }
  static unsigned __mask() { return __lanes_from(__first(), __Size); }
  static unsigned __lane_of(unsigned __rank) { return __first() + __rank % __Size; }
  static unsigned __ranks_of(unsigned __lanes) { return (__lanes & __mask()) >> __first(); }
};

}  // namespace __simulator

namespace cooperative_groups {

template <unsigned __Size>
class thread_block_tile<__Size, void>
    : public __simulator::__Tile_lanes<__Size, thread_block_tile<__Size, void>> {
 public:
  template <typename __Parent>
  thread_block_tile(const thread_block_tile<__Size, __Parent>& __tile)
      : __meta_rank_(__tile.meta_group_rank()), __meta_size_(__tile.meta_group_size()) {}

  unsigned meta_group_rank() const { return __meta_rank_; }
  unsigned meta_group_size() const { return __meta_size_; }

 private:
  friend __simulator::__Warp_group<thread_block_tile<__Size, void>>;

  unsigned __meta_rank_;
  unsigned __meta_size_;
};

template <unsigned __Size>
class thread_block_tile<__Size, thread_block>
    : public __simulator::__Tile_lanes<__Size, thread_block_tile<__Size, thread_block>> {
 public:
  static unsigned meta_group_rank() { return __simulator::__linear_thread() / __Size; }
  static unsigned meta_group_size() {
    return (__simulator::__block_threads() + __Size - 1) / __Size;
  }

 private:
  friend struct __simulator::__Group_access;
  friend __simulator::__Warp_group<thread_block_tile<__Size, thread_block>>;

  thread_block_tile() = default;
};

template <unsigned __Size, unsigned __Parent_size, typename __Grandparent>
class thread_block_tile<__Size, thread_block_tile<__Parent_size, __Grandparent>>
    : public __simulator::__Tile_lanes<
          __Size, thread_block_tile<__Size, thread_block_tile<__Parent_size, __Grandparent>>> {
  static_assert(__Size < __Parent_size, "a tile is smaller than the tile that it is a part of");

 public:
  static unsigned meta_group_rank() {
    return __simulator::__linear_thread() % __Parent_size / __Size;
  }
  static unsigned meta_group_size() { return __Parent_size / __Size; }

 private:
  friend struct __simulator::__Group_access;
  friend __simulator::__Warp_group<thread_block_tile>;

  thread_block_tile() = default;
};

}  // namespace cooperative_groups

namespace __simulator {

struct __Group_access {
  template <typename __Tile>
  static __Tile __tile() {
    return __Tile();
  }
  static cooperative_groups::coalesced_group __lanes(unsigned __mask, bool __tile = false,
                                                     unsigned __meta_rank = 0,
                                                     unsigned __meta_size = 1) {
    return cooperative_groups::coalesced_group(__mask, __tile, __meta_rank, __meta_size);
  }

  static __Group_kind __kind(const cooperative_groups::thread_group& __group) {
    return __group.__kind_;
  }
  static bool __is_tile(const cooperative_groups::thread_group& __group) { return __group.__tile_; }
  static unsigned __mask(const cooperative_groups::thread_group& __group) {
    return __group.__mask_;
  }
  template <unsigned __Size, typename __Parent>
  static unsigned __mask(const cooperative_groups::thread_block_tile<__Size, __Parent>& __tile) {
    return __tile.__mask();
  }
};

}  // namespace __simulator

namespace cooperative_groups {

// The lanes of the caller's warp that are at this call together.
inline coalesced_group coalesced_threads(__SIMULATOR_WHERE) {
  return __simulator::__Group_access::__lanes(__activemask(__file, __line));
}

}  // namespace cooperative_groups

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_WARP_GROUPS_H_
