// File: watchdog.h
//
// Stops a kernel that gets nowhere, and turns the signals that a kernel may cause (a wild pointer,
// a stack that is full, a division by zero) into reports.

#ifndef ANDREA_SIMULATOR_RUNTIME_WATCHDOG_H_
#define ANDREA_SIMULATOR_RUNTIME_WATCHDOG_H_

#include <atomic>
#include <cstdint>

#include "simulator/runtime/grid.h"

namespace simulator {

// Counts what the calling OS thread has got done: threads that finished, barriers that were passed.
std::atomic<std::uint64_t>& worker_progress();

// The calling OS thread runs blocks of the grid from here to stop_watching().
void watch(Grid& grid);
void stop_watching();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_WATCHDOG_H_
