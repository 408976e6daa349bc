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
  KernelLaunch launch;
  std::shared_ptr<void> kept_arguments;
  std::shared_ptr<const std::string> kept_name;
};

// `depth` slices of `height` rows of `width` bytes.
struct Shape {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
};

// How far apart rows and slices begin, in bytes.
struct Pitch {
  std::size_t row = 0;
  std::size_t slice = 0;
};

struct CopyWork {
  void* to = nullptr;
  Pitch to_pitch;
  const void* from = nullptr;
  Pitch from_pitch;
  Shape shape;
};

struct FillWork {
  void* to = nullptr;
  Pitch pitch;
  unsigned value = 0;
  unsigned element_bytes = 1;  // 1, 2 or 4; the shape's width is in bytes all the same
  Shape shape;
};

struct HostWork {
  std::function<void()> function;
};

struct LibraryWork {
  const char* name = "";
  std::vector<MemoryUse> uses;
  std::function<void()> function;
};

struct EmptyWork {};

// A graph inside a graph: a copy of it, taken when the node was made.
struct GraphWork {
  std::shared_ptr<const CUgraph_st> graph;
};

using Work =
    std::variant<KernelWork, CopyWork, FillWork, HostWork, EmptyWork, LibraryWork, GraphWork>;

// Does it now, on the calling thread, and tells the observer. Not for GraphWork, which a graph
// takes apart when it is instantiated.
cudaError_t run(const Work& work);

// A copy that does not refer to the caller's arguments.
Work keep(const Work& work);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_WORK_H_
