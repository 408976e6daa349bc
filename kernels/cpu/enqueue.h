// File: enqueue.h
//
// How an operation of the `cpu` set puts its work into the launch's stream, and says which memory
// it reads and writes: behind simulated kernels it then comes in its turn, a graph can record it,
// and the simulator's checker, which cannot see into it, knows what it did.
//
//   enqueue(launch, "residual_forward",
//           {reads("stream", stream, count), reads("correction", correction, count),
//            writes("out", out, count)},
//           [=] { ... });
//
// A use is the parameter's name, its pointer and its sizes, whose product is the number of
// elements. The work captures by value: in a graph it is done long after the call. It must not
// enqueue.

#ifndef ANDREA_KERNELS_CPU_ENQUEUE_H_
#define ANDREA_KERNELS_CPU_ENQUEUE_H_

#include <simulator/library_call.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "kernels/cuda_check.h"
#include "kernels/launch.h"

namespace andrea::cpu {

// What a kernel does to a piece of memory, so that the checker knows.
using Use = simulator::MemoryUse;

// The sizes of a matrix of which only some columns are used.
struct Rows {
  int rows, columns, stride;  // in numbers, the stride from row to row
};

// A use of so many numbers, the product of `sizes`, or of the used columns of some rows.
template <typename T, typename... Sizes>
Use use(Use::Kind kind, const char* name, const T* pointer, Sizes... sizes) {
  return {kind, pointer, (sizeof(T) * ... * static_cast<std::size_t>(sizes)), 1, 0, name};
}

// A use of the used columns of some rows.
template <typename T>
Use use(Use::Kind kind, const char* name, const T* pointer, const Rows& sizes) {
  return {kind,
          pointer,
          sizeof(T) * static_cast<std::size_t>(sizes.columns),
          static_cast<std::size_t>(sizes.rows),
          sizeof(T) * static_cast<std::size_t>(sizes.stride),
          name};
}

// Reads them, and changes nothing.
template <typename T, typename... Sizes>
Use reads(const char* name, const T* pointer, Sizes... sizes) {
  return use(Use::reads, name, pointer, sizes...);
}

// Overwrites them, whatever they held.
template <typename T, typename... Sizes>
Use writes(const char* name, T* pointer, Sizes... sizes) {
  return use(Use::writes, name, pointer, sizes...);
}

// Reads what it then changes.
template <typename T, typename... Sizes>
Use updates(const char* name, T* pointer, Sizes... sizes) {
  return use(Use::updates, name, pointer, sizes...);
}

// The gradient of a parameter.
template <typename T, typename... Sizes>
Use accumulates(Accumulate accumulate, const char* name, T* pointer, Sizes... sizes) {
  return use(accumulate == Accumulate::add ? Use::updates : Use::writes, name, pointer, sizes...);
}

// For what a call may do without: no use at all, unless the condition holds.
inline Use only_if(bool condition, const Use& one) { return condition ? one : Use{}; }
inline Use optional(const Use& one) { return only_if(one.pointer != nullptr, one); }

inline void enqueue(const Launch& launch, const char* operation, std::vector<Use> uses,
                    std::function<void()> work) {
  CUDA_CHECK(simulator::library_call(launch.stream, operation, std::move(uses), std::move(work)));
}

}  // namespace andrea::cpu

#endif  // ANDREA_KERNELS_CPU_ENQUEUE_H_
