// File: simulator/groups/refused.h
//
// Groups that the simulator does not have. Using one is an error of compilation with a sentence.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_REFUSED_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_REFUSED_H_

#include <simulator/groups/thread_group.h>

namespace __simulator {

template <typename __T>
constexpr bool __never = false;

}  // namespace __simulator

namespace cooperative_groups {

// Its members are declared so that the sentence of this_cluster() is the only error.
class cluster_group : public thread_group {
 public:
  struct arrival_token {};

  static void sync();
  static arrival_token barrier_arrive();
  static void barrier_wait();
  static void barrier_wait(arrival_token&&);
  static unsigned thread_rank();
  static unsigned num_threads();
  static unsigned size();
  static unsigned block_rank();
  static unsigned num_blocks();
  static dim3 block_index();
  static dim3 dim_blocks();
  static dim3 thread_index();
  static dim3 dim_threads();
  static unsigned query_shared_rank(const void* __address);
  template <typename __T>
  static __T* map_shared_rank(__T* __address, int __rank);
};

template <typename __T = void>
cluster_group this_cluster() {
  static_assert(__simulator::__never<__T>,
                "the simulator has no thread block clusters (sm_90): let the blocks meet in global "
                "memory, by this_grid().sync() in a cooperative launch");
  __builtin_unreachable();
}

class multi_grid_group : public thread_group {
 public:
  bool is_valid() const;
  unsigned grid_rank() const;
  unsigned num_grids() const;
};

template <typename __T = void>
multi_grid_group this_multi_grid() {
  static_assert(__simulator::__never<__T>,
                "groups of several devices are gone from CUDA (since 13) and are not in the "
                "simulator, which is one device: use this_grid()");
  __builtin_unreachable();
}

}  // namespace cooperative_groups

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_REFUSED_H_
