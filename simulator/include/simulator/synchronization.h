// File: simulator/synchronization.h
//
// Barriers, fences and the entry to the runtime for warp collectives. Every call carries the source
// line on which it is written, so that a deadlock can say who waits where.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SYNCHRONIZATION_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SYNCHRONIZATION_H_

#include <simulator/language.h>

namespace __simulator {

// The source line of a call, taken by a default argument where the call is written.
struct __Where {
  const char* __file;
  int __line;
};

enum class __Barrier : unsigned char { __plain, __count, __and, __or };

enum class __Collective : unsigned char {
  __sync,
  __shuffle,
  __any,
  __all,
  __ballot,
  __match_any,
  __match_all,
  __add,
  __min_unsigned,
  __min_signed,
  __max_unsigned,
  __max_signed,
  __and,
  __or,
  __xor,
  __joint,  // see __do_jointly
};

enum class __Scope : unsigned char { __block, __device, __system };

void __barrier(__Barrier __kind, int __predicate, __Where __where);
int __barrier_result();  // of the one that the thread has just passed
void __grid_barrier(__Where __where);
void __fence(__Scope __scope);

// What each lane gets: the shuffled value, 1 or 0, a mask of lanes, the reduced value. match_all
// has its predicate in bit 32.
unsigned long long __collective(__Collective __kind, unsigned __mask, unsigned long long __value,
                                unsigned __source_lane, __Where __where);
unsigned __converged_lanes(__Where __where);

// What the 32 lanes of a warp do as one, such as a matrix product: the last to come does it, with
// what each lane has handed in. `__name` is for reports.
struct __Joint_work {
  const char* __name;
  void (*__work)(void* const* __of_lanes, __Where __where);
};
void __do_jointly(const __Joint_work& __work, void* __mine, __Where __where);

bool __launched_cooperatively();
bool __is_shared(const void* __address);

// For threads that wait by asking again and again: lets others run.
void __yield();

[[noreturn]] void __trap_here(__Where __where);

// Ends the launch with a report on the running thread.
long long __look_at_clock();

[[noreturn]] void __refuse(const char* __kind, const char* __sentence, const char* __cause,
                           __Where __where);

}  // namespace __simulator

#ifdef __CUDACC__

#define __SIMULATOR_WHERE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()

inline void __syncthreads(__SIMULATOR_WHERE) {
  __simulator::__barrier(__simulator::__Barrier::__plain, 0, {__file, __line});
}
inline int __syncthreads_count(int __predicate, __SIMULATOR_WHERE) {
  __simulator::__barrier(__simulator::__Barrier::__count, __predicate, {__file, __line});
  return __simulator::__barrier_result();
}
inline int __syncthreads_and(int __predicate, __SIMULATOR_WHERE) {
  __simulator::__barrier(__simulator::__Barrier::__and, __predicate, {__file, __line});
  return __simulator::__barrier_result();
}
inline int __syncthreads_or(int __predicate, __SIMULATOR_WHERE) {
  __simulator::__barrier(__simulator::__Barrier::__or, __predicate, {__file, __line});
  return __simulator::__barrier_result();
}

inline void __threadfence_block() { __simulator::__fence(__simulator::__Scope::__block); }
inline void __threadfence() { __simulator::__fence(__simulator::__Scope::__device); }
inline void __threadfence_system() { __simulator::__fence(__simulator::__Scope::__system); }

inline void __nanosleep(unsigned) { __simulator::__yield(); }

// Goes on with what the block does, its barriers and every look at the clock, and not with time: a
// kernel that waits for it comes to an end, and the difference of two looks measures nothing.
inline long long clock64() { return __simulator::__look_at_clock(); }
[[noreturn]] inline void __trap(__SIMULATOR_WHERE) { __simulator::__trap_here({__file, __line}); }

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SYNCHRONIZATION_H_
