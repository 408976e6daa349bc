#include "simulator/runtime/observer.h"

#include <simulator/library_call.h>

namespace simulator {

Observer* the_observer = nullptr;

void Observer::memory_copied(const char* by, const std::vector<MemoryUse>& reads,
                             const std::vector<MemoryUse>& writes) {
  std::vector<MemoryUse> uses = reads;
  uses.insert(uses.end(), writes.begin(), writes.end());
  memory_used(by, uses);
}

}  // namespace simulator
