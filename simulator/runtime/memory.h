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

// By which of CUDA's functions memory was asked for.
enum class MemoryKind : std::uint8_t {
  device,   // cudaMalloc
  managed,  // cudaMallocManaged
  pinned,   // cudaMallocHost, cudaHostAlloc
};

struct Allocation {
  std::uintptr_t address = 0;            // of the first byte
  std::size_t bytes = 0;                 // as asked for
  MemoryKind kind = MemoryKind::device;  // whose memory it is
  __simulator::__Where where{};          // where it was asked for
  bool freed = false;                    // kept under the checker alone
  __simulator::__Where freed_where{};    // where it was freed, if it was
  std::string name;                      // from name_memory (simulator/reports.h); mostly empty
};

// nullptr when there is not so much memory. A size of 0 gives no memory and is no error.
void* allocate(std::size_t bytes, MemoryKind kind, __simulator::__Where where);

// How freeing ended.
enum class Freed { done, never_allocated, twice, of_another_kind };
// Frees what allocate() gave; refused, with a sentence, where it did not.
Freed deallocate(void* pointer, bool host_kind, __simulator::__Where where);

// The allocation in which the address lies, or just behind whose end it lies (within the gap);
// freed ones only under the checker.
std::optional<Allocation> find_allocation(const void* address);

// The range of addresses of all device memory under the checker.
struct Arena {
  std::uintptr_t begin = 0;  // the first byte
  std::uintptr_t end = 0;    // behind the last
};

// From now on allocations lie in the arena. Called by the checker before the first of them.
Arena use_arena();

// What cudaMemGetInfo tells.
struct MemoryAmount {
  std::size_t free = 0;   // bytes
  std::size_t total = 0;  // bytes, those in use counted
};
// Of this process.
MemoryAmount memory_amount();

// Bytes of the device allocated and not freed, and the most that there ever were.
std::size_t allocated_bytes();
std::size_t peak_allocated_bytes();
void reset_peak_allocated_bytes();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_MEMORY_H_
