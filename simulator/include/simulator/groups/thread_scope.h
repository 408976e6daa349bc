// File: simulator/groups/thread_scope.h
//
// What the headers under cuda/ share: scopes, memory orders, sizes with a known alignment, and
// cuda::std, which is the host's standard library here.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_THREAD_SCOPE_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_THREAD_SCOPE_H_

#include <simulator/language.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cuda {

namespace std {
using namespace ::std;
}  // namespace std

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10,
};

using memory_order = ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

template <::std::size_t __alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = __alignment;
  ::std::size_t value;

  explicit constexpr aligned_size_t(::std::size_t __size) : value(__size) {}
  constexpr operator ::std::size_t() const { return value; }
};

// What memcpy_async tells of itself.
enum class async_contract_fulfillment { none, async };

}  // namespace cuda

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_THREAD_SCOPE_H_
