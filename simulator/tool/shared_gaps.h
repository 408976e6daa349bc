// File: simulator/tool/shared_gaps.h
//
// Puts room behind each __shared__ variable of a compiled kernel source, for the check build: an
// index that runs past the end of one array must not land in the next one, where it would be taken
// for a right access to that.
//
// Compiled with -fdata-sections, each thread-local variable without a value has a section of its
// own. A section that holds no bytes is made larger by changing one number; symbols keep their
// sizes, and the linker lays the variables out with gaps between them.

#ifndef ANDREA_SIMULATOR_TOOL_SHARED_GAPS_H_
#define ANDREA_SIMULATOR_TOOL_SHARED_GAPS_H_

#include <cstddef>
#include <string>

namespace simulator {

inline constexpr std::size_t kSharedGap = 256;  // bytes

// Changes the object file. What went wrong, in a sentence; empty where nothing did.
std::string add_shared_gaps(const std::string& object_file);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_SHARED_GAPS_H_
