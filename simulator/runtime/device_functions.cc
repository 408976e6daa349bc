// What kernels call in the runtime: each finds the block that runs on this OS thread.

#include <simulator/arrival.h>
#include <simulator/async_copy.h>
#include <simulator/atomics.h>
#include <simulator/synchronization.h>

#include <cstdio>
#include <cstdlib>

#include "simulator/runtime/block.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/observer.h"
#include "simulator/runtime/shared_memory.h"

namespace simulator {
namespace {

constexpr unsigned kAtomicsUntilYield = 1000;

}  // namespace

void called_by_host(const char* function) {
  fatal(std::string(function) + " is for kernels, and host code called it.");
}

}  // namespace simulator

extern "C" {
__thread unsigned simulator_atomics_until_yield = simulator::kAtomicsUntilYield;
}

namespace __simulator {

int __barrier_result() { return simulator::block_of_caller("__syncthreads").barrier_result(); }

long long __look_at_clock() { return simulator::block_of_caller("clock64").look_at_clock(); }

void __grid_barrier(__Where where) {
  simulator::block_of_caller("the grid's sync").grid_barrier(where);
}

void __fence(__Scope scope) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  simulator::Observer* const observer = simulator::observer();
  if (observer != nullptr) observer->fence(simulator::block_of_caller("__threadfence"), scope);
}

void __do_jointly(const __Joint_work& work, void* mine, __Where where) {
  const simulator::Block::JointCall call{&work, mine};
  simulator::block_of_caller(work.__name);
  __collective(__Collective::__joint, ~0u, reinterpret_cast<std::uintptr_t>(&call), 0, where);
}

unsigned __converged_lanes(__Where where) {
  return simulator::block_of_caller("__activemask").converged_lanes(where);
}

void __yield() {
  simulator_atomics_until_yield = simulator::kAtomicsUntilYield;
  simulator::Block* const block = simulator::current_block();
  if (block != nullptr) block->yield();
}

void __begin_arrivals(const void* barrier, long long expected, __Where where) {
  simulator::block_of_caller("a barrier object").begin_arrivals(barrier, expected, where);
}

unsigned long long __arrive(const void* barrier, long long arrivals, bool drop, __Where where) {
  return simulator::block_of_caller("a barrier object").arrive(barrier, arrivals, drop, where);
}

bool __has_completed(const void* barrier, unsigned long long phase, __Where where) {
  return simulator::block_of_caller("a barrier object").has_completed(barrier, phase, where);
}

void __wait_for_phase(const void* barrier, unsigned long long phase, __Where where) {
  simulator::block_of_caller("a barrier object").wait_for_phase(barrier, phase, where);
}

unsigned long long __phase_in_progress(const void* barrier, __Where where) {
  return simulator::block_of_caller("a barrier object").phase_in_progress(barrier, where);
}

void __begin_copy(void* to, const void* from, std::size_t bytes, std::size_t source_bytes,
                  __Where) {
  simulator::AsyncCopy copy;
  copy.to = to;
  copy.from = from;
  copy.bytes = bytes;
  copy.source_bytes = source_bytes;
  copy.code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  simulator::block_of_caller("an asynchronous copy").begin_copy(copy);
}

void __commit_copies() { simulator::block_of_caller("an asynchronous copy").commit_copies(); }

void __wait_for_copies(unsigned last_groups) {
  simulator::block_of_caller("an asynchronous copy").wait_for_copies(last_groups);
}

void __bind_copies(const void* barrier, __Where where) {
  simulator::block_of_caller("an asynchronous copy").bind_copies(barrier, where);
}

bool __launched_cooperatively() {
  return simulator::block_of_caller("is_valid").grid().launch.cooperative;
}

bool __is_shared(const void* address) {
  const simulator::SharedMemory& shared = simulator::shared_memory();
  const auto offset = [&](const char* begin) {
    return static_cast<std::size_t>(static_cast<const char*>(address) - begin);
  };
  return offset(shared.variables) < shared.variables_bytes ||
         offset(shared.dynamic) < shared.dynamic_bytes;
}

void __refuse(const char* kind, const char* sentence, const char* cause, __Where where) {
  simulator::Block& block = simulator::block_of_caller(sentence);
  simulator::Report report;
  report.kind = kind;
  report.sentence = sentence;
  report.cause = cause;
  report.parties.push_back(simulator::party(block, block.current_thread(), "calls it", where));
  simulator::end_launch(block, cudaErrorLaunchFailure, report);
}

void __trap_here(__Where where) {
  simulator::fault::trap(simulator::block_of_caller("__trap"), where);
}

}  // namespace __simulator

// In the place of the C library's: a failed assertion ends the kernel, and the host goes on.
extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                           const char* function) noexcept {
  simulator::Block* const block = simulator::current_block();
  if (block != nullptr) {
    simulator::fault::assertion(*block, expression, {file, static_cast<int>(line)}, function);
  }
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}
