// File: simulator/async_copy.h
//
// Asynchronous copies (cp.async): a thread begins a copy into shared memory, goes on, and waits for
// it later.
//
// On a GPU the bytes may arrive at any time up to the wait. Here they arrive at the wait and no
// sooner, and until then the destination holds 0xff in every byte (NaN, or -1): a program that
// reads too early sees it in its results. The check build says where: a read of bytes that are on
// their way, and a write to the source or the destination before the wait.
//
// Copies are counted in groups: __commit_copies ends a group, __wait_for_copies(n) waits for all of
// the calling thread's groups but its last n. Bytes that a thread has waited for are seen by other
// threads after a barrier.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ASYNC_COPY_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ASYNC_COPY_H_

#include <simulator/synchronization.h>

#include <cstddef>

namespace __simulator {

// `__source_bytes` are copied, the rest of `__bytes` is zero.
void __begin_copy(void* __to, const void* __from, std::size_t __bytes, std::size_t __source_bytes,
                  __Where __where);
void __commit_copies();
void __wait_for_copies(unsigned __last_groups);

// The calling thread's copies that belong to no group yet arrive with the present phase of the
// barrier object (arrival.h).
void __bind_copies(const void* __barrier, __Where __where);

// What the instruction asks for: 4, 8 or 16 bytes, from global to shared memory, both aligned to
// their number.
inline void __begin_small_copy(void* __to, const void* __from, std::size_t __bytes,
                               std::size_t __source_bytes, __Where __where) {
  if ((__bytes != 4 && __bytes != 8 && __bytes != 16) || __source_bytes > __bytes) {
    __refuse("async-copy", "an asynchronous copy has an impossible size",
             "It copies 4, 8 or 16 bytes, of which the last ones may be filled with zero.",
             __where);
  }
  const auto __addresses =
      reinterpret_cast<std::size_t>(__to) | reinterpret_cast<std::size_t>(__from);
  if (__addresses % __bytes != 0) {
    __refuse(
        "misaligned", "an asynchronous copy has an address that is no multiple of its bytes",
        "Source and destination of a copy of 16 bytes are multiples of 16: look at the index of "
        "both, and declare shared arrays with __align__(16).",
        __where);
  }
  if (!__is_shared(__to) || __is_shared(__from)) {
    __refuse(
        "async-copy", "an asynchronous copy does not go from global to shared memory",
        "The first argument is the destination, in shared memory; the second is the source, in "
        "global memory.",
        __where);
  }
  __begin_copy(__to, __from, __bytes, __source_bytes, __where);
}

// The caller's share of a copy by a whole group: every `__threads`th piece from its rank on.
inline void __begin_group_copy(unsigned __rank, unsigned __threads, void* __to, const void* __from,
                               std::size_t __bytes, __Where __where) {
  const auto __addresses =
      reinterpret_cast<std::size_t>(__to) | reinterpret_cast<std::size_t>(__from) | __bytes;
  const std::size_t __piece = __addresses % 16 == 0  ? 16
                              : __addresses % 8 == 0 ? 8
                              : __addresses % 4 == 0 ? 4
                                                     : 1;
  for (std::size_t __at = __rank * __piece; __at < __bytes; __at += __threads * __piece) {
    __begin_copy(static_cast<char*>(__to) + __at, static_cast<const char*>(__from) + __at, __piece,
                 __piece, __where);
  }
}

}  // namespace __simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ASYNC_COPY_H_
