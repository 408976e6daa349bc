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
  char* variables = nullptr;  // the program's thread-local storage, on the calling OS thread
  std::size_t variables_bytes = 0;
  char* dynamic = nullptr;
  std::size_t dynamic_bytes = 0;  // all that there can be
};

// Of the calling OS thread.
const SharedMemory& shared_memory();

// Whether the address is one of the runtime's own variables, threadIdx and its like, of the calling
// OS thread.
bool is_runtime_variable(const void* address);

class SharedMemoryCopy {
 public:
  // `dynamic_bytes`: how much dynamic shared memory the launch asked for.
  void save(std::size_t dynamic_bytes);
  void restore() const;

 private:
  std::vector<char> bytes_;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_SHARED_MEMORY_H_
