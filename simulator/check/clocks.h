// File: clocks.h
//
// Which accesses are ordered: the happens-before relation of a grid, independent of the order in
// which the simulator happens to run it.
//
// Time is counted for each block: every synchronisation is a tick, and an access carries its
// thread's last tick. An earlier access of the same block is ordered when its tick lies before the
// block's last barrier, or the warp's last sync, or (for a sync of some lanes) what the lanes know
// of each other. Across blocks, and between warps without a barrier, order comes from a fence and
// an atomic alone: the fence marks what the thread has done or knows as publishable, its next
// atomic on a word publishes it there, and a thread that later gets at the word by an atomic knows
// it too. These sets are sparse and are made only in kernels that use fences.

#ifndef ANDREA_SIMULATOR_CHECK_CLOCKS_H_
#define ANDREA_SIMULATOR_CHECK_CLOCKS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simulator/check/region.h"
#include "simulator/runtime/block.h"

namespace simulator {

// What has been published: the ticks before which all accesses of a block, or of a thread, lie.
struct Known {
  std::unordered_map<std::uint32_t, std::uint32_t> blocks;   // by the block's number
  std::unordered_map<std::uint64_t, std::uint32_t> threads;  // block in the upper half

  void add(const Known& other);                   // what either knows is known
  bool before(const AccessRecord& access) const;  // whether that access is known to be over
};
using KnownPointer = std::shared_ptr<const Known>;  // shared, and never changed

// What both know together, as a new object where neither knows it all.
KnownPointer joined(const KnownPointer& one, const KnownPointer& other);

// What threads of one block know that have met at a barrier object: for each thread of the block,
// the tick before which its accesses lie.
struct Meeting {
  std::vector<std::uint32_t> ticks;  // by the thread's number in the block
  KnownPointer known;                // about other blocks
  KnownPointer fenced;               // what each has fenced

  void add(const Meeting& other);             // joins two meetings
  bool includes(const Meeting& other) const;  // whether the other is part of this one
};
using MeetingPointer = std::shared_ptr<const Meeting>;  // shared, and never changed

class BlockClocks {
 public:
  void begin(std::uint32_t block, unsigned threads);  // a new block, whose threads know nothing yet

  // How many times the thread has passed something that orders it.
  std::uint32_t clock(unsigned thread) const {
    return std::max(clock_[thread], std::max(base_, warp_base_[thread / kWarpSize]));
  }

  // Whether `earlier`, by another thread, is ordered before what `thread` does now.
  bool ordered(const AccessRecord& earlier, unsigned thread) const {
    if (earlier.block == block_) {
      if (earlier.clock == tick_) return false;  // nothing has synchronised since
      if (earlier.clock < base_) return true;
      if (earlier.thread() / kWarpSize == thread / kWarpSize) {
        if (earlier.clock < warp_base_[thread / kWarpSize]) return true;
        if (!lanes_.empty() && earlier.clock < lanes_at(thread, earlier.thread())) return true;
      }
    }
    if (known_used_ && known_[thread] != nullptr && known_[thread]->before(earlier)) return true;
    return met_used_ && met_[thread] != nullptr && earlier.block == block_ &&
           earlier.clock < met_[thread]->ticks[earlier.thread()];
  }

  void barrier();  // all threads know what each did before
  // `present`: the lanes that sync; `mask`: those that were named, or have left the kernel.
  void warp_sync(unsigned first_thread, std::uint32_t present, std::uint32_t mask);

  // Adds to `gathering` what the thread has done and knows.
  void arrive(unsigned thread, Meeting& gathering);
  void pass(unsigned thread, const MeetingPointer& meeting);

  // To be told of with the thread's next fence.
  void wrote_global(unsigned thread) { unfenced_[thread] = 1; }
  void fence(unsigned thread);  // what the thread wrote may be told of from here on
  // What an atomic of the thread publishes; nullptr where it has fenced nothing.
  const KnownPointer& publishable(unsigned thread) const { return fenced_[thread]; }
  // The thread knows from here on what has been published.
  void learn(unsigned thread, const KnownPointer& known);

 private:
  MeetingPointer together(const MeetingPointer& one, const MeetingPointer& other) const;
  std::uint32_t& lanes_at(unsigned thread, unsigned other) {
    return lanes_[thread * kWarpSize + other % kWarpSize];
  }
  std::uint32_t lanes_at(unsigned thread, unsigned other) const {
    return lanes_[thread * kWarpSize + other % kWarpSize];
  }

  std::uint32_t block_ = 0;
  unsigned threads_ = 0;
  std::uint32_t tick_ = 1;
  std::uint32_t base_ = 1;  // the tick of the last barrier
  std::vector<std::uint32_t> clock_ = std::vector<std::uint32_t>(kMaximumThreads);
  std::vector<std::uint32_t> warp_base_ = std::vector<std::uint32_t>(kMaximumThreads / kWarpSize);
  // For each thread, what it knows of the lanes of its warp; empty until some lanes sync alone.
  std::vector<std::uint32_t> lanes_;

  bool met_used_ = false;
  std::vector<MeetingPointer> met_ = std::vector<MeetingPointer>(kMaximumThreads);

  bool known_used_ = false;
  std::vector<KnownPointer> known_ = std::vector<KnownPointer>(kMaximumThreads);
  std::vector<KnownPointer> fenced_ = std::vector<KnownPointer>(kMaximumThreads);
  std::vector<unsigned char> unfenced_ = std::vector<unsigned char>(kMaximumThreads);
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_CLOCKS_H_
