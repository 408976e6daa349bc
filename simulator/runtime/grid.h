// File: grid.h
//
// One launch of a kernel: what was asked for, and its blocks being run, by the calling thread alone
// while that is quick, else by all workers.

#ifndef ANDREA_SIMULATOR_RUNTIME_GRID_H_
#define ANDREA_SIMULATOR_RUNTIME_GRID_H_

#include <driver_types.h>
#include <simulator/launch.h>
#include <vector_types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace simulator {

// A launch as the macro in the program describes it.
struct KernelLaunch {
  const char* name = "";               // as written between the start of the expression and <<<
  const char* file = "";               // where the launch stands
  int line = 0;                        // where the launch stands
  const void* function = nullptr;      // nullptr where only a call can tell which overload is meant
  dim3 grid;                           // gridDim
  dim3 block;                          // blockDim
  std::size_t shared_bytes = 0;        // of dynamic shared memory
  cudaStream_t stream = nullptr;       // null: the default stream
  bool cooperative = false;            // its blocks may wait for each other
  __simulator::__Body body = nullptr;  // the kernel, as the rewriter has made it
  void* arguments = nullptr;           // copied when the launch was made
  std::size_t argument_bytes = 0;      // of the copy
};

struct Grid {
  // What is to be launched; it must live as long as the grid.
  explicit Grid(const KernelLaunch& what) : launch(what) {}

  const KernelLaunch& launch;                   // sizes, kernel and arguments
  std::uint64_t blocks = 0;                     // how many there are
  unsigned threads_in_block = 0;                // of each block
  std::uint64_t number = 0;                     // of the launch, counted from 1
  std::atomic<cudaError_t> error{cudaSuccess};  // not cudaSuccess: the launch is over
  // In a cache line of its own: workers read the rest with every block.
  alignas(64) std::atomic<std::uint64_t> next_block{0};

  // blockIdx of a block that is counted in one dimension.
  uint3 block_index(std::uint64_t linear) const;
};

// Runs every block to its end, or until one of them faults; returns the error of the fault.
cudaError_t run_grid(const KernelLaunch& launch);

// How many OS threads run blocks.
unsigned worker_count();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_GRID_H_
