// File: simulator/arrival.h
//
// Barrier objects (cuda::barrier): threads of a block arrive at them, go on, and wait later for the
// phase to complete, which it does at the last of the expected arrivals.
//
// What a thread did before it arrived is ordered before what another does after its wait. Copies
// that are bound to the barrier (async_copy.h) arrive with the phase.
//
// The object's own 8 bytes hold nothing: the block keeps the counts by its address, and so can tell
// an object that nobody has initialised.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ARRIVAL_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ARRIVAL_H_

#include <simulator/synchronization.h>

namespace __simulator {

void __begin_arrivals(const void* __barrier, long long __expected, __Where __where);

// Returns the number of the phase. `__drop`: the thread will take part no more.
unsigned long long __arrive(const void* __barrier, long long __arrivals, bool __drop,
                            __Where __where);
bool __has_completed(const void* __barrier, unsigned long long __phase, __Where __where);
void __wait_for_phase(const void* __barrier, unsigned long long __phase, __Where __where);
// The phase in progress; the last that has completed is the one before.
unsigned long long __phase_in_progress(const void* __barrier, __Where __where);

}  // namespace __simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ARRIVAL_H_
