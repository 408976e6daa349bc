// File: profile.h
//
// What launches have asked of memory, added up for each kernel and each of its instructions; and
// from that the counters that people and tests read, by source line.

#ifndef ANDREA_SIMULATOR_PROFILE_PROFILE_H_
#define ANDREA_SIMULATOR_PROFILE_PROFILE_H_

#include <simulator/counters.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "simulator/runtime/grid.h"

namespace simulator {

// The value that most of those that were added had, where one had more than half of them.
struct Majority {
  std::optional<std::int64_t> value;  // nothing where it is not known
  std::uint64_t votes = 0;            // by how many it is ahead of all others

  // Adds `times` times as many; nothing is added to what is not known.
  void add(std::optional<std::int64_t> other, std::uint64_t times) {
    if (other == value) {
      votes += times;
    } else if (votes >= times) {
      votes -= times;
    } else {
      value = other;
      votes = times - votes;
    }
  }
};

struct InstructionCounts {
  std::uintptr_t code = 0;      // where in the program it is
  AccessKind kind{};            // load, store or atomic, and of which memory
  unsigned bytes = 0;           // of one access
  AccessCounters counters;      // what the profiler counted
  Majority stride;              // of the requests that waste sectors or wavefronts
  std::size_t local_bytes = 0;  // that its launches keep in local memory
};

// What one launch has counted.
struct LaunchCounts {
  std::vector<InstructionCounts> instructions;  // each that touched memory
  std::uint64_t barriers = 0;                   // passed by all threads of a block, counted once
  std::uint64_t barriers_of_fewer = 0;          // passed by a part of the block's threads
  std::uint64_t collectives = 0;                // shuffles, votes and their like
  std::uint64_t ungrouped = 0;              // accesses of lanes that were not where their warp was
  std::uint64_t distinct_sectors_read = 0;  // however often each was read
  std::uint64_t distinct_sectors_written = 0;  // however often each was written
};

// What all launches of a program have counted, by kernel and by line.
class Profile {
 public:
  void add(const Grid& grid,
           const LaunchCounts& counts);  // one launch's counts join those of its kernel
  // In the order of their first launches.
  std::vector<KernelCounters> kernels() const;

 private:
  struct Entry {
    KernelCounters sums;
    std::uint64_t most_threads = 0;
    // By code, kind and bytes.
    std::map<std::tuple<std::uintptr_t, AccessKind, unsigned>, InstructionCounts> instructions;
  };

  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> index_;  // by name
};

// What a line costs: its sectors and wavefronts, the two things that memory can give only so many
// of.
inline std::uint64_t cost(const AccessCounters& counters) {
  return counters.sectors + counters.wavefronts;
}
std::uint64_t cost(const KernelCounters& kernel);

// Less than three quarters of the warps' lanes.
inline bool divergent(const AccessCounters& counters) {
  return counters.lanes * 4 < counters.warp_lanes * 3;
}
// Whether a reader should see it: that code is executed is worth a word only where it diverges.
inline bool worth_showing(const LineCounters& line) {
  return line.kind != AccessKind::execution || divergent(line.counters);
}

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_PROFILE_H_
