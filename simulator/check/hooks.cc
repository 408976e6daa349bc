// The functions that GCC's instrumentation for threads calls at every load and store. GCC calls
// them
// __tsan_read4 and so on; object files are made to call them by these names (kernel_flags.bzl).

#include <simulator/atomics.h>

#include <cstddef>
#include <cstdint>

#include "simulator/check/checker.h"
#include "simulator/check/plain_access.h"
#include "simulator/profile/profiler.h"
#include "simulator/profile/program_profile.h"

namespace simulator {
namespace {

Checker* the_checker = nullptr;

}  // namespace

// While kernels are counted the profiler stands in its place.
Checker* checker() { return the_profiler == nullptr ? the_checker : nullptr; }

namespace {

constexpr Profiler::Access plain(bool write) {
  return write ? Profiler::Access::store : Profiler::Access::load;
}

void touch(const void* address, unsigned bytes, bool write, void* caller, std::uint32_t flags = 0,
           bool aligned = true) {
  // The return address is that of the next instruction.
  const std::uintptr_t code = reinterpret_cast<std::uintptr_t>(caller) - 1;
  if (the_profiler != nullptr) [[unlikely]] {
    return the_profiler->access(reinterpret_cast<std::uintptr_t>(address), bytes, plain(write),
                                code);
  }
  if (the_checker == nullptr) return;
  the_checker->access(
      {reinterpret_cast<std::uintptr_t>(address), bytes, write, flags, aligned, code});
}

// Most of a program's accesses.
template <unsigned kBytes, bool kWrite>
inline void touch_plainly(const void* address, void* caller) {
  const std::uintptr_t code = reinterpret_cast<std::uintptr_t>(caller) - 1;
  if constexpr (kBytes >= 4) {
    const bool watched = the_checker != nullptr && the_profiler == nullptr;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (watched && the_checker->plain_access<kBytes, kWrite>(at, code)) return;
  }
  touch(address, kBytes, kWrite, caller);
}

constexpr std::uint32_t kVolatile = AccessRecord::kVolatile;

// A thread that reads a volatile again and again may wait for another, which must be let run.
inline void touch_volatile(const void* address, unsigned bytes, void* caller, bool aligned = true) {
  // Before the access, as what others do in between comes before it too.
  if (current_block() != nullptr) __simulator::__count_atomic();
  touch(address, bytes, false, caller, kVolatile, aligned);
}

// Any number of bytes, for the profiler. Returns whether it was there to see them.
bool count_range(const void* address, std::size_t bytes, bool write, void* caller) {
  if (the_profiler == nullptr) return false;
  the_profiler->range(reinterpret_cast<std::uintptr_t>(address), bytes, plain(write),
                      reinterpret_cast<std::uintptr_t>(caller) - 1);
  return true;
}

void* copy(void* to, const void* from, std::size_t bytes, void* caller) {
  if (count_range(from, bytes, false, caller)) count_range(to, bytes, true, caller);
  if (checker() == nullptr) return __builtin_memmove(to, from, bytes);
  the_checker->copy(to, from, bytes, reinterpret_cast<std::uintptr_t>(caller) - 1);
  return to;
}

}  // namespace
}  // namespace simulator

#define CALLER __builtin_return_address(0)

extern "C" {

// Called by every instrumented file before the program begins: this is a check build.
void simulator_tsan_init() {
  if (simulator::can_count()) return;
  if (simulator::begin_program_profile()) return;
  simulator::the_checker = new simulator::Checker;
  simulator::set_observer(simulator::the_checker);
}

#define HOOKS(BYTES)                                                                              \
  void simulator_tsan_read##BYTES(void* p) { simulator::touch_plainly<BYTES, false>(p, CALLER); } \
  void simulator_tsan_write##BYTES(void* p) { simulator::touch_plainly<BYTES, true>(p, CALLER); } \
  void simulator_tsan_unaligned_read##BYTES(void* p) {                                            \
    simulator::touch(p, BYTES, false, CALLER, 0, false);                                          \
  }                                                                                               \
  void simulator_tsan_unaligned_write##BYTES(void* p) {                                           \
    simulator::touch(p, BYTES, true, CALLER, 0, false);                                           \
  }                                                                                               \
  void simulator_tsan_volatile_read##BYTES(void* p) {                                             \
    simulator::touch_volatile(p, BYTES, CALLER);                                                  \
  }                                                                                               \
  void simulator_tsan_volatile_write##BYTES(void* p) {                                            \
    simulator::touch(p, BYTES, true, CALLER, simulator::kVolatile);                               \
  }                                                                                               \
  void simulator_tsan_unaligned_volatile_read##BYTES(void* p) {                                   \
    simulator::touch_volatile(p, BYTES, CALLER, false);                                           \
  }                                                                                               \
  void simulator_tsan_unaligned_volatile_write##BYTES(void* p) {                                  \
    simulator::touch(p, BYTES, true, CALLER, simulator::kVolatile, false);                        \
  }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
#undef HOOKS

void simulator_tsan_read_range(void* p, unsigned long bytes) {
  if (simulator::count_range(p, bytes, false, CALLER)) return;
  if (simulator::checker() == nullptr) return;
  simulator::the_checker->range(reinterpret_cast<std::uintptr_t>(p), bytes, false,
                                reinterpret_cast<std::uintptr_t>(CALLER) - 1);
}
void simulator_tsan_write_range(void* p, unsigned long bytes) {
  if (simulator::count_range(p, bytes, true, CALLER)) return;
  if (simulator::checker() == nullptr) return;
  simulator::the_checker->range(reinterpret_cast<std::uintptr_t>(p), bytes, true,
                                reinterpret_cast<std::uintptr_t>(CALLER) - 1);
}
void simulator_tsan_vptr_update(void** p, void*) { simulator::touch(p, sizeof *p, true, CALLER); }
void simulator_tsan_vptr_read(void** p) { simulator::touch(p, sizeof *p, false, CALLER); }
void simulator_tsan_func_entry(void*) {}
void simulator_tsan_func_exit() {}

// At the beginning of each piece of code that has no branch in it.
void simulator_sanitizer_cov_trace_pc() {
  if (simulator::the_profiler == nullptr) [[likely]]
    return;
  simulator::the_profiler->execute(reinterpret_cast<std::uintptr_t>(CALLER) - 1);
}

// The program's memcpy, memmove and memset.
void* simulator_memcpy(void* to, const void* from, std::size_t bytes) {
  return simulator::copy(to, from, bytes, CALLER);
}
void* simulator_memmove(void* to, const void* from, std::size_t bytes) {
  return simulator::copy(to, from, bytes, CALLER);
}
void* simulator_memset(void* to, int value, std::size_t bytes) {
  simulator::count_range(to, bytes, true, CALLER);
  if (simulator::checker() == nullptr) return __builtin_memset(to, value, bytes);
  simulator::the_checker->fill(to, value, bytes, reinterpret_cast<std::uintptr_t>(CALLER) - 1);
  return to;
}

}  // extern "C"
