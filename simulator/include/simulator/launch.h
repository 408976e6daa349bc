// File: simulator/launch.h
//
// What `kernel<<<grid, block, shared, stream>>>(arguments)` becomes. The arguments are converted to
// the kernel's own parameter types and copied, once a launch, byte by byte as CUDA does it: no
// constructor or destructor runs for a GPU thread.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LAUNCH_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LAUNCH_H_

#include <driver_types.h>
#include <vector_types.h>

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

// Copies of parameters are the simulator's own memory traffic, not the kernel's.
#define __SIMULATOR_NOT_CHECKED __attribute__((no_sanitize("thread"), no_sanitize("bounds")))

namespace __simulator {

// A dependent argument, which puts off the choice of an overload until the kernel is known.
struct __Dependent {};

struct __Call {
  const char* __name;
  dim3 __grid;
  dim3 __block;
  std::size_t __shared_bytes;
  cudaStream_t __stream;
  const char* __file;
  int __line;
};

inline __Call __configure(const char* __name, const char* __file, int __line, dim3 __grid,
                          dim3 __block, std::size_t __shared_bytes = 0,
                          cudaStream_t __stream = nullptr) {
  return {__name, __grid, __block, __shared_bytes, __stream, __file, __line};
}

// GPU threads that differ in threadIdx.x alone and run one after another. The loop over them stands
// here, in the program, so that a thread of a kernel that waits for nothing costs a call and a
// store. The runtime learns how far it has come from threadIdx.x.
//
// Once a thread waits, others begin elsewhere, and the row ends behind the one that waited. The
// watchdog may make a thread wait at any instruction. Therefore the next thread has begun when its
// index is stored, neither sooner nor later, and the end is looked at after that; both are volatile
// to keep this order.
struct __Row {
  volatile unsigned* __x;  // threadIdx.x
  volatile unsigned __end;
};

// Runs the kernel for the thread that threadIdx names, then for the rest of its row.
using __Body = void (*)(void* __arguments, __Row* __row);

// `__function` may be nullptr.
void __launch(const __Call& __call, const void* __function, __Body __body, const void* __arguments,
              std::size_t __bytes);

template <typename __T>
struct __Bytes {
  alignas(__T) unsigned char __bytes[sizeof(__T)];
};

// How a by-value parameter is passed by the C++ ABI: objects with a copy constructor of their own
// by the address of a copy, which may as well be the launch's.
template <typename __T>
using __Passed = std::conditional_t<std::is_trivially_copy_constructible_v<__T> &&
                                        std::is_trivially_destructible_v<__T>,
                                    __T, __T&>;

template <typename... __P>
struct __Signature {
  using __Kernel = void (*)(__P...);
  struct __Arguments {
    void (*__kernel)(__Passed<__P>...);
    std::tuple<__Bytes<__P>...> __values;
  };

  __Kernel __kernel;
  __Body __body = &__run;

  void operator()(const __Call& __call, __P... __arguments) const {
    __Arguments __all;
    __all.__kernel =
        reinterpret_cast<void (*)(__Passed<__P>...)>(reinterpret_cast<void (*)()>(__kernel));
    __copy(__all, std::index_sequence_for<__P...>{}, __arguments...);
    __launch(__call, reinterpret_cast<const void*>(__kernel), __body, &__all, sizeof(__all));
  }

  template <std::size_t... __I>
  static void __copy([[maybe_unused]] __Arguments& __all, std::index_sequence<__I...>,
                     __P&... __arguments) {
    (std::memcpy(&std::get<__I>(__all.__values), static_cast<const void*>(&__arguments),
                 sizeof(__P)),
     ...);
  }

  __SIMULATOR_NOT_CHECKED static void __run(void* __all, __Row* __row) {
    unsigned __x = *__row->__x;
    do {
      __call_kernel(*static_cast<__Arguments*>(__all), std::index_sequence_for<__P...>{});
      *__row->__x = ++__x;
    } while (__x < __row->__end);
  }

  template <std::size_t... __I>
  __SIMULATOR_NOT_CHECKED static void __call_kernel(__Arguments& __all,
                                                    std::index_sequence<__I...>) {
    __all.__kernel(*reinterpret_cast<__P*>(&std::get<__I>(__all.__values))...);
  }

  // The same for a kernel that the compiler knows and may put into the loop: a third of the time.
  static constexpr bool __passes_values = (std::is_same_v<__P, __Passed<__P>> && ...);

  template <__Kernel __known>
  static void __run_known(void* __all, __Row* __row) {
    __run_row<__known>(*static_cast<__Arguments*>(__all), __row, std::index_sequence_for<__P...>{});
  }

  template <__Kernel __known, std::size_t... __I>
  static void __run_row([[maybe_unused]] __Arguments& __all, __Row* __row,
                        std::index_sequence<__I...>) {
    volatile unsigned* const __at = __row->__x;
    unsigned __x = *__at;
    do {
      __known(*reinterpret_cast<__P*>(&std::get<__I>(__all.__values))...);
      __asm__ volatile("" ::: "memory");  // the thread has done all that it does
      *__at = ++__x;
    } while (__x < __row->__end);
  }
};

template <typename... __P>
__Signature<__P...> __signature(__Dependent, void (*__kernel)(__P...)) {
  return {__kernel};
}

// For a kernel that is named where it is launched.
template <auto __kernel>
auto __named(__Dependent __dependent) {
  auto __it = __signature(__dependent, __kernel);
#ifndef __SANITIZE_THREAD__  // where threadIdx is a constant (thread.h)
  if constexpr (__it.__passes_values) __it.__body = &__it.template __run_known<__kernel>;
#endif
  return __it;
}

// For kernels whose template arguments or overload only a call can tell.
template <typename __Invoke>
struct __ByCall {
  template <typename... __A>
  struct __Arguments {
    __Invoke __invoke;
    std::tuple<__Bytes<__A>...> __values;
  };

  __Invoke __invoke;

  template <typename... __A>
  void operator()(const __Call& __call, __A... __arguments) const {
    // Bytes, since a lambda has no default constructor.
    alignas(__Arguments<__A...>) unsigned char __storage[sizeof(__Arguments<__A...>)];
    auto& __all = *reinterpret_cast<__Arguments<__A...>*>(__storage);
    std::memcpy(static_cast<void*>(&__all.__invoke), &__invoke, sizeof(__Invoke));
    __copy(__all, std::index_sequence_for<__A...>{}, __arguments...);
    __launch(__call, nullptr, &__run<__A...>, __storage, sizeof(__storage));
  }

  template <typename... __A, std::size_t... __I>
  static void __copy([[maybe_unused]] __Arguments<__A...>& __all, std::index_sequence<__I...>,
                     __A&... __arguments) {
    (std::memcpy(&std::get<__I>(__all.__values), static_cast<const void*>(&__arguments),
                 sizeof(__A)),
     ...);
  }

  template <typename... __A>
  __SIMULATOR_NOT_CHECKED static void __run(void* __all, __Row* __row) {
    unsigned __x = *__row->__x;
    do {
      __call_kernel(*static_cast<__Arguments<__A...>*>(__all), std::index_sequence_for<__A...>{});
      *__row->__x = ++__x;
    } while (__x < __row->__end);
  }

  // Not inlined, since threadIdx is a constant to the kernel, of which the compiler would keep the
  // first thread's value.
  template <typename... __A, std::size_t... __I>
  __SIMULATOR_NOT_CHECKED __attribute__((noinline)) static void __call_kernel(
      __Arguments<__A...>& __all, std::index_sequence<__I...>) {
    __all.__invoke(*reinterpret_cast<__A*>(&std::get<__I>(__all.__values))...);
  }
};

template <typename __Invoke>
__ByCall<__Invoke> __by_call(__Dependent, __Invoke __invoke) {
  return {__invoke};
}

}  // namespace __simulator

#define __SIMULATOR_EXPAND(...) __VA_ARGS__
#define __SIMULATOR_TEXT(...) #__VA_ARGS__

// KERNEL and CONFIGURATION come in parentheses, since commas may stand in them. A kernel is named,
// or a pointer to one, or only the call tells which it is.
#define __SIMULATOR_LAUNCH(KERNEL, CONFIGURATION, ...)                                          \
  ([&](auto __simulator_dependent) {                                                            \
    const ::__simulator::__Call __simulator_call =                                              \
        ::__simulator::__configure(__SIMULATOR_TEXT KERNEL, __builtin_FILE(), __builtin_LINE(), \
                                   __SIMULATOR_EXPAND CONFIGURATION);                           \
    if constexpr (requires {                                                                    \
                    ::__simulator::__named<__SIMULATOR_EXPAND KERNEL>(__simulator_dependent)(   \
                        __simulator_call __VA_OPT__(, ) __VA_ARGS__);                           \
                  }) {                                                                          \
      ::__simulator::__named<__SIMULATOR_EXPAND KERNEL>(__simulator_dependent)(                 \
          __simulator_call __VA_OPT__(, ) __VA_ARGS__);                                         \
    } else if constexpr (requires {                                                             \
                           ::__simulator::__signature(__simulator_dependent,                    \
                                                      __SIMULATOR_EXPAND KERNEL)(               \
                               __simulator_call __VA_OPT__(, ) __VA_ARGS__);                    \
                         }) {                                                                   \
      ::__simulator::__signature(__simulator_dependent, __SIMULATOR_EXPAND KERNEL)(             \
          __simulator_call __VA_OPT__(, ) __VA_ARGS__);                                         \
    } else {                                                                                    \
      ::__simulator::__by_call(__simulator_dependent, [&](auto&... __simulator_arguments) {     \
        __SIMULATOR_EXPAND KERNEL(__simulator_arguments...);                                    \
      })(__simulator_call __VA_OPT__(, ) __VA_ARGS__);                                          \
    }                                                                                           \
  }(::__simulator::__Dependent{}))

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LAUNCH_H_
