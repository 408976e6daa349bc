// malloc, free, new and delete of the program, which its object files were made to call by these
// names. A kernel has a heap of its own, in the device's memory; host code that of the C library.

#include <cstdlib>
#include <cstring>
#include <new>

#include "simulator/runtime/block.h"
#include "simulator/runtime/memory.h"

namespace {

bool is_of_kernel(const void* pointer) {
  return pointer != nullptr && simulator::find_allocation(pointer).has_value();
}

// The device's memory gives nullptr where there is no more, as CUDA's does.
void* take(std::size_t bytes) {
  return simulator::allocate(bytes == 0 ? 1 : bytes, simulator::MemoryKind::device, {});
}

// Whether it was the kernel's.
bool give_back(void* pointer) {
  if (!is_of_kernel(pointer)) return false;
  simulator::deallocate(pointer, false, {});
  return true;
}

bool in_kernel() { return simulator::current_block() != nullptr; }

}  // namespace

extern "C" {

void* simulator_malloc(std::size_t bytes) { return in_kernel() ? take(bytes) : std::malloc(bytes); }
void simulator_free(void* pointer) {
  if (!give_back(pointer)) std::free(pointer);
}

void* simulator_Znwm(std::size_t bytes) {
  return in_kernel() ? take(bytes) : ::operator new(bytes);
}
void* simulator_Znam(std::size_t bytes) {
  return in_kernel() ? take(bytes) : ::operator new[](bytes);
}
void simulator_ZdlPv(void* pointer) {
  if (!give_back(pointer)) ::operator delete(pointer);
}
void simulator_ZdlPvm(void* pointer, std::size_t bytes) {
  if (!give_back(pointer)) ::operator delete(pointer, bytes);
}
void simulator_ZdaPv(void* pointer) {
  if (!give_back(pointer)) ::operator delete[](pointer);
}
void simulator_ZdaPvm(void* pointer, std::size_t bytes) {
  if (!give_back(pointer)) ::operator delete[](pointer, bytes);
}

}  // extern "C"
