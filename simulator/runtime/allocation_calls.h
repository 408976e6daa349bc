// File: allocation_calls.h
//
// What the calls that allocate and free have in common: which lines did it, and what is said of a
// pointer that cannot be freed.

#ifndef ANDREA_SIMULATOR_RUNTIME_ALLOCATION_CALLS_H_
#define ANDREA_SIMULATOR_RUNTIME_ALLOCATION_CALLS_H_

#include <driver_types.h>
#include <simulator/synchronization.h>

#include <cstddef>
#include <optional>

#include "simulator/runtime/memory.h"

namespace simulator {

// Allocates, and tells the runtime's error of it.
cudaError_t allocate_for_call(void** pointer, std::size_t bytes, MemoryKind kind,
                              __simulator::__Where where);
// Frees, and tells the runtime's error of it; `function` is the one that was called.
cudaError_t free_for_call(void* pointer, bool host_kind, const char* function,
                          __simulator::__Where where);

// Memory of the program that cudaHostRegister made known; kind pinned.
std::optional<Allocation> find_registered(const void* pointer);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_ALLOCATION_CALLS_H_
