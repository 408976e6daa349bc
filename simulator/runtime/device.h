// File: device.h
//
// The GPU that is simulated: an H100, by whose limits launches are checked and occupancy is
// counted. Clock rates and widths are the real one's, since programs print peaks from them. Two
// things are not: it has 16 multiprocessors rather than 132, so that programs that size their grid
// by that number launch a grid that a CPU gets through, and its memory is the host's.
//
// How many registers a kernel takes only nvcc can tell; occupancy assumes 32 a thread, which never
// is the limit.

#ifndef ANDREA_SIMULATOR_RUNTIME_DEVICE_H_
#define ANDREA_SIMULATOR_RUNTIME_DEVICE_H_

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace simulator {

struct Gpu {
  const char* name;                      // as cudaDeviceProp has it
  int major;                             // compute capability, 9
  int minor;                             // and 0
  int multiprocessors;                   // fewer than the real one's
  unsigned warp_size;                    // threads
  unsigned threads_in_block;             // at most
  dim3 block;                            // at most, in each dimension
  dim3 grid;                             // at most, in each dimension
  unsigned threads_on_multiprocessor;    // at most
  unsigned blocks_on_multiprocessor;     // at most
  unsigned registers_on_multiprocessor;  // of 32 bits each
  std::size_t shared_in_block;           // static and dynamic, unless asked for
  std::size_t shared_in_block_opt_in;    // after cudaFuncSetAttribute
  std::size_t shared_on_multiprocessor;  // for all blocks that are there
  std::size_t shared_reserved_in_block;  // by the system
  std::size_t shared_granularity;        // bytes that amounts are rounded up to
  std::size_t constant_bytes;            // for __constant__
  std::size_t l2_bytes;                  // of the second-level cache
  int clock_khz;                         // of the multiprocessors
  int memory_clock_khz;                  // of the memory
  int memory_bus_bits;                   // of the memory's bus
};

// The one GPU that there is.
const Gpu& gpu();

// Forgets what the program has set (cudaDeviceSetLimit and its like).
void reset_device_settings();

// How many blocks of this kind a multiprocessor holds at a time. Shared memory: static and dynamic.
int resident_blocks(const Gpu& gpu, unsigned threads_in_block, std::size_t shared_bytes);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_DEVICE_H_
