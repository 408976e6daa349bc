// File: shared_memory.h
//
// Where shared memory lies. __shared__ variables are thread-local variables of the program, so each
// OS thread has one set of them in the program's block of thread-local storage; dynamic shared
// memory is an array of the simulator's own. Blocks on one OS thread use the same memory one after
// another; a block that is left before its end takes a copy along.

#ifndef ANDREA_SIMULATOR_RUNTIME_SHARED_MEMORY_H_
#define ANDREA_SIMULATOR_RUNTIME_SHARED_MEMORY_H_

#include <cstddef>
#include <vector>

namespace simulator {

struct SharedMemory {
  char* variables = nullptr;        // the program's thread-local storage, on the calling OS thread
  std::size_t variables_bytes = 0;  // of all its `__shared__` variables
  char* dynamic = nullptr;          // of the size that the launch asks for
  std::size_t dynamic_bytes = 0;    // all that there can be
};

// Of the calling OS thread.
const SharedMemory& shared_memory();

// Whether the address is one of the runtime's own variables, threadIdx and its like, of the calling
// OS thread.
bool is_runtime_variable(const void* address);

// A copy of a block's shared memory, to be put back.
class SharedMemoryCopy {
 public:
  // `dynamic_bytes`: how much dynamic shared memory the launch asked for.
  void save(std::size_t dynamic_bytes);
  void restore() const;  // as it was when it was copied

 private:
  std::vector<char> bytes_;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_SHARED_MEMORY_H_
