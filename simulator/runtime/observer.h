// File: observer.h
//
// What the checker and the profiler hear of a running program. There is none in the fast build:
// then each of these events costs one comparison.

#ifndef ANDREA_SIMULATOR_RUNTIME_OBSERVER_H_
#define ANDREA_SIMULATOR_RUNTIME_OBSERVER_H_

#include <simulator/synchronization.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/runtime/memory.h"

namespace simulator {

class Block;
struct AsyncCopy;
struct Grid;
struct MemoryUse;

class Observer {
 public:
  virtual ~Observer() = default;

  // A launch: kernels of one program run one at a time.
  virtual void grid_begins(Grid& grid) = 0;
  virtual void grid_ends(Grid& grid) = 0;
  virtual void block_begins(Block& block) = 0;
  virtual void block_ends(Block& block) = 0;
  // Another block runs on the OS thread before this one has ended, and uses its shared memory.
  virtual void block_leaves(Block& block) = 0;
  virtual void block_returns(Block& block) = 0;
  // The running thread has returned from the kernel.
  virtual void thread_ends(Block& block) = 0;

  // All threads of the block that have not finished are at its barrier.
  virtual void barrier_completes(Block& block) = 0;
  // Every block of the grid is at the grid's barrier.
  virtual void grid_barrier_completes(Grid& grid) = 0;
  // `present`: the lanes that take part; `mask`: those that were named.
  virtual void collective_completes(Block& block, unsigned first_thread, std::uint32_t present,
                                    std::uint32_t mask) = 0;
  // The running thread passes a fence.
  virtual void fence(Block& block, __simulator::__Scope scope) = 0;

  // Barrier objects (simulator/arrival.h): one is initialised; the running thread arrives; the last
  // of a phase has arrived; the running thread has waited for one.
  virtual void arrivals_begin(Block&, const void* /*barrier*/) {}
  virtual void arrives(Block&, const void* /*barrier*/) {}
  virtual void phase_completes(Block&, const void* /*barrier*/) {}
  virtual void passes(Block&, const void* /*barrier*/) {}
  // Before the destination changes. At the end of a copy runs the thread that began it and has
  // waited; or, if the copy is bound to a barrier object, the last that has arrived there.
  virtual void copy_begins(Block&, const AsyncCopy&) {}
  virtual void copy_completes(Block&, const AsyncCopy&) {}

  virtual void allocated(const Allocation& allocation) = 0;  // a call has handed out memory
  virtual void freed(const Allocation& allocation) = 0;      // a call has taken it back
  // Fills by the runtime, and kernels of libraries.
  virtual void memory_used(const char* by, const std::vector<MemoryUse>& uses) = 0;
  // A copy by the runtime, before it happens: each of the reads goes where the write of the same
  // index says.
  virtual void memory_copied(const char* by, const std::vector<MemoryUse>& reads,
                             const std::vector<MemoryUse>& writes);
};

// Hidden in the library, so that asking for it is one load.
[[gnu::visibility("hidden")]] extern Observer* the_observer;

// Null where nobody observes.
inline Observer* observer() { return the_observer; }

// To be called before the first kernel.
inline void set_observer(Observer* observer) { the_observer = observer; }

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_OBSERVER_H_
