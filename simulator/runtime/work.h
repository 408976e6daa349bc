// File: work.h
//
// What a stream can be given to do, one struct for each kind. A stream does it at once; a graph
// keeps it in a node.

#ifndef ANDREA_SIMULATOR_RUNTIME_WORK_H_
#define ANDREA_SIMULATOR_RUNTIME_WORK_H_

#include <driver_types.h>
#include <simulator/library_call.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "simulator/runtime/grid.h"

namespace simulator {

// The launch's arguments are the caller's own while it runs; a node has a copy of their bytes, and
// of the name.
struct KernelWork {
  KernelLaunch launch;                           // sizes and kernel
  std::shared_ptr<void> kept_arguments;          // of the launch, if it is a graph's
  std::shared_ptr<const std::string> kept_name;  // of the kernel, if it is a graph's
};

// `depth` slices of `height` rows of `width` bytes.
struct Shape {
  std::size_t width = 0;   // of a row, in bytes
  std::size_t height = 1;  // rows of a slice
  std::size_t depth = 1;   // slices
};

// How far apart rows and slices begin, in bytes.
struct Pitch {
  std::size_t row = 0;    // from row to row, in bytes
  std::size_t slice = 0;  // from slice to slice, in bytes
};

struct CopyWork {
  void* to = nullptr;          // the first byte
  Pitch to_pitch;              // of the target
  const void* from = nullptr;  // the first byte
  Pitch from_pitch;            // of the source
  Shape shape;                 // rows, layers and bytes of a row
};

// A fill, as cudaMemset asks for it.
struct FillWork {
  void* to = nullptr;          // the first byte
  Pitch pitch;                 // of the target
  unsigned value = 0;          // of each element
  unsigned element_bytes = 1;  // 1, 2 or 4; the shape's width is in bytes all the same
  Shape shape;                 // rows, layers and elements of a row
};

// A function of the host.
struct HostWork {
  std::function<void()> function;  // called when it is its turn
};

// A function of a library that works on device memory.
struct LibraryWork {
  const char* name = "";           // for reports
  std::vector<MemoryUse> uses;     // what it touches, and how
  std::function<void()> function;  // called when it is its turn
};

struct EmptyWork {};

// A graph inside a graph: a copy of it, taken when the node was made.
struct GraphWork {
  std::shared_ptr<const CUgraph_st> graph;  // as it was then
};

// All that a stream can be given to do.
using Work =
    std::variant<KernelWork, CopyWork, FillWork, HostWork, EmptyWork, LibraryWork, GraphWork>;

// Does it now, on the calling thread, and tells the observer. Not for GraphWork, which a graph
// takes apart when it is instantiated.
cudaError_t run(const Work& work);

// A copy that does not refer to the caller's arguments.
Work keep(const Work& work);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_WORK_H_
