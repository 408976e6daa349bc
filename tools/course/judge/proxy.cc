#include "tools/course/judge/proxy.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "kernels/cuda_check.h"
#include "simulator/runtime/memory.h"
#include "tests/harness/exercise/messages.h"
#include "tools/course/judge/student_program.h"

namespace andrea::judge {

namespace {

// The allocation that the address lies in, or at the end of.
std::optional<simulator::Allocation> allocation_of(std::uintptr_t address) {
  // The end of one may be the start of the next.
  for (const std::uintptr_t at : {address, address - 1}) {
    auto found = simulator::find_allocation(reinterpret_cast<const void*>(at));
    if (found && !found->freed && address - found->address <= found->bytes) return found;
  }
  return std::nullopt;
}

}  // namespace

Place CallMemory::place_of(const void* pointer) {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  const std::optional<simulator::Allocation> memory = allocation_of(at);
  if (!memory) throw std::logic_error("a pointer of a call is to no memory of CUDA's");
  const auto same = [&](const Known& one) { return one.begin == memory->address; };
  auto found = std::find_if(known_.begin(), known_.end(), same);
  if (found == known_.end()) {
    const std::string name = memory->name.empty()
                                 ? "a buffer of " + std::to_string(memory->bytes) + " bytes"
                                 : memory->name;
    found = known_.insert(known_.end(), {memory->address, memory->bytes, name,
                                         memory->kind == simulator::MemoryKind::pinned});
  }
  return {static_cast<std::uint32_t>(found - known_.begin() + 1), at - memory->address};
}

std::vector<Buffer> CallMemory::contents() const {
  std::vector<Buffer> buffers;
  for (const Known& one : known_) {
    std::string bytes(one.bytes, '\0');
    CUDA_CHECK(cudaMemcpy(bytes.data(), reinterpret_cast<const void*>(one.begin), one.bytes,
                          cudaMemcpyDefault));
    buffers.push_back({one.name, one.pinned, std::move(bytes)});
  }
  return buffers;
}

void CallMemory::put_back(const std::vector<std::string>& contents) const {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    // Those that were lent for reading only, too: whether they have changed is for the test to see.
    CUDA_CHECK(cudaMemcpy(reinterpret_cast<void*>(known_[i].begin), contents[i].data(),
                          known_[i].bytes, cudaMemcpyDefault));
  }
}

std::string asked(const std::string& function, const CallMemory& arguments) {
  Call call;
  call.function = function;
  call.arguments = arguments.bytes();
  call.buffers = arguments.contents();
  Reply reply = student_program().ask(std::move(call));
  arguments.put_back(reply.contents);
  return std::move(reply.result);
}

void no_result(const Malformed& problem) {
  throw CallFailed(message("judge.malformed", {{"problem", problem.what()}}));
}

}  // namespace andrea::judge
