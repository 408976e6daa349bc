// File: program_profile.h
//
// The profile of a whole program, which the environment asks for:
//
//   SIMULATOR_PROFILE=1             a table on standard error when the program ends
//   SIMULATOR_PROFILE_HTML=FILE     a page with the source annotated

#ifndef ANDREA_SIMULATOR_PROFILE_PROGRAM_PROFILE_H_
#define ANDREA_SIMULATOR_PROFILE_PROGRAM_PROFILE_H_

namespace simulator {

// Called before the program begins where it has kernels of the check build: they can be counted.
// Returns whether the environment asks for it; then counting has begun, and no checker is wanted.
bool begin_program_profile();

// Whether the program has such kernels.
bool can_count();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_PROGRAM_PROFILE_H_
