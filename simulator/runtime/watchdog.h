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

// What an OS thread has got done. A loop round a barrier that has no end passes barriers for ever,
// so threads that finish are counted apart.
struct alignas(64) WorkerProgress {        // a cache line of its own
  std::atomic<std::uint64_t> steps{0};     // threads that finished, barriers that were passed
  std::atomic<std::uint64_t> finished{0};  // threads that finished
};

// Of the calling OS thread.
WorkerProgress& worker_progress();

// How many times the seconds of SIMULATOR_TIMEOUT a kernel may pass barriers while no thread of it
// finishes.
inline constexpr unsigned kBarrierPatience = 4;

// The calling OS thread runs blocks of the grid from here to stop_watching().
void watch(Grid& grid);
void stop_watching();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_WATCHDOG_H_
