// File: block.h
//
// Runs one block on one OS thread. Its GPU threads run one after another on the same fiber; only a
// thread that must wait, at a barrier or in a warp collective, is parked with its fiber, and the
// next thread begins on a fresh one. Until the first thread waits, the threads run a row at a time,
// by a loop in the program (see __Row in launch.h), and a kernel without barriers costs a function
// call a thread. From then on the block keeps account of each.
//
// The order in which threads run is one of those that CUDA allows: index order by default, or a
// seeded random one, which a kernel that is right must survive.

#ifndef ANDREA_SIMULATOR_RUNTIME_BLOCK_H_
#define ANDREA_SIMULATOR_RUNTIME_BLOCK_H_

#include <simulator/synchronization.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

#include "simulator/runtime/arrivals.h"
#include "simulator/runtime/async_copies.h"
#include "simulator/runtime/fiber.h"
#include "simulator/runtime/grid.h"
#include "simulator/runtime/thread_queue.h"
#include "simulator/runtime/thread_variables.h"
#include "simulator/runtime/watchdog.h"

namespace simulator {

inline constexpr unsigned kWarpSize = 32;  // threads

// Why a thread does not run.
enum class Waiting : std::uint8_t {
  not_at_all,  // it runs, can run, or has not begun
  at_barrier,
  in_warp,       // in a collective of its warp
  to_converge,   // in __activemask, until no lane of the warp can come to join it
  at_grid,       // in the barrier of a cooperative grid
  for_arrivals,  // at a barrier object
};

// Of use while the thread waits; a thread that runs, or has not begun, has the initial values of
// `fiber` and `waiting`. One line of the cache, since a barrier goes through all of them.
struct alignas(64) ThreadRecord {
  Fiber* fiber = nullptr;                 // its stack and registers; null before it runs
  uint3 index{};                          // threadIdx
  Waiting waiting = Waiting::not_at_all;  // why it does not run
  __simulator::__Collective kind{};       // which of the warp's functions it is in
  std::uint8_t source = 0;                // lane whose value a shuffle takes
  std::uint32_t barrier = 0;              // which barrier of the block, counted
  std::uint32_t mask = 0;                 // of the lanes that take part
  std::uint64_t value = 0;                // what it brings
  std::uint64_t result = 0;               // what it gets
  __simulator::__Where where{};           // where the call stands
};
static_assert(sizeof(ThreadRecord) == 64);

class Block {
 public:
  // Where a block stands after a turn.
  enum class Outcome {
    finished,
    at_grid_barrier,  // every thread that has not finished waits for the other blocks
    spinning,         // the threads only ask for something that another block may have to do
    aborted,          // the launch is over: a fault
  };

  // Takes its threads' stacks from there.
  explicit Block(FiberPool& fibers);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Becomes that block of the grid, none of whose threads has run yet.
  void begin(Grid& grid, std::uint64_t linear_index);
  Outcome run();                // begins, or goes on after an outcome other than finished
  void release_grid_barrier();  // every block has arrived

  // For the thread that runs.
  void barrier(__simulator::__Barrier kind, int predicate, __simulator::__Where where);
  long long look_at_clock() { return kCyclesOfStep * (barriers_ + ++clock_looks_); }
  int barrier_result() const { return barrier_result_; }  // of the one that the thread has passed
  void grid_barrier(__simulator::__Where where);
  std::uint64_t collective(__simulator::__Collective kind, std::uint32_t mask, std::uint64_t value,
                           unsigned source, __simulator::__Where where);
  std::uint32_t converged_lanes(__simulator::__Where where);
  // What a thread hands in for __do_jointly; its record's value points to it.
  struct JointCall {
    const __simulator::__Joint_work* work;  // what is to be done together
    void* mine;                             // the calling thread's own part
  };
  static const JointCall& joint_call(const ThreadRecord& record) {
    return *reinterpret_cast<const JointCall*>(record.value);
  }
  // Barrier objects and asynchronous copies: simulator/arrival.h, async_copy.h.
  void begin_arrivals(const void* barrier, std::int64_t expected, __simulator::__Where where);
  std::uint64_t arrive(const void* barrier, std::int64_t count, bool drop,
                       __simulator::__Where where);
  bool has_completed(const void* barrier, std::uint64_t phase, __simulator::__Where where);
  void wait_for_phase(const void* barrier, std::uint64_t phase, __simulator::__Where where);
  std::uint64_t phase_in_progress(const void* barrier, __simulator::__Where where) {
    return arrivals(barrier, where).phase;
  }
  void begin_copy(AsyncCopy copy);
  void commit_copies() { copies_.commit(current_); }
  void wait_for_copies(unsigned last_groups);
  void bind_copies(const void* barrier, __simulator::__Where where);
  // Lets the block's other threads run.
  void yield();
  // Ends the launch: no thread of the block runs again.
  [[noreturn]] void abort();

  Grid& grid() const { return *grid_; }  // that it belongs to
  // blockIdx, counted in one dimension.
  std::uint64_t linear_index() const { return linear_index_; }
  uint3 index() const { return index_; }            // blockIdx
  unsigned thread_count() const { return count_; }  // of the block
  // Threads that have not returned. Of use once a thread has waited.
  unsigned live_count() const { return live_; }
  // The thread that runs, counted within the block.
  unsigned current_thread() const {
    if (row_ == nullptr) [[likely]]
      return current_;
    return current_ + variables::thread().x;
  }
  uint3 thread_index(unsigned thread) const;  // its threadIdx
  // Of use while the thread waits.
  const ThreadRecord& record(unsigned thread) const { return threads_[thread]; }
  // Whether the thread waits for others, and not only for its turn.
  bool waits(unsigned thread) const;
  // The lanes of a warp that have finished, or never were.
  std::uint32_t exited_lanes(unsigned first_thread) const {
    return warps_[first_thread / kWarpSize].exited;
  }
  // Whether the address lies on the stack of a thread other than the one that runs.
  bool stack_of_another_thread(const void* address) const {
    const Fiber* const fiber = fibers_.find(address);
    return fiber != nullptr && fiber != fiber_;
  }
  const Fiber* current_fiber() const { return fiber_; }  // of the thread that runs

  // Set by the watchdog's signal, which may come where no report can be made; the checker makes it
  // at the thread's next access.
  void ask_to_stop() { stop_asked_ = true; }
  bool stop_asked() const { return stop_asked_; }  // by the watchdog
  // Likewise; at the next barrier that all its threads have come to.
  void ask_to_stop_at_barrier() { stop_at_barrier_ = true; }
  // The report that ends the launch is being made: too late to stop it.
  void begin_ending() { ending_ = true; }
  bool ending() const { return ending_; }

 private:
  static constexpr long long kCyclesOfStep = 32;

  struct Warp {
    std::uint32_t collecting = 0;  // lanes that wait in a collective
    std::uint32_t exited = 0;      // lanes that have finished, or never were
    std::uint32_t converging = 0;  // lanes that wait in __activemask
  };

  static void enter(void* self);
  [[noreturn]] void work();
  void finish();
  void note_waiting() {
    if (!waited_) begin_waiting();
  }
  void begin_waiting();
  void pass(unsigned threads);
  void wait_at_barrier(__simulator::__Barrier kind, int predicate, __simulator::__Where where);
  void made_progress() { count(progress_->steps); }
  void threads_finished() {
    count(progress_->steps);
    count(progress_->finished);
  }
  static void count(std::atomic<std::uint64_t>& number) {
    number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Lets others run until this thread can go on; returns its record's result.
  std::uint64_t park(Waiting reason);
  std::uint64_t resume_first(Context& from);  // leaves it for the first that is ready
  std::uint64_t resume_next(Context& from);   // likewise, or for any of them where shuffled
  std::uint64_t begin_next(Context& from);    // leaves it for a fresh fiber
  std::uint64_t go_on();                      // one of these, or back to run()
  void release_barrier();
  std::uint64_t join_collective(Warp& warp);
  bool try_complete(Warp& warp, unsigned first_thread, std::uint32_t mask);
  void complete(Warp& warp, unsigned first_thread, std::uint32_t mask);
  void do_jointly(unsigned first_thread, std::uint32_t present);
  void after_change(Warp& warp, unsigned first_thread);
  void release_converged(Warp& warp, unsigned first_thread);
  Arrivals& arrivals(const void* barrier, __simulator::__Where where);
  void complete_phase(const void* barrier, Arrivals& it);
  void complete_copy(const AsyncCopy& copy);
  void return_to_worker(Outcome outcome);
  void stuck();

  FiberPool& fibers_;
  Grid* grid_ = nullptr;
  std::uint64_t linear_index_ = 0;
  uint3 index_{};

  unsigned count_ = 0;  // threads of the block
  unsigned next_ = 0;   // how many have begun
  unsigned live_ = 0;   // how many have not finished; kept once a thread has waited
  bool waited_ = false;
  unsigned current_ = 0;               // the one that runs; while there is a row, the row's first
  __simulator::__Row* row_ = nullptr;  // that runs; nullptr when threads begin one by one
  uint3 next_index_{};                 // index of the next to begin, in index order
  bool shuffled_ = false;
  bool ordinary_ = false;  // not shuffled, and nobody observes
  std::mt19937 random_;
  std::vector<std::uint16_t> order_;  // in which threads begin, when shuffled

  std::vector<ThreadRecord> threads_;
  std::vector<Warp> warps_;

  ThreadQueue ready_;  // threads that can go on

  // Threads at the block's barrier. One that its release has made ready is still `at_barrier` by
  // its record, but of an earlier barrier, until it runs.
  ThreadQueue at_barrier_;
  std::uint32_t barriers_ = 0;  // how many have been passed

  unsigned at_grid_ = 0;
  unsigned converging_ = 0;  // threads that wait in __activemask
  __simulator::__Barrier barrier_kind_{};
  int barrier_sum_ = 0;
  int barrier_result_ = 0;
  long long clock_looks_ = 0;
  unsigned spins_ = 0;  // yields since the block last had its worker's ear

  std::unordered_map<const void*, Arrivals> arrivals_;  // by the object's address
  AsyncCopies copies_;

  WorkerProgress* progress_ = nullptr;  // of the OS thread, for the watchdog
  Fiber* fiber_ = nullptr;
  Context worker_;
  Outcome outcome_ = Outcome::finished;
  volatile bool stop_asked_ = false;
  volatile bool stop_at_barrier_ = false;
  volatile bool ending_ = false;
};

// Inline, and the switch at their end, since this is most of what a barrier or a shuffle costs.

inline std::uint64_t Block::resume_first(Context& from) {
  current_ = ready_.pop();
  ThreadRecord& record = threads_[current_];
  record.waiting = Waiting::not_at_all;
  fiber_ = record.fiber;
  record.fiber = nullptr;
  variables::set_thread(record.index);
  return switch_context(from, fiber_->context(), record.result);
}

inline std::uint64_t Block::park(Waiting reason) {
  ThreadRecord& record = threads_[current_];
  record.index = variables::thread();
  record.fiber = fiber_;
  record.waiting = reason;
  if (ready_.empty() || shuffled_) [[unlikely]]
    return go_on();
  return resume_first(record.fiber->context());
}

// The block whose thread runs, or null: what current_block() tells.
extern "C" [[gnu::visibility("hidden")]] __thread Block* simulator_running_block;

// The block whose thread runs on this OS thread; nullptr in host code.
inline Block* current_block() { return simulator_running_block; }

// The same, for a function of kernels; the program ends where host code has called it.
[[noreturn]] void called_by_host(const char* function);
inline Block& block_of_caller(const char* function) {
  Block* const block = current_block();
  if (block == nullptr) [[unlikely]]
    called_by_host(function);
  return *block;
}

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_BLOCK_H_
