#include "simulator/runtime/fiber.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>

// The System V ABI lets a function destroy every register but these six and the stack pointer.
asm(R"(
    .text
    .globl simulator_switch_context
    .hidden simulator_switch_context
    .type simulator_switch_context, @function
simulator_switch_context:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    movq %rdx, %rax
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size simulator_switch_context, .-simulator_switch_context

    # The first thing that a fiber runs: entry and argument come in the preserved registers.
    .type simulator_enter_fiber, @function
simulator_enter_fiber:
    .cfi_startproc
    .cfi_undefined rip
    movq %r12, %rdi
    callq *%r13
    ud2
    .cfi_endproc
    .size simulator_enter_fiber, .-simulator_enter_fiber
)");

extern "C" void simulator_enter_fiber();

namespace simulator {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kFibersInSlab = 32;

// Stacks a power of two apart would all use the same few sets of the cache: an odd number of pages
// for each, and tops that are staggered by a few lines, spread them.
constexpr std::size_t kFiberBytes = kPage + Fiber::kStackBytes;
constexpr std::size_t kStaggers = 16;
constexpr std::size_t kStaggerBytes = 192;

}  // namespace

Context context_of_this_thread() {
  Context context;
#ifdef __SANITIZE_ADDRESS__
  static thread_local const Context kThis = [] {
    Context found;
    pthread_attr_t attributes;
    void* bottom = nullptr;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &bottom, &found.stack_bytes);
      pthread_attr_destroy(&attributes);
    }
    found.stack_bottom = bottom;
    return found;
  }();
  context = kThis;
#endif
  return context;
}

void Fiber::prepare(void (*entry)(void*), void* argument) {
  // What simulator_switch_context pops: r15, r14, r13, r12, rbx, rbp, then the address to go to.
  void** stack = static_cast<void**>(top_);
  stack -= 2;  // where the return goes the stack must be 16-byte aligned, and no frame lies above
  stack[0] = stack[1] = nullptr;
  *--stack = reinterpret_cast<void*>(&simulator_enter_fiber);
  *--stack = nullptr;                         // rbp: the end of the chain of frames
  *--stack = nullptr;                         // rbx
  *--stack = argument;                        // r12
  *--stack = reinterpret_cast<void*>(entry);  // r13
  *--stack = nullptr;                         // r14
  *--stack = nullptr;                         // r15
  context_.stack_pointer = stack;
#ifdef __SANITIZE_ADDRESS__
  // A flow that was abandoned leaves marks where its variables were.
  __asan_unpoison_memory_region(bottom_, static_cast<char*>(top_) - static_cast<char*>(bottom_));
  context_.stack_bottom = bottom_;
  context_.stack_bytes =
      static_cast<std::size_t>(static_cast<char*>(top_) - static_cast<char*>(bottom_));
#endif
}

FiberPool::~FiberPool() {
  for (void* slab : slabs_) munmap(slab, kFibersInSlab * kFiberBytes);
}

Fiber* FiberPool::take() {
  if (free_.empty() && !grow()) return nullptr;
  Fiber* const fiber = free_.back();
  free_.pop_back();
  return fiber;
}

bool FiberPool::grow() {
  void* const slab = mmap(nullptr, kFibersInSlab * kFiberBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (slab == MAP_FAILED) return false;
  slabs_.push_back(slab);
  for (std::size_t i = 0; i < kFibersInSlab; ++i) {
    char* const guard = static_cast<char*>(slab) + i * kFiberBytes;
    if (mprotect(guard, kPage, PROT_NONE) != 0) return i > 0;
    char* const top = guard + kFiberBytes - (fibers_.size() % kStaggers) * kStaggerBytes;
    fibers_.push_back(std::make_unique<Fiber>(guard + kPage, top));
    free_.push_back(fibers_.back().get());
  }
  return true;
}

const Fiber* FiberPool::find(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const auto& fiber : fibers_) {
    const auto bottom = reinterpret_cast<std::uintptr_t>(fiber->stack_bottom());
    if (at >= bottom - kPage && at < reinterpret_cast<std::uintptr_t>(fiber->stack_top())) {
      return fiber.get();
    }
  }
  return nullptr;
}

}  // namespace simulator
