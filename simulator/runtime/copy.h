// File: copy.h
//
// What copies and fills are checked for before they are done or recorded: the direction that was
// given against the pointers, and the sizes of the allocations that they touch. Memory that CUDA
// did not allocate is taken for the host's and cannot be measured.

#ifndef ANDREA_SIMULATOR_RUNTIME_COPY_H_
#define ANDREA_SIMULATOR_RUNTIME_COPY_H_

#include <driver_types.h>
#include <simulator/synchronization.h>

#include <cstddef>

#include "simulator/runtime/memory.h"
#include "simulator/runtime/work.h"

namespace simulator {

// On which side of the bus memory lies, and whether the other side may use it.
enum class Side { host, pinned, managed, device };

struct Place {
  Side side = Side::host;  // whose memory it is
  std::size_t bytes = 0;   // of the allocation or variable; 0 where unknown
  std::size_t offset = 0;  // of the pointer in it
  Allocation allocation;   // of no variable
  bool variable = false;   // a __device__ or __constant__ variable whose address was asked for
};

// Where a pointer points, and into which allocation.
Place place_of(const void* pointer);

// Makes the variable known as memory of the device.
void add_device_variable(const void* pointer, std::size_t bytes);

// A row.
CopyWork copy_of(void* to, const void* from, std::size_t bytes);
FillWork fill_of(void* to, int value, std::size_t bytes);

// cudaSuccess, or the error after the report was published.
cudaError_t check(const CopyWork& copy, cudaMemcpyKind kind, const char* function,
                  __simulator::__Where where);
cudaError_t check(const FillWork& fill, const char* function, __simulator::__Where where);

// The copy that the parameters describe; an error where they name arrays.
cudaError_t read_parameters(const cudaMemcpy3DParms* parameters, CopyWork* copy);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_COPY_H_
