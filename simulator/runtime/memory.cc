#include "simulator/runtime/memory.h"

#include <simulator/reports.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "simulator/runtime/fault.h"
#include "simulator/runtime/observer.h"
#include "simulator/runtime/options.h"

namespace simulator {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

// Room between two allocations: a run of wrong indices stays in it and is not taken for the
// neighbour.
constexpr std::size_t kGap = 4096;

struct Table {
  std::mutex mutex;
  std::map<std::uintptr_t, Allocation> allocations;  // by address
  Arena arena;
  std::uintptr_t next = 0;  // the first free address of the arena
  std::size_t bytes = 0;    // of the device: pinned memory is the host's
  std::size_t peak = 0;
};

std::size_t device_bytes(const Allocation& allocation) {
  return allocation.kind == MemoryKind::pinned ? 0 : allocation.bytes;
}

// Never destroyed: other static objects may free device memory when the program ends.
Table& the_table() {
  static Table* const kTable = new Table;
  return *kTable;
}

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

std::size_t total_memory() {
  const auto physical = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::min(physical, static_cast<std::size_t>(memory_gib()) << 30);
}

void* take_from_system(std::size_t bytes) {
  const bool huge = bytes >= kHugePage;
  const std::size_t alignment = huge ? kHugePage : kAlignment;
  const std::size_t rounded = round_up(bytes, alignment);
  if (rounded < bytes) return nullptr;
  void* const pointer = std::aligned_alloc(alignment, rounded);
  // Advice only: where the system grants no huge pages, the memory works all the same. It spares a
  // training step most of its TLB misses.
  if (pointer != nullptr && huge) (void)madvise(pointer, rounded, MADV_HUGEPAGE);
  return pointer;
}

void* take_from_arena(Table& table, std::size_t bytes) {
  if (bytes > table.arena.end - table.next) return nullptr;
  const std::uintptr_t address = table.next;
  table.next = round_up(address + bytes + kGap, kAlignment);
  return reinterpret_cast<void*>(address);  // NOLINT: the arena's memory
}

}  // namespace

void* allocate(std::size_t bytes, MemoryKind kind, __simulator::__Where where) {
  if (bytes == 0) return nullptr;
  Table& table = the_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  if (bytes > total_memory() || table.bytes > total_memory() - bytes) return nullptr;
  void* const pointer =
      table.arena.begin != 0 ? take_from_arena(table, bytes) : take_from_system(bytes);
  if (pointer == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation allocation{address, bytes, kind, where, false, {}, {}};
  table.allocations[address] = allocation;
  table.bytes += device_bytes(allocation);
  table.peak = std::max(table.peak, table.bytes);
  if (observer() != nullptr) observer()->allocated(allocation);
  return pointer;
}

Freed deallocate(void* pointer, bool host_kind, __simulator::__Where where) {
  Table& table = the_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  const auto found = table.allocations.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (found == table.allocations.end()) return Freed::never_allocated;
  Allocation& allocation = found->second;
  if (allocation.freed) return Freed::twice;
  if (host_kind != (allocation.kind == MemoryKind::pinned)) return Freed::of_another_kind;
  table.bytes -= device_bytes(allocation);
  allocation.freed = true;
  allocation.freed_where = where;
  if (observer() != nullptr) observer()->freed(allocation);
  if (table.arena.begin != 0) {
    // The addresses stay taken, the memory goes back.
    const std::uintptr_t first = round_up(allocation.address, 4096);
    const std::uintptr_t end = (allocation.address + allocation.bytes) / 4096 * 4096;
    if (end > first) (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
  } else {
    table.allocations.erase(found);
    std::free(pointer);
  }
  return Freed::done;
}

std::optional<Allocation> find_allocation(const void* address) {
  Table& table = the_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  auto found = table.allocations.upper_bound(at);
  if (found == table.allocations.begin()) return std::nullopt;
  --found;
  const std::size_t reach = found->second.bytes + (table.arena.begin != 0 ? kGap : 0);
  if (at - found->first >= reach) return std::nullopt;
  return found->second;
}

void name_memory(const void* pointer, const std::string& name) {
  Table& table = the_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  const auto found = table.allocations.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (found != table.allocations.end()) found->second.name = name;
}

Arena use_arena() {
  Table& table = the_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  if (table.arena.begin != 0) return table.arena;
  const std::size_t bytes = memory_gib() << 30;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fatal(
        "could not reserve " + std::to_string(memory_gib()) +
        " GiB of addresses for device memory (a limit such as ulimit -v?); set SIMULATOR_MEMORY to "
        "fewer GiB.");
  }
  table.arena.begin = reinterpret_cast<std::uintptr_t>(memory);
  table.arena.end = table.arena.begin + bytes;
  table.next = table.arena.begin + kGap;
  return table.arena;
}

MemoryAmount memory_amount() {
  const std::size_t total = total_memory();
  return {total - std::min(total, allocated_bytes()), total};
}

std::size_t allocated_bytes() { return the_table().bytes; }

std::size_t peak_allocated_bytes() { return the_table().peak; }

void reset_peak_allocated_bytes() { the_table().peak = the_table().bytes; }

}  // namespace simulator
