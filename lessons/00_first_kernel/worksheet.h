// The worksheet of lesson 00. Its exercises are tried by
//
//   bazel test //lessons/00_first_kernel:worksheet_test

#ifndef ANDREA_LESSONS_00_FIRST_KERNEL_WORKSHEET_H_
#define ANDREA_LESSONS_00_FIRST_KERNEL_WORKSHEET_H_

#include "lessons/worksheet.h"

namespace andrea::worksheet00 {

using worksheet::kNoChoice;
using worksheet::kUnanswered;

// 00.w1  Blocks of `block` threads are to give each of n numbers a thread of its own.
constexpr std::int64_t blocks_needed(std::int64_t n, std::int64_t block) {
  // TODO(00.w1): how many blocks it takes.
  return kUnanswered;
}

// 00.w2  In the same launch some threads find no number and do nothing.
constexpr std::int64_t idle_threads(std::int64_t n, std::int64_t block) {
  // TODO(00.w2): how many threads are idle.
  return kUnanswered;
}

// 00.w3  A sum over a block of `threads` threads, a power of two, is halved until one is left.
constexpr std::int64_t rounds(std::int64_t threads) {
  // TODO(00.w3): how many rounds of halving there are, about 3 lines.
  return kUnanswered;
}

// 00.w4  Threads 0 to 31 of a block of 64 execute __syncthreads(), the others return before it.
// What does CUDA say of that?
//   a  The barrier waits for 32 threads, and all is well.
//   b  The barrier waits for the threads that have not returned, by the rules since 2017 (Volta),
//      but a kernel should not rely on it: it must be reached by all threads or none.
//   c  The kernel does not compile.
//   d  Each warp waits for itself, so that the barrier does nothing.
// TODO(00.w4): the letter of the right answer.
inline constexpr char kEarlyReturn = kNoChoice;

// 00.w5  1,000 threads execute `*sum = *sum + 1` once, *sum being 0, without an atomic. Which
// values may *sum have at the end?
//   a  1,000 only.
//   b  Any from 1 to 1,000.
//   c  0 or 1,000.
//   d  32 only, since warps run in step.
// TODO(00.w5): the letter of the right answer.
inline constexpr char kLostUpdates = kNoChoice;

}  // namespace andrea::worksheet00

#endif  // ANDREA_LESSONS_00_FIRST_KERNEL_WORKSHEET_H_
