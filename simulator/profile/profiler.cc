#include "simulator/profile/profiler.h"

#include <link.h>
#include <simulator/library_call.h>

#include <algorithm>
#include <bit>

#include "simulator/runtime/async_copies.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/memory.h"
#include "simulator/runtime/shared_memory.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {
namespace {

// 400 MB of addresses. A thread that reads as many places in no order, and does not meet its warp,
// is seen no further.
constexpr std::size_t kMostRuns = std::size_t{1} << 24;

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

enum class Space { global, shared, variable, local };

AccessKind kind_of(Space space, Profiler::Access what) {
  const bool load = what == Profiler::Access::load || what == Profiler::Access::atomic_load;
  const bool atomic = what == Profiler::Access::atomic;
  switch (space) {
    case Space::local:
      return AccessKind::local;
    case Space::shared:
      return load     ? AccessKind::shared_load
             : atomic ? AccessKind::shared_atomic
                      : AccessKind::shared_store;
    case Space::variable:
      if (load) return AccessKind::variable_load;
      break;
    case Space::global:
      if (load) return AccessKind::global_load;
      break;
  }
  return atomic ? AccessKind::global_atomic : AccessKind::global_store;
}

bool is_atomic(AccessKind kind) {
  return kind == AccessKind::global_atomic || kind == AccessKind::shared_atomic;
}

}  // namespace

Profiler* the_profiler = nullptr;

Profiler& profiler() {
  static Profiler* const kProfiler = new Profiler;
  return *kProfiler;
}

// Of the program itself; the loader tells of it first.
Profiler::Span Profiler::program_variables() {
  Span span;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        auto* const found = static_cast<Span*>(result);
        std::uintptr_t begin = ~std::uintptr_t{0};
        std::uintptr_t end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          begin = std::min(begin, info->dlpi_addr + segment.p_vaddr);
          end = std::max(end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        *found = {begin, end - begin};
        return 1;
      },
      &span);
  return span;
}

Profiler::Profiler()
    : device_{use_arena().begin, use_arena().end - use_arena().begin},
      variables_(program_variables()),
      device_read_(device_.begin, device_.bytes),
      device_written_(device_.begin, device_.bytes),
      variables_written_(variables_.begin, variables_.bytes) {}

void Profiler::add_to(Profile* profile) {
  profiles_.push_back(profile);
  if (the_profiler == this) return;
  the_profiler = this;
  before_ = observer();
  set_observer(this);
}

void Profiler::add_no_more_to(Profile* profile) {
  std::erase(profiles_, profile);
  if (!profiles_.empty() || the_profiler != this) return;
  the_profiler = nullptr;
  set_observer(before_);
}

void Profiler::access(std::uintptr_t address, unsigned bytes, Access what, std::uintptr_t code) {
  Block* const block = current_block();
  if (block == nullptr) return;
  if (block->stop_asked()) fault::no_progress(*block, "is running", source_lines(code));
  if (what == Access::atomic_load) {
    settle_atomic_load();
    atomic_load_ = {true, block, block->current_thread(), address, bytes, code};
  } else {
    if (what == Access::atomic && address == atomic_load_.address) atomic_load_.there = false;
    log(*block, block->current_thread(), address, bytes, what, code);
  }
}

void Profiler::range(std::uintptr_t address, std::size_t bytes, Access what, std::uintptr_t code,
                     unsigned most) {
  while (bytes > 0) {
    unsigned some = most;
    while (some > bytes || address % some != 0) some /= 2;
    access(address, some, what, code);
    address += some;
    bytes -= some;
  }
}

void Profiler::settle_atomic_load() {
  if (!atomic_load_.there) return;
  atomic_load_.there = false;
  log(*atomic_load_.block, atomic_load_.thread, atomic_load_.address, atomic_load_.bytes,
      Access::load, atomic_load_.code);
}

void Profiler::log(Block& block, unsigned thread, std::uintptr_t address, unsigned bytes,
                   Access what, std::uintptr_t code) {
  Space space = Space::global;
  std::size_t local_depth = 0;
  if (static_shared_.contains(address) || dynamic_shared_.contains(address)) {
    space = Space::shared;
  } else if (variables_.contains(address)) {
    space = Space::variable;
  } else if (!device_.contains(address)) {
    const Fiber* const fiber = block.current_fiber();
    if (fiber == nullptr) return;
    const std::uintptr_t bottom = address_of(fiber->stack_bottom());
    const std::uintptr_t top = address_of(fiber->stack_top());
    // Else a parameter, threadIdx, or the host's.
    if (address < bottom || address >= top) return;
    space = Space::local;
    local_depth = top - address;
  }
  // The loop of an atomic looks at a variable of its own between the two.
  if (space != Space::local) settle_atomic_load();
  if (runs_ >= kMostRuns) {
    ++launch_.ungrouped;
    return;
  }

  LaneLog& mine = lane_log(thread, index_of(code, kind_of(space, what), bytes));
  if (space == Space::local) {
    // Threads have stacks of their own, so depths are compared, and kept in the place of addresses.
    InstructionCounts& instruction = instructions_[index_of(code, AccessKind::local, bytes)];
    const std::size_t first = mine.empty() ? local_depth : mine.run(0).start;
    const std::size_t reach = first > local_depth ? first - local_depth : local_depth - first;
    instruction.local_bytes = std::max(instruction.local_bytes, reach + bytes);
    address = local_depth;
  }
  runs_ += mine.add(address);
}

void Profiler::execute(std::uintptr_t code) {
  Block* const block = current_block();
  if (block == nullptr) return;
  if (block->stop_asked()) fault::no_progress(*block, "is running", source_lines(code));
  runs_ += lane_log(block->current_thread(), index_of(code, AccessKind::execution, 0)).add(0);
}

inline LaneLog& Profiler::lane_log(unsigned thread, std::uint32_t index) {
  Warp& warp = warps_[thread / kWarpSize];
  if (index >= warp.logs.size()) warp.logs.resize(instructions_.size());
  std::unique_ptr<Log>& log = warp.logs[index];
  if (log == nullptr) log = std::make_unique<Log>();
  if (!log->open) {
    log->open = true;
    warp.open.push_back(index);
  }
  return log->lanes[thread % kWarpSize];
}

std::uint32_t Profiler::index_of(std::uintptr_t code, AccessKind kind, unsigned bytes) {
  const std::uint64_t key = std::uint64_t{code} << 9 | static_cast<unsigned>(kind) << 5 | bytes;
  Cached& cached = cache_[(key ^ key >> 10) * 0x9E3779B97F4A7C15u >> 54];
  if (cached.key == key) return cached.index;
  const auto next = static_cast<std::uint32_t>(instructions_.size());
  const auto [found, added] = index_.emplace(key, next);
  if (added) instructions_.push_back({code, kind, bytes, {}, {}, 0});
  cached = {key, found->second};
  return cached.index;
}

void Profiler::fold_all() {
  settle_atomic_load();
  for (unsigned i = 0; i < warp_count_; ++i) fold(warps_[i]);
}

void Profiler::fold(Warp& warp) {
  for (const std::uint32_t index : warp.open) {
    Log& log = *warp.logs[index];
    fold(warp, instructions_[index], log.lanes);
    for (LaneLog& lane : log.lanes) {
      runs_ -= lane.runs();
      lane.clear();
    }
    log.open = false;
  }
  warp.open.clear();
}

void Profiler::fold(const Warp& warp, InstructionCounts& instruction, const WarpLog& log) {
  const bool global = instruction.kind <= AccessKind::global_atomic;
  for (Rounds rounds(log); rounds.lanes() != 0;) {
    // What banks are in each other's way does not change when all lanes go on by some words.
    const std::uint64_t times = !global && rounds.in_step(4) ? rounds.stretch() : 1;
    count(instruction, {rounds.addresses(), rounds.lanes(), instruction.bytes}, times);
    instruction.counters.warp_lanes += warp.lanes * times;
    rounds.advance(times);
  }
}

void Profiler::count(InstructionCounts& instruction, const Request& request, std::uint64_t times) {
  AccessCounters& counters = instruction.counters;
  counters.requests += times;
  counters.lanes += static_cast<unsigned>(std::popcount(request.lanes)) * times;
  if (is_atomic(instruction.kind)) counters.turns += most_on_one_address(request) * times;
  bool wasteful = false;
  switch (instruction.kind) {
    case AccessKind::global_load:
    case AccessKind::global_store:
    case AccessKind::global_atomic: {
      const GlobalCost cost = global_cost(request);
      counters.sectors += cost.sectors.count();
      counters.least_sectors += cost.least_sectors;
      wasteful = cost.sectors.count() > cost.least_sectors;
      const bool load = instruction.kind == AccessKind::global_load;
      for (const std::uintptr_t sector : cost.sectors) {
        if (!device_.contains(sector * kSectorBytes)) {
          variables_written_.add(sector);
        } else if (load) {
          device_read_.add(sector);
        } else {
          device_written_.add(sector);
        }
      }
      break;
    }
    case AccessKind::shared_load:
    case AccessKind::shared_store:
    case AccessKind::shared_atomic: {
      const SharedCost cost = shared_cost(request, is_atomic(instruction.kind));
      counters.wavefronts += cost.wavefronts * times;
      counters.least_wavefronts += cost.least_wavefronts * times;
      wasteful = cost.wavefronts > cost.least_wavefronts;
      break;
    }
    case AccessKind::variable_load:
    case AccessKind::local:
    case AccessKind::execution:
      break;
  }
  if (wasteful) instruction.stride.add(stride(request), times);
}

void Profiler::grid_begins(Grid&) {
  const SharedMemory& shared = shared_memory();
  static_shared_ = {address_of(shared.variables), shared.variables_bytes};
  dynamic_shared_ = {address_of(shared.dynamic), shared.dynamic_bytes};
}

void Profiler::grid_ends(Grid& grid) {
  fold_all();  // what a fault has left
  launch_.distinct_sectors_read = device_read_.count();
  launch_.distinct_sectors_written = device_written_.count() + variables_written_.count();
  for (InstructionCounts& instruction : instructions_) {
    if (instruction.counters.requests == 0) continue;
    // A single variable that was passed by its address is none of an array's.
    const bool array = instruction.local_bytes >= 16 && instruction.local_bytes > instruction.bytes;
    if (instruction.kind != AccessKind::local || array) {
      launch_.instructions.push_back(instruction);
    }
    instruction.counters = {};
    instruction.stride = {};
    instruction.local_bytes = 0;
  }
  for (Profile* const profile : profiles_) profile->add(grid, launch_);
  if (before_ != nullptr) tell_of_writes(*before_);
  launch_ = {};
  device_read_.clear();
  device_written_.clear();
  variables_written_.clear();
}

void Profiler::tell_of_writes(Observer& other) {
  std::vector<MemoryUse> uses;
  for (const SectorSet::Range& range : device_written_.ranges()) {
    uses.push_back({MemoryUse::writes, reinterpret_cast<const void*>(range.address), range.bytes});
  }
  other.memory_used("a kernel that is counted", uses);
}

void Profiler::set_up_warps(const Block& block) {
  warp_count_ = (block.thread_count() + kWarpSize - 1) / kWarpSize;
  for (unsigned i = 0; i < warp_count_; ++i) {
    warps_[i].lanes = std::min(kWarpSize, block.thread_count() - i * kWarpSize);
  }
}

void Profiler::block_begins(Block& block) { set_up_warps(block); }
void Profiler::block_ends(Block&) { fold_all(); }
// At the barrier of a grid all lanes have met; threads that ask in vain for another block's work do
// so in a loop that has no rounds worth matching.
void Profiler::block_leaves(Block&) { fold_all(); }
void Profiler::block_returns(Block& block) { set_up_warps(block); }

void Profiler::thread_ends(Block& block) {
  settle_atomic_load();
  const unsigned thread = block.current_thread();
  const unsigned first = thread / kWarpSize * kWarpSize;
  if ((block.exited_lanes(first) | 1u << thread % kWarpSize) == ~0u)
    fold(warps_[first / kWarpSize]);
}

void Profiler::barrier_completes(Block& block) {
  fold_all();
  ++launch_.barriers;
  launch_.barriers_of_fewer += block.live_count() < block.thread_count();
}

void Profiler::grid_barrier_completes(Grid& grid) { launch_.barriers += grid.blocks; }

void Profiler::collective_completes(Block& block, unsigned first_thread, std::uint32_t present,
                                    std::uint32_t) {
  settle_atomic_load();
  ++launch_.collectives;
  if ((present | block.exited_lanes(first_thread)) == ~0u) fold(warps_[first_thread / kWarpSize]);
}

// A load and a store in one instruction.
void Profiler::copy_begins(Block&, const AsyncCopy& copy) {
  range(address_of(copy.from), copy.source_bytes, Access::load, copy.code, 16);
  range(address_of(copy.to), copy.bytes, Access::store, copy.code, 16);
}

void Profiler::fence(Block&, __simulator::__Scope) {}

void Profiler::allocated(const Allocation& allocation) {
  if (before_ != nullptr) before_->allocated(allocation);
}
void Profiler::freed(const Allocation& allocation) {
  if (before_ != nullptr) before_->freed(allocation);
}
void Profiler::memory_used(const char* by, const std::vector<MemoryUse>& uses) {
  if (before_ != nullptr) before_->memory_used(by, uses);
}

}  // namespace simulator
