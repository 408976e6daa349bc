#include <simulator/library_call.h>

#include <utility>

#include "simulator/runtime/stream.h"

namespace simulator {

cudaError_t library_call(cudaStream_t stream, const char* name, std::vector<MemoryUse> uses,
                         std::function<void()> work) {
  return enqueue(stream, LibraryWork{name, std::move(uses), std::move(work)}, name, {nullptr, 0});
}

}  // namespace simulator
