// File: simulator/groups/thread_group.h
//
// thread_group, which holds any group whose kind is known only at run time: the block, the grid, or
// some lanes of a warp.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_THREAD_GROUP_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_THREAD_GROUP_H_

#include <simulator/synchronization.h>
#include <simulator/thread.h>
#include <simulator/warp.h>

namespace __simulator {

enum class __Group_kind : unsigned char { __block, __grid, __lanes };

// How other headers see a group's lanes.
struct __Group_access;

inline unsigned __block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned long long __grid_blocks() {
  return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}
inline unsigned long long __linear_block() {
  return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
         blockIdx.x;
}

inline unsigned __population(unsigned __mask) {
  return static_cast<unsigned>(__builtin_popcount(__mask));
}

// Lanes `first` to `first + count - 1`.
inline unsigned __lanes_from(unsigned __first, unsigned __count) {
  return (__count >= 32 ? ~0u : (1u << __count) - 1) << __first;
}

}  // namespace __simulator

namespace cooperative_groups {

class thread_group {
 public:
  void sync(__SIMULATOR_WHERE) const {
    switch (__kind_) {
      case __simulator::__Group_kind::__block:
        return __syncthreads(__file, __line);
      case __simulator::__Group_kind::__grid:
        return __simulator::__grid_barrier({__file, __line});
      case __simulator::__Group_kind::__lanes:
        return __syncwarp(__mask_, __file, __line);
    }
  }

  // nvcc could not link it: NVIDIA's header declares it, and defines size() alone.
  unsigned long long num_threads() const = delete;
  unsigned long long size() const {
    switch (__kind_) {
      case __simulator::__Group_kind::__block:
        return __simulator::__block_threads();
      case __simulator::__Group_kind::__grid:
        return __simulator::__grid_blocks() * __simulator::__block_threads();
      default:
        return __simulator::__population(__mask_);
    }
  }

  unsigned long long thread_rank() const {
    switch (__kind_) {
      case __simulator::__Group_kind::__block:
        return __simulator::__linear_thread();
      case __simulator::__Group_kind::__grid:
        return __simulator::__linear_block() * __simulator::__block_threads() +
               __simulator::__linear_thread();
      default:
        return __rank_in_mask();
    }
  }

 protected:
  friend struct __simulator::__Group_access;

  explicit thread_group(__simulator::__Group_kind __kind) : __kind_(__kind) {}
  // Some lanes of the caller's warp. `__tile`: they are neighbours, and their first lane is a
  // multiple of their number.
  thread_group(unsigned __mask, bool __tile, unsigned __meta_rank, unsigned __meta_size)
      : __kind_(__simulator::__Group_kind::__lanes),
        __tile_(__tile),
        __mask_(__mask),
        __meta_rank_(__meta_rank),
        __meta_size_(__meta_size) {}

  unsigned __rank_in_mask() const {
    return __simulator::__population(__mask_ & ((1u << __simulator::__lane()) - 1));
  }

  __simulator::__Group_kind __kind_;
  bool __tile_ = false;
  unsigned __mask_ = 0;
  unsigned __meta_rank_ = 0;
  unsigned __meta_size_ = 1;
};

// The same by functions, for any group.
template <typename __Group>
inline void sync(const __Group& __group, __SIMULATOR_WHERE) {
  __group.sync(__file, __line);
}
template <typename __Group>
inline auto thread_rank(const __Group& __group) -> decltype(__group.thread_rank()) {
  return __group.thread_rank();
}
template <typename __Group>
inline auto group_size(const __Group& __group) -> decltype(__group.num_threads()) {
  return __group.num_threads();
}

}  // namespace cooperative_groups

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_THREAD_GROUP_H_
