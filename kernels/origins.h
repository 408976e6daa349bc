// File: origins.h
//
// Which implementation of each operation this program was linked with, as Bazel labels.

#ifndef ANDREA_KERNELS_ORIGINS_H_
#define ANDREA_KERNELS_ORIGINS_H_

#include <string_view>
#include <vector>

namespace andrea {

struct KernelOrigin {
  std::string_view operation;       // "attention"
  std::string_view implementation;  // "//kernels/cpu:attention"
};

// One entry for each operation of the contract, in the order of the alphabet.
const std::vector<KernelOrigin>& kernel_origins();

// Whether CUDA kernels among them run under the simulator's checker (--define=simulator=check).
bool kernels_are_checked();

}  // namespace andrea

#endif  // ANDREA_KERNELS_ORIGINS_H_
