// The functions that GCC's instrumentation calls in the place of atomic instructions.

#include <cstdint>

#include "simulator/check/checker.h"
#include "simulator/profile/profiler.h"

namespace {

inline void atomic_access(volatile const void* address, unsigned bytes, bool write, void* caller,
                          bool value_used = true) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t code = reinterpret_cast<std::uintptr_t>(caller) - 1;
  if (simulator::the_profiler != nullptr) {
    using Access = simulator::Profiler::Access;
    simulator::the_profiler->access(at, bytes, write ? Access::atomic : Access::atomic_load, code);
    return;
  }
  simulator::Checker* const checker = simulator::checker();
  if (checker == nullptr) return;
  checker->access({at, bytes, write, simulator::AccessRecord::kAtomic, true, code, value_used});
}

}  // namespace

#define CALLER __builtin_return_address(0)
#define FETCH(BITS, T, NAME)                                              \
  T simulator_tsan_atomic##BITS##_fetch_##NAME(volatile T* a, T v, int) { \
    atomic_access(a, sizeof(T), true, CALLER);                            \
    return __atomic_fetch_##NAME(a, v, __ATOMIC_SEQ_CST);                 \
  }

#define HOOKS(BITS, T)                                                                            \
  T simulator_tsan_atomic##BITS##_load(const volatile T* a, int) {                                \
    atomic_access(a, sizeof(T), false, CALLER);                                                   \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                               \
  void simulator_tsan_atomic##BITS##_store(volatile T* a, T v, int) {                             \
    atomic_access(a, sizeof(T), true, CALLER, false);                                             \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                     \
  }                                                                                               \
  T simulator_tsan_atomic##BITS##_exchange(volatile T* a, T v, int) {                             \
    atomic_access(a, sizeof(T), true, CALLER);                                                    \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                           \
  }                                                                                               \
  FETCH(BITS, T, add)                                                                             \
  FETCH(BITS, T, sub)                                                                             \
  FETCH(BITS, T, and)                                                                             \
  FETCH(BITS, T, or)                                                                              \
  FETCH(BITS, T, xor)                                                                             \
  FETCH(BITS, T, nand)                                                                            \
  int simulator_tsan_atomic##BITS##_compare_exchange_strong(volatile T* a, T* c, T v, int, int) { \
    atomic_access(a, sizeof(T), true, CALLER);                                                    \
    return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
  }                                                                                               \
  int simulator_tsan_atomic##BITS##_compare_exchange_weak(volatile T* a, T* c, T v, int, int) {   \
    atomic_access(a, sizeof(T), true, CALLER);                                                    \
    return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
  }                                                                                               \
  T simulator_tsan_atomic##BITS##_compare_exchange_val(volatile T* a, T c, T v, int, int) {       \
    atomic_access(a, sizeof(T), true, CALLER);                                                    \
    __atomic_compare_exchange_n(a, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);             \
    return c;                                                                                     \
  }

extern "C" {

HOOKS(8, std::uint8_t)
HOOKS(16, std::uint16_t)
HOOKS(32, std::uint32_t)
HOOKS(64, std::uint64_t)

void simulator_tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void simulator_tsan_atomic_signal_fence(int) {}

}  // extern "C"
