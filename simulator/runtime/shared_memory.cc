#include "simulator/runtime/shared_memory.h"

#include <link.h>

#include <cstdint>
#include <cstring>

#include "simulator/runtime/thread_variables.h"

extern "C" __thread unsigned simulator_atomics_until_yield;

namespace simulator {
namespace {

// The first object that the loader tells of is the program itself.
int of_program(dl_phdr_info* info, std::size_t, void* result) {
  auto* const memory = static_cast<SharedMemory*>(result);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_TLS) continue;
    memory->variables = static_cast<char*>(info->dlpi_tls_data);
    memory->variables_bytes = info->dlpi_phdr[i].p_memsz;
  }
  return 1;
}

SharedMemory find() {
  SharedMemory memory;
  dl_iterate_phdr(&of_program, &memory);
  memory.dynamic = variables::simulator_dynamic_shared;
  memory.dynamic_bytes = variables::kDynamicSharedBytes;
  return memory;
}

}  // namespace

const SharedMemory& shared_memory() {
  static thread_local const SharedMemory kMemory = find();
  return kMemory;
}

bool is_runtime_variable(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto inside = [&](const auto& variable) {
    return at - reinterpret_cast<std::uintptr_t>(&variable) < sizeof variable;
  };
  return inside(variables::simulator_thread_index) || inside(variables::simulator_block_index) ||
         inside(variables::simulator_block_size) || inside(variables::simulator_grid_size) ||
         inside(simulator_atomics_until_yield);
}

void SharedMemoryCopy::save(std::size_t dynamic_bytes) {
  const SharedMemory& memory = shared_memory();
  bytes_.resize(memory.variables_bytes + dynamic_bytes);
  std::memcpy(bytes_.data(), memory.variables, memory.variables_bytes);
  std::memcpy(bytes_.data() + memory.variables_bytes, memory.dynamic, dynamic_bytes);
}

void SharedMemoryCopy::restore() const {
  const SharedMemory& memory = shared_memory();
  const std::size_t dynamic_bytes = bytes_.size() - memory.variables_bytes;
  std::memcpy(memory.variables, bytes_.data(), memory.variables_bytes);
  std::memcpy(memory.dynamic, bytes_.data() + memory.variables_bytes, dynamic_bytes);
}

}  // namespace simulator
