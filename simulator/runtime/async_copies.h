// File: async_copies.h
//
// Copies that the threads of a block have begun and not waited for (simulator/async_copy.h).

#ifndef ANDREA_SIMULATOR_RUNTIME_ASYNC_COPIES_H_
#define ANDREA_SIMULATOR_RUNTIME_ASYNC_COPIES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulator {

struct AsyncCopy {
  void* to = nullptr;            // shared memory
  const void* from = nullptr;    // global memory
  std::size_t bytes = 0;         // of the destination
  std::size_t source_bytes = 0;  // the rest is zero
  unsigned thread = 0;           // of the block, that began it
  std::uintptr_t code = 0;       // where it began it
  std::uint64_t number = 0;      // in the order of the block's copies
  bool bound = false;            // to a barrier object, not to be waited for by its thread
};

// What does not wait yet holds this in every byte.
inline constexpr unsigned char kNotArrived = 0xff;

// The copies that a block's threads have begun and not waited for.
class AsyncCopies {
 public:
  void clear();  // forgets all of them

  const AsyncCopy& begin(AsyncCopy copy);  // the copy as it is kept
  // What the thread has begun since its last commit is one group.
  void commit(unsigned thread);
  // All of the thread's groups but the last ones; the caller completes them.
  std::vector<AsyncCopy> take(unsigned thread, unsigned last_groups);
  // Those of no group yet.
  std::vector<AsyncCopy> take_uncommitted(unsigned thread);

 private:
  struct Pending {
    AsyncCopy copy;
    std::uint64_t group = 0;
  };
  struct Thread {
    std::vector<Pending> copies;  // oldest first
    std::uint64_t groups = 0;     // committed so far
  };

  std::vector<Thread> threads_;
  std::vector<unsigned> used_;  // threads with entries since the last clear
  std::uint64_t begun_ = 0;
};

// The bytes arrive.
void arrive(const AsyncCopy& copy);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_ASYNC_COPIES_H_
