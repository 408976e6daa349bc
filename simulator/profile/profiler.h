// File: profiler.h
//
// Counts what kernels ask of memory. It sees what the checker sees, in its place: every load and
// store of the check build, barriers, collectives. One of the two watches at a time, since both
// would cost the time of both and few programs want them together.
//
// GPU threads run one after another, so the lanes of a warp are put together afterwards: each
// lane's addresses are kept, by instruction, until the warp meets, and are then gone through round
// by round, all lanes' first ones, all lanes' second ones. See lane_log.h for what that takes.

#ifndef ANDREA_SIMULATOR_PROFILE_PROFILER_H_
#define ANDREA_SIMULATOR_PROFILE_PROFILER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simulator/profile/lane_log.h"
#include "simulator/profile/profile.h"
#include "simulator/profile/request_cost.h"
#include "simulator/profile/sector_set.h"
#include "simulator/runtime/block.h"
#include "simulator/runtime/observer.h"

namespace simulator {

class Profiler : public Observer {
 public:
  // How memory is touched.
  enum class Access : std::uint8_t { load, store, atomic, atomic_load };

  Profiler();

  // From now on what launches ask for is added to the profile too.
  void add_to(Profile* profile);
  // From now on no more.
  void add_no_more_to(Profile* profile);

  // A thread of the running block touches memory.
  void access(std::uintptr_t address, unsigned bytes, Access what, std::uintptr_t code);
  // One of any size, which a GPU does in pieces of at most so many bytes.
  void range(std::uintptr_t address, std::size_t bytes, Access what, std::uintptr_t code,
             unsigned most = 4);

  // The running thread comes to a piece of code without a branch in it.
  void execute(std::uintptr_t code);

  void grid_begins(Grid& grid) override;
  void grid_ends(Grid& grid) override;
  void block_begins(Block& block) override;
  void block_ends(Block& block) override;
  void block_leaves(Block& block) override;
  void block_returns(Block& block) override;
  void thread_ends(Block& block) override;
  void barrier_completes(Block& block) override;
  void grid_barrier_completes(Grid& grid) override;
  void collective_completes(Block& block, unsigned first_thread, std::uint32_t present,
                            std::uint32_t mask) override;
  void copy_begins(Block& block, const AsyncCopy& copy) override;
  void fence(Block& block, __simulator::__Scope scope) override;
  // Its bytes count as touched by nobody yet.
  void allocated(const Allocation& allocation) override;
  // Its bytes count no longer.
  void freed(const Allocation& allocation) override;
  void memory_used(const char* by, const std::vector<MemoryUse>& uses)
      override;  // what a library's function touches counts too

 private:
  struct Span {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    bool contains(std::uintptr_t address) const { return address - begin < bytes; }
  };
  struct Log {
    bool open = false;
    WarpLog lanes;
  };
  struct Warp {
    unsigned lanes = 0;                      // that exist
    std::vector<std::unique_ptr<Log>> logs;  // by the index of the instruction
    std::vector<std::uint32_t> open;         // those that hold addresses
  };
  struct Cached {
    std::uint64_t key = 0;
    std::uint32_t index = 0;
  };

  static Span program_variables();

  // An atomic is written as a load and a compare-and-swap where the CPU has no instruction for it.
  void settle_atomic_load();
  void log(Block& block, unsigned thread, std::uintptr_t address, unsigned bytes, Access what,
           std::uintptr_t code);
  LaneLog& lane_log(unsigned thread, std::uint32_t index);
  std::uint32_t index_of(std::uintptr_t code, AccessKind kind, unsigned bytes);
  void set_up_warps(const Block& block);
  void fold(Warp& warp);
  void fold(const Warp& warp, InstructionCounts& instruction, const WarpLog& log);
  void fold_all();
  void count(InstructionCounts& instruction, const Request& request, std::uint64_t times);
  void tell_of_writes(Observer& other);

  Span device_;
  Span variables_;
  Span static_shared_;
  Span dynamic_shared_;
  SectorSet device_read_;
  SectorSet device_written_;
  SectorSet variables_written_;

  std::vector<Profile*> profiles_;
  Observer* before_ = nullptr;  // who watched before, and will again

  std::vector<InstructionCounts> instructions_;  // of all kernels, with the counts of this launch
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
  std::array<Cached, 1024> cache_{};

  LaunchCounts launch_;
  std::array<Warp, kMaximumThreads / kWarpSize> warps_;  // of the block that runs
  unsigned warp_count_ = 0;
  std::size_t runs_ = 0;  // in all logs

  struct {
    bool there = false;
    Block* block = nullptr;
    unsigned thread = 0;
    std::uintptr_t address = 0;
    unsigned bytes = 0;
    std::uintptr_t code = 0;
  } atomic_load_;
};

// The one that counts now; nullptr while none does.
[[gnu::visibility("hidden")]] extern Profiler* the_profiler;

// The program's only one, made when it is first asked for.
Profiler& profiler();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_PROFILER_H_
