// File: launch_size.h
//
// The arithmetic of a launch: how many blocks it takes.

#ifndef ANDREA_KERNELS_LAUNCH_SIZE_H_
#define ANDREA_KERNELS_LAUNCH_SIZE_H_

namespace andrea {

// `count` / `size`, rounded up, so that the last, partly used block is there too.
constexpr int blocks_for(int count, int size) { return (count + size - 1) / size; }

}  // namespace andrea

#endif  // ANDREA_KERNELS_LAUNCH_SIZE_H_
