// File: fiber.h
//
// A fiber is a stack on which one GPU thread after another runs until one of them must wait. Then
// its fiber is left as it is and another is switched to. A switch costs a few nanoseconds: it saves
// the six registers that a C++ function must preserve, and nothing of the operating system's.

#ifndef ANDREA_SIMULATOR_RUNTIME_FIBER_H_
#define ANDREA_SIMULATOR_RUNTIME_FIBER_H_

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace simulator {

// Where a suspended flow of control stands: its stack pointer. What it needs lies on the stack.
struct Context {
  void* stack_pointer = nullptr;  // where the registers are saved
#ifdef __SANITIZE_ADDRESS__
  const void* stack_bottom = nullptr;
  std::size_t stack_bytes = 0;
#endif
};

// In assembly: saves the caller's registers on its stack and goes on with the other one's.
extern "C" [[gnu::visibility("hidden")]] std::uint64_t simulator_switch_context(
    void** from, void* const* to, std::uint64_t handed_over);

// The context of an OS thread's own stack, to come back to.
Context context_of_this_thread();

// Leaves the running flow in `from` and continues `to`; returns when somebody switches to `from`,
// with what that one hands over. Cheapest as the last thing that a function does: the switch itself
// is then the only one to save registers.
inline std::uint64_t switch_context(Context& from, const Context& to,
                                    std::uint64_t handed_over = 0) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(nullptr, to.stack_bottom, to.stack_bytes);
  const std::uint64_t result =
      simulator_switch_context(&from.stack_pointer, &to.stack_pointer, handed_over);
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
  return result;
#else
  return simulator_switch_context(&from.stack_pointer, &to.stack_pointer, handed_over);
#endif
}

// While it lives, the leak checker does not count what this OS thread allocates: a GPU thread that
// ends its launch is dropped with all that its variables own.
struct MayBeDropped {
#ifdef __SANITIZE_ADDRESS__
  MayBeDropped() { __lsan_disable(); }
  ~MayBeDropped() { __lsan_enable(); }
#endif
};

// What a fiber does first.
inline void arrive_on_fiber() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

class Fiber {
 public:
  // GPU threads keep little on their stacks; deep recursion gets a report, by the guard page below.
  static constexpr std::size_t kStackBytes = 64 * 1024;

  // A stack that somebody else keeps.
  Fiber(void* stack_bottom, void* stack_top) : bottom_(stack_bottom), top_(stack_top) {}

  // Makes the fiber run entry(argument) when it is switched to next. The entry must never return.
  void prepare(void (*entry)(void*), void* argument);

  Context& context() { return context_; }               // where it goes on
  const void* stack_bottom() const { return bottom_; }  // the lower end of its addresses
  const void* stack_top() const { return top_; }        // the upper end of its addresses

 private:
  Context context_;
  void* bottom_;
  void* top_;
};

// Fibers are dear to make and cheap to keep, so a worker owns those it has ever needed.
class FiberPool {
 public:
  FiberPool() = default;
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;
  ~FiberPool();

  // A fiber to prepare; nullptr where the system grants no more memory.
  Fiber* take();
  void give_back(Fiber* fiber) { free_.push_back(fiber); }  // so that another thread can have it

  // The fiber on whose stack, or in whose guard page, the address lies; nullptr where none.
  const Fiber* find(const void* address) const;

 private:
  bool grow();

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> free_;
  std::vector<void*> slabs_;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_FIBER_H_
