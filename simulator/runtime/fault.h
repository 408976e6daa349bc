// File: fault.h
//
// Faults that end a launch in either build: they leave the kernel no way to go on. Each publishes a
// report, sets the error that the host will see, and abandons the launch.

#ifndef ANDREA_SIMULATOR_RUNTIME_FAULT_H_
#define ANDREA_SIMULATOR_RUNTIME_FAULT_H_

#include <driver_types.h>
#include <simulator/synchronization.h>

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/runtime/report.h"

namespace simulator {

class Block;

// Ends the program with a sentence: the simulator itself cannot go on.
[[noreturn]] void fatal(const std::string& sentence);

// The running GPU thread, or the host where none runs.
Party party_now(const std::string& did);
Party party(const Block& block, unsigned thread, const std::string& did);
Party party(const Block& block, unsigned thread, const std::string& did,
            const __simulator::__Where& where);

// Publishes the report and ends the launch that the calling thread runs.
[[noreturn]] void end_launch(Block& block, cudaError_t error, const Report& report);

namespace fault {

// What usually makes a pointer null.
inline constexpr const char* kCauseOfNull =
    "An argument that may be null (the comment of the function in its header tells) must be "
    "compared with nullptr before it is used. Else the pointer was never set, or cudaMalloc failed "
    "and its error was not looked at.";

[[noreturn]] void deadlock(Block& block);
// `first`: a thread that waits already, for another barrier than the one that the calling thread
// has come to.
[[noreturn]] void different_barriers(Block& block, unsigned first, __simulator::__Where where);
// Of one kind, and the block goes on as it does on hardware. For the check build.
void barriers_on_different_lines(Block& block, unsigned first, __simulator::__Where where);
[[noreturn]] void grid_barrier_without_cooperation(Block& block, __simulator::__Where where);
[[noreturn]] void mask_without_caller(Block& block, std::uint32_t mask, __simulator::__Where where);
[[noreturn]] void different_collectives(Block& block, unsigned first_thread, std::uint32_t lanes);
[[noreturn]] void incomplete_warp(Block& block, unsigned first_thread, std::uint32_t present);
// What the running thread does, and where; and the variable that it looks at.
[[noreturn]] void no_progress(Block& block, const std::string& did,
                              const std::vector<SourceLine>& lines,
                              const std::string& variable = "");
// The running thread has come to another collective of its warp.
[[noreturn]] void no_progress_in_collective(Block& block, __simulator::__Where where);
// Barriers are passed, and no thread finishes.
[[noreturn]] void endless_barriers(Block& block, __simulator::__Where where);
// `__trap()` was called.
[[noreturn]] void trap(Block& block, __simulator::__Where where);
// An assert did not hold.
[[noreturn]] void assertion(Block& block, const char* expression, __simulator::__Where where,
                            const char* function);

}  // namespace fault
}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_FAULT_H_
