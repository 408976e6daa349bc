// File: simulator/counters.h
//
// What kernels ask of a GPU's memory, counted exactly, for tests and experiments:
//
//   simulator::start_counting();
//   transpose<<<grid, block>>>(out, in, n);
//   const simulator::Counters counters = simulator::stop_counting();
//   if (!counters.counted()) GTEST_SKIP() << simulator::kNotCounted;
//   const simulator::KernelCounters& kernel = counters.kernel("transpose");
//   EXPECT_EQ(kernel.of(simulator::AccessKind::global_store).sectors, n * n);
//
// Only kernels of the check build can be counted; the test itself may be compiled plainly. Nothing
// here is a time, and nothing depends on the machine.
//
// While kernels are counted the checker does not watch them: one watcher at a time. What they have
// written counts as written for it afterwards, in whole sectors.
//
// The model. Accesses are counted for each instruction and warp, as a GPU's profiler does. GPU
// threads run one after another here, so lanes are put together by how many times each has executed
// the instruction since the warp last met, at a barrier or in a collective of all its lanes. Where
// lanes go round a loop with an `if` in it in different rounds, hardware may need more requests.
// - Global memory: 32-byte sectors that a request touches. There are no caches: what the threads
//   ask for is what moves.
// - Shared memory: 32 banks of 4 bytes. Lanes that want one word share it. Accesses of 8 bytes go
//   by half-warps, of 16 bytes by quarter-warps. Atomics on one word take turns.
// - Loads from __device__ and __constant__ variables are apart, since the simulator cannot tell the
//   one from the other; stores and atomics go to the first kind, which is global memory.
// - Code is counted in pieces that have no branch in them: of `execution`, lanes and warp_lanes
// tell
//   how much of the warps went through the code, which is what divergence is.
// - Local memory is seen only where the address of an array leaves its function.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_COUNTERS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_COUNTERS_H_

#include <vector_types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace simulator {

enum class AccessKind : unsigned char {
  global_load,
  global_store,
  global_atomic,
  shared_load,
  shared_store,
  shared_atomic,
  variable_load,  // of __device__ and __constant__ variables
  local,          // arrays of one thread that lie in memory
  execution,      // no access: a piece of code without a branch in it is gone through
};
inline constexpr std::size_t kAccessKinds = 9;
inline constexpr std::size_t kSectorBytes = 32;

struct AccessCounters {
  std::uint64_t requests = 0;    // instructions, once for each warp that executes one
  std::uint64_t lanes = 0;       // threads that took part
  std::uint64_t warp_lanes = 0;  // threads that the warps have: equal to lanes without divergence

  std::uint64_t sectors = 0;        // of global memory
  std::uint64_t least_sectors = 0;  // that could hold the bytes that each request asks for

  std::uint64_t wavefronts = 0;        // passes through the banks of shared memory
  std::uint64_t least_wavefronts = 0;  // one for each 32, 16 or 8 lanes, by the size of the access

  std::uint64_t turns = 0;  // atomics alone: the most lanes of a request that want one address

  AccessCounters& operator+=(const AccessCounters& other);
};

// The accesses of one kind on one source line that behave alike.
struct LineCounters {
  std::string file;
  int line = 0;  // 0 where the program has no debug information
  AccessKind kind{};
  unsigned bytes = 0;  // of a lane's access
  AccessCounters counters;
  // How far apart in bytes the addresses of neighbouring threads are, most often, where sectors or
  // wavefronts are wasted; none where nothing is wasted or the addresses are scattered.
  std::optional<std::int64_t> stride;
  std::size_t local_bytes = 0;  // local memory alone: what one instruction reaches in one thread
};

struct KernelCounters {
  std::string name;  // "scale<float>"

  std::uint64_t launches = 0;
  std::uint64_t unfinished_launches = 0;  // ended by a fault: counted as far as they came
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
  std::uint64_t barriers = 0;  // of blocks, each time one is passed
  // Of these: passed by what was left of a block, since threads of it had returned. It is a barrier
  // in a branch, if the others have not returned before the branch.
  std::uint64_t barriers_of_fewer = 0;
  std::uint64_t collectives = 0;  // of warps: shuffles, votes, __syncwarp

  // Of the launch with the most threads.
  dim3 grid{};
  dim3 block{};
  std::size_t shared_bytes = 0;  // static and dynamic
  int resident_blocks = 0;  // that a multiprocessor of the simulated GPU holds; registers unknown
  double occupancy = 0;     // of the warps that it could hold

  std::array<AccessCounters, kAccessKinds> accesses{};
  std::uint64_t distinct_sectors_read = 0;  // of global memory, summed over the launches
  std::uint64_t distinct_sectors_written = 0;
  // Accesses that could not be put together into warps, and are in no other number: a thread made
  // many millions of irregular ones before its warp met.
  std::uint64_t ungrouped = 0;

  std::vector<LineCounters> lines;  // those that cost most first

  const AccessCounters& of(AccessKind kind) const {
    return accesses[static_cast<std::size_t>(kind)];
  }
  // Between the threads and global memory.
  std::uint64_t bytes_moved() const;
  // If every sector were read once and written once in a launch.
  std::uint64_t least_bytes_moved() const;
};

inline constexpr const char* kNotCounted =
    "nothing was counted: only kernels of the check build can be";

class Counters {
 public:
  Counters() = default;
  explicit Counters(std::vector<KernelCounters> kernels)
      : counted_(true), kernels_(std::move(kernels)) {}

  // Whether the program has kernels of the check build. Where not, the rest throws.
  bool counted() const { return counted_; }

  // In the order of their first launches.
  const std::vector<KernelCounters>& kernels() const&;
  std::vector<KernelCounters> kernels() && { return kernels(); }  // of a temporary
  // By name, without regard to spaces. Throws std::out_of_range, with the names that there are.
  const KernelCounters& kernel(const std::string& name) const&;
  KernelCounters kernel(const std::string& name) && { return kernel(name); }
  // All kernels together, with neither name nor lines nor what is of one launch.
  KernelCounters total() const;

 private:
  bool counted_ = false;
  std::vector<KernelCounters> kernels_;
};

// Both wait for what has been launched. Starting again forgets what was counted.
void start_counting();
// Throws std::logic_error where nobody has started.
Counters stop_counting();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_COUNTERS_H_
