// File: memory.h
//
// What the program has allocated through CUDA, and what an address belongs to.
//
// In the fast build device memory is the system's, and reused. Under the checker it lies in one
// range of addresses that is never reused and has gaps, so that an address tells what it is, or
// was.

#ifndef ANDREA_SIMULATOR_RUNTIME_MEMORY_H_
#define ANDREA_SIMULATOR_RUNTIME_MEMORY_H_

#include <simulator/synchronization.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace simulator {

enum class MemoryKind : std::uint8_t {
  device,   // cudaMalloc
  managed,  // cudaMallocManaged
  pinned,   // cudaMallocHost, cudaHostAlloc
};

struct Allocation {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  __simulator::__Where where{};
  bool freed = false;  // kept under the checker alone
  __simulator::__Where freed_where{};
  std::string name;  // from name_memory (simulator/reports.h); mostly empty
};

// nullptr when there is not so much memory. A size of 0 gives no memory and is no error.
void* allocate(std::size_t bytes, MemoryKind kind, __simulator::__Where where);

enum class Freed { done, never_allocated, twice, of_another_kind };
Freed deallocate(void* pointer, bool host_kind, __simulator::__Where where);

// The allocation in which the address lies, or just behind whose end it lies (within the gap);
// freed ones only under the checker.
std::optional<Allocation> find_allocation(const void* address);

// The range of addresses of all device memory under the checker.
struct Arena {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// From now on allocations lie in the arena. Called by the checker before the first of them.
Arena use_arena();

struct MemoryAmount {
  std::size_t free = 0;
  std::size_t total = 0;
};
MemoryAmount memory_amount();

// Bytes allocated and not freed, and the most that there ever were.
std::size_t allocated_bytes();
std::size_t peak_allocated_bytes();
void reset_peak_allocated_bytes();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_MEMORY_H_
