#include "simulator/runtime/block.h"

#include <simulator/thread.h>

#include <algorithm>
#include <numeric>

#include "simulator/runtime/fault.h"
#include "simulator/runtime/observer.h"
#include "simulator/runtime/options.h"
#include "simulator/runtime/thread_variables.h"

namespace simulator {

extern "C" {
__thread Block* simulator_running_block = nullptr;
}

Block::Block(FiberPool& fibers) : fibers_(fibers), threads_(kMaximumThreads) {
  warps_.reserve(kMaximumThreads / kWarpSize);
}

void Block::begin(Grid& grid, std::uint64_t linear_index) {
  grid_ = &grid;
  progress_ = &worker_progress();
  linear_index_ = linear_index;
  index_ = grid.block_index(linear_index);
  count_ = grid.threads_in_block;
  next_ = 0;
  live_ = count_;
  next_index_ = {0, 0, 0};
  ready_head_ = ready_size_ = 0;
  at_barrier_ = barrier_parked_ = at_grid_ = 0;
  barrier_sum_ = 0;
  stop_asked_ = false;
  stop_at_barrier_ = false;
  ending_ = false;
  spins_ = 0;
  if (!arrivals_.empty()) arrivals_.clear();
  copies_.clear();
  waited_ = observer() != nullptr;

  warps_.assign((count_ + kWarpSize - 1) / kWarpSize, Warp{});
  if (count_ % kWarpSize != 0) warps_.back().exited = ~0u << (count_ % kWarpSize);

  shuffled_ = options().seed != 0;
  if (!shuffled_) return;
  // Warps in a random order, and the lanes of each too: CUDA promises neither.
  random_.seed(static_cast<std::uint32_t>(options().seed * 0x9E3779B97F4A7C15u + linear_index));
  std::vector<std::uint16_t> warps(warps_.size());
  std::iota(warps.begin(), warps.end(), std::uint16_t{0});
  std::shuffle(warps.begin(), warps.end(), random_);
  order_.clear();
  for (const std::uint16_t warp : warps) {
    const auto first = order_.size();
    const unsigned end = std::min((warp + 1) * kWarpSize, count_);
    for (unsigned thread = warp * kWarpSize; thread < end; ++thread) {
      order_.push_back(static_cast<std::uint16_t>(thread));
    }
    std::shuffle(order_.begin() + static_cast<std::ptrdiff_t>(first), order_.end(), random_);
  }
}

uint3 Block::thread_index(unsigned thread) const {
  const dim3 size = grid_->launch.block;
  return {thread % size.x, thread / size.x % size.y, thread / (size.x * size.y)};
}

bool Block::alive(unsigned thread) const {
  if (warps_[thread / kWarpSize].exited >> (thread % kWarpSize) & 1) return false;
  if (!shuffled_) return thread < next_;
  const auto begun = order_.begin() + next_;
  return std::find(order_.begin(), begun, thread) != begun;
}

inline void Block::resume(unsigned thread) {
  current_ = thread;
  ThreadRecord& record = threads_[thread];
  record.waiting = Waiting::not_at_all;
  fiber_ = record.fiber;
  record.fiber = nullptr;
  variables::set_thread(record.index);
}

inline unsigned Block::take_ready() {
  if (shuffled_) [[unlikely]] {
    const unsigned other = (ready_head_ + random_() % ready_size_) % kMaximumThreads;
    std::swap(ready_[ready_head_], ready_[other]);
  }
  const unsigned thread = ready_[ready_head_];
  ready_head_ = (ready_head_ + 1) % kMaximumThreads;
  --ready_size_;
  return thread;
}

void Block::make_ready(unsigned thread) {
  ready_[(ready_head_ + ready_size_) % kMaximumThreads] = static_cast<std::uint16_t>(thread);
  ++ready_size_;
}

Block::Outcome Block::run() {
  Block* const outer = simulator_running_block;
  simulator_running_block = this;
  variables::set_block(index_, grid_->launch.block, grid_->launch.grid);
  outcome_ = Outcome::finished;
  worker_ = context_of_this_thread();
  [[maybe_unused]] const MayBeDropped from_here;
  if (ready_size_ > 0) {
    const unsigned thread = take_ready();
    resume(thread);
    switch_context(worker_, fiber_->context());
  } else if (next_ < count_) {
    fiber_ = fibers_.take();
    if (fiber_ == nullptr) fatal("no memory for the stack of another GPU thread.");
    fiber_->prepare(&enter, this);
    switch_context(worker_, fiber_->context());
  }
  if (outcome_ == Outcome::aborted) {
    // What the threads had on their stacks is dropped, as a GPU drops it: no destructor runs.
    if (fiber_ != nullptr) fibers_.give_back(fiber_);
    fiber_ = nullptr;
    for (ThreadRecord& record : threads_) {
      if (record.fiber != nullptr) fibers_.give_back(record.fiber);
      record = {};
    }
  }
  simulator_running_block = outer;
  return outcome_;
}

void Block::enter(void* self) {
  arrive_on_fiber();
  static_cast<Block*>(self)->work();
}

void Block::work() {
  void (*const body)(void*) = grid_->launch.body;
  void* const arguments = grid_->launch.arguments;
  const dim3 size = grid_->launch.block;
  uint3& thread_index = variables::simulator_thread_index;
  // Copies of what the block holds, since a kernel that does nothing should cost next to nothing.
  // They are stale when a thread has waited, and others have begun on other fibers.
  unsigned next = next_;
  uint3 index = next_index_;
  while (next < count_) {
    if (shuffled_) {
      current_ = order_[next];
      thread_index = this->thread_index(current_);
    } else {
      current_ = next;
      thread_index = index;
      if (++index.x == size.x) {
        index.x = 0;
        if (++index.y == size.y) {
          index.y = 0;
          ++index.z;
        }
        threads_finished();
      }
      next_index_ = index;
    }
    next_ = ++next;
    body(arguments);
    if (waited_) finish();
    if (next_ != next) {
      next = next_;
      index = next_index_;
    }
  }
  fibers_.give_back(fiber_);
  fiber_ = nullptr;
  if (!waited_) live_ = 0;
  go_on();
  __builtin_unreachable();
}

// Until a thread waits for others nobody asks which have finished: all that have begun but the
// running one.
void Block::begin_waiting() {
  waited_ = true;
  live_ = count_ - (next_ - 1);
  for (unsigned i = 0; i + 1 < next_; ++i) {
    const unsigned thread = shuffled_ ? order_[i] : i;
    warps_[thread / kWarpSize].exited |= 1u << (thread % kWarpSize);
  }
}

void Block::finish() {
  if (observer() != nullptr) observer()->thread_ends(*this);
  Warp& warp = warps_[current_ / kWarpSize];
  warp.exited |= 1u << (current_ % kWarpSize);
  --live_;
  threads_finished();
  // A thread that has left is no longer waited for.
  if (at_barrier_ > 0 && at_barrier_ == live_) release_barrier();
  after_change(warp, current_ / kWarpSize * kWarpSize);
}

void Block::park(Waiting reason) {
  Fiber* const mine = fiber_;
  ThreadRecord& record = threads_[current_];
  record.index = variables::thread();
  record.fiber = mine;
  record.waiting = reason;
  if (ready_size_ == 0) return go_on();
  resume(take_ready());
  if (fiber_ != mine) switch_context(mine->context(), fiber_->context());
}

// Leaves the running fiber for another thread's, for one that begins the next thread, or, when no
// thread can run, for the worker.
void Block::go_on() {
  Fiber* const mine = fiber_;
  Context nowhere;
  Context& from = mine != nullptr ? mine->context() : nowhere;
  if (ready_size_ > 0) {
    resume(take_ready());
    if (fiber_ != mine) switch_context(from, fiber_->context());
  } else if (next_ < count_) {
    begin_next(from);
  } else {
    if (live_ > 0) stuck();
    if (ready_size_ > 0) return go_on();
    switch_context(from, worker_);
  }
}

void Block::begin_next(Context& from) {
  fiber_ = fibers_.take();
  if (fiber_ == nullptr) fatal("no memory for the stack of another GPU thread.");
  fiber_->prepare(&enter, this);
  switch_context(from, fiber_->context());
}

int Block::barrier(__simulator::__Barrier kind, int predicate, __simulator::__Where where) {
  using __simulator::__Barrier;
  note_waiting();
  ThreadRecord& record = threads_[current_];
  record.where = where;
  if (at_barrier_ == 0) {
    barrier_kind_ = kind;
    barrier_sum_ = 0;
    first_at_barrier_ = current_;
  } else if (kind != barrier_kind_) {
    fault::different_barriers(*this, first_at_barrier_, where);
  } else if (observer() != nullptr) {
    const __simulator::__Where first = threads_[first_at_barrier_].where;
    const bool one_line = where.__line == first.__line && where.__file == first.__file;
    if (!one_line) fault::barriers_on_different_lines(*this, first_at_barrier_, where);
  }
  ++at_barrier_;
  barrier_sum_ += predicate != 0;
  if (at_barrier_ == live_) {
    release_barrier();
  } else {
    record.barrier = barriers_;
    barrier_threads_[barrier_parked_++] = static_cast<std::uint16_t>(current_);
    Warp& warp = warps_[current_ / kWarpSize];
    if (warp.converging != 0) {
      record.waiting = Waiting::at_barrier;
      after_change(warp, current_ / kWarpSize * kWarpSize);
    }
    park(Waiting::at_barrier);
  }
  return kind == __Barrier::__plain ? 0 : barrier_result_;
}

// Lets all go on that wait at the block's barrier.
void Block::release_barrier() {
  using __simulator::__Barrier;
  const int arrived = static_cast<int>(at_barrier_);
  barrier_result_ = barrier_kind_ == __Barrier::__count ? barrier_sum_
                    : barrier_kind_ == __Barrier::__and ? barrier_sum_ == arrived
                                                        : barrier_sum_ > 0;
  if (stop_at_barrier_) fault::endless_barriers(*this, threads_[first_at_barrier_].where);
  if (observer() != nullptr) observer()->barrier_completes(*this);
  for (unsigned i = 0; i < barrier_parked_; ++i) make_ready(barrier_threads_[i]);
  at_barrier_ = barrier_parked_ = 0;
  ++barriers_;
  made_progress();
}

bool Block::waits(unsigned thread) const {
  const ThreadRecord& record = threads_[thread];
  if (record.waiting == Waiting::at_barrier) return record.barrier == barriers_;
  return record.waiting != Waiting::not_at_all;
}

void Block::grid_barrier(__simulator::__Where where) {
  note_waiting();
  threads_[current_].where = where;
  if (!grid_->launch.cooperative) fault::grid_barrier_without_cooperation(*this, where);
  if (stop_at_barrier_) fault::endless_barriers(*this, where);
  ++at_grid_;
  park(Waiting::at_grid);
}

void Block::release_grid_barrier() {
  at_grid_ = 0;
  made_progress();
  for (unsigned thread = 0; thread < count_; ++thread) {
    if (threads_[thread].waiting == Waiting::at_grid) {
      threads_[thread].waiting = Waiting::not_at_all;
      make_ready(thread);
    }
  }
}

void Block::yield() {
  note_waiting();
  // All of the block have asked in vain: another block may have to do something.
  if (++spins_ > 4 * live_) {
    spins_ = 0;
    make_ready(current_);
    ThreadRecord& record = threads_[current_];
    record.index = variables::thread();
    record.fiber = fiber_;
    return_to_worker(Outcome::spinning);
    return;
  }
  make_ready(current_);
  if (next_ == count_) return park(Waiting::not_at_all);
  // Those that have not begun come first: the thread may wait for one of them.
  ThreadRecord& record = threads_[current_];
  record.index = variables::thread();
  record.fiber = fiber_;
  begin_next(fiber_->context());
}

void Block::abort() {
  return_to_worker(Outcome::aborted);
  __builtin_unreachable();
}

void Block::return_to_worker(Outcome outcome) {
  outcome_ = outcome;
  Fiber* const mine = fiber_;
  Context nowhere;
  switch_context(mine != nullptr ? mine->context() : nowhere, worker_);
}

// No thread can run and none is left to begin.
void Block::stuck() {
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    if (warps_[i].converging != 0) {
      release_converged(warps_[i], static_cast<unsigned>(i) * kWarpSize);
      return;
    }
  }
  if (at_grid_ > 0 && at_grid_ == live_) {
    outcome_ = Outcome::at_grid_barrier;
    return;
  }
  fault::deadlock(*this);
}

}  // namespace simulator
