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
  ready_.clear();
  at_barrier_.clear();
  at_grid_ = converging_ = 0;
  stop_asked_ = false;
  stop_at_barrier_ = false;
  ending_ = false;
  spins_ = 0;
  if (!arrivals_.empty()) arrivals_.clear();
  copies_.clear();
  waited_ = observer() != nullptr;
  row_ = nullptr;

  warps_.assign((count_ + kWarpSize - 1) / kWarpSize, Warp{});
  if (count_ % kWarpSize != 0) warps_.back().exited = ~0u << (count_ % kWarpSize);

  shuffled_ = options().seed != 0;
  ordinary_ = !shuffled_ && observer() == nullptr;
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

Block::Outcome Block::run() {
  Block* const outer = simulator_running_block;
  simulator_running_block = this;
  variables::set_block(index_, grid_->launch.block, grid_->launch.grid);
  outcome_ = Outcome::finished;
  worker_ = context_of_this_thread();
  [[maybe_unused]] const MayBeDropped from_here;
  if (!ready_.empty()) {
    resume_next(worker_);
  } else if (next_ < count_) {
    begin_next(worker_);
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
  const KernelLaunch& launch = grid_->launch;
  __simulator::__Row row{&variables::simulator_thread_index.x, 0};
  while (next_ < count_) {
    current_ = shuffled_ ? order_[next_] : next_;
    variables::set_thread(shuffled_ ? thread_index(current_) : next_index_);
    if (waited_ || shuffled_) {
      row.__end = 0;  // the one thread
      pass(1);
    } else {
      row.__end = launch.block.x;
      pass(launch.block.x);
      row_ = &row;
    }
    launch.body(launch.arguments, &row);
    row_ = nullptr;
    if (waited_) {
      finish();
    } else {
      threads_finished();
    }
  }
  fibers_.give_back(fiber_);
  fiber_ = nullptr;
  if (!waited_) live_ = 0;
  go_on();
  __builtin_unreachable();
}

// Counts threads as begun: one, or the rest of a row.
inline void Block::pass(unsigned threads) {
  const dim3 size = grid_->launch.block;
  next_ += threads;
  next_index_.x += threads;
  if (next_index_.x < size.x) return;
  next_index_.x = 0;
  if (++next_index_.y < size.y) return;
  next_index_.y = 0;
  ++next_index_.z;
}

// Until a thread waits for others nobody asks which have finished: all that have begun but the
// running one.
void Block::begin_waiting() {
  waited_ = true;
  if (row_ != nullptr) {
    // The running thread; that of the row's last when its end has not been looked at yet.
    uint3 index = variables::thread();
    index.x = std::min(index.x, row_->__end - 1);
    row_->__end = index.x + 1;
    row_ = nullptr;
    current_ += index.x;
    next_ = current_;
    next_index_ = index;
    pass(1);
  }
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
  if (!at_barrier_.empty() && at_barrier_.size() == live_) release_barrier();
  if ((warp.collecting | warp.converging) != 0) {
    after_change(warp, current_ / kWarpSize * kWarpSize);
  }
}

// Leaves the running fiber for another thread's, for one that begins the next thread, or, when no
// thread can run, for the worker.
std::uint64_t Block::go_on() {
  Context nowhere;
  Context& from = fiber_ != nullptr ? fiber_->context() : nowhere;
  if (ready_.empty()) {
    if (next_ < count_) return begin_next(from);
    if (live_ > 0) stuck();
  }
  return ready_.empty() ? switch_context(from, worker_) : resume_next(from);
}

std::uint64_t Block::resume_next(Context& from) {
  if (shuffled_) ready_.bring_to_front(random_() % ready_.size());
  return resume_first(from);
}

std::uint64_t Block::begin_next(Context& from) {
  fiber_ = fibers_.take();
  if (fiber_ == nullptr) fatal("no memory for the stack of another GPU thread.");
  fiber_->prepare(&enter, this);
  return switch_context(from, fiber_->context());
}

inline void Block::barrier(__simulator::__Barrier kind, int predicate, __simulator::__Where where) {
  // Nearly every thread is neither the first to come nor the last.
  const bool between = !at_barrier_.empty() && at_barrier_.size() + 1 < live_;
  const bool plain = kind == __simulator::__Barrier::__plain && kind == barrier_kind_;
  if (!between || !plain || !ordinary_ || converging_ != 0) [[unlikely]]
    return wait_at_barrier(kind, predicate, where);
  ThreadRecord& record = threads_[current_];
  record.where = where;
  record.barrier = barriers_;
  at_barrier_.push(current_);
  park(Waiting::at_barrier);
}

void Block::wait_at_barrier(__simulator::__Barrier kind, int predicate,
                            __simulator::__Where where) {
  note_waiting();
  ThreadRecord& record = threads_[current_];
  record.where = where;
  if (at_barrier_.empty()) {
    barrier_kind_ = kind;
    barrier_sum_ = 0;
  } else if (kind != barrier_kind_) {
    fault::different_barriers(*this, at_barrier_.front(), where);
  } else if (observer() != nullptr) {
    const __simulator::__Where first = threads_[at_barrier_.front()].where;
    const bool one_line = where.__line == first.__line && where.__file == first.__file;
    if (!one_line) fault::barriers_on_different_lines(*this, at_barrier_.front(), where);
  }
  barrier_sum_ += predicate != 0;
  if (at_barrier_.size() + 1 == live_) return release_barrier();
  record.barrier = barriers_;
  at_barrier_.push(current_);
  Warp& warp = warps_[current_ / kWarpSize];
  if (warp.converging != 0) {
    record.waiting = Waiting::at_barrier;
    after_change(warp, current_ / kWarpSize * kWarpSize);
  }
  park(Waiting::at_barrier);
}

// Lets all go on that wait at the block's barrier. So far every other thread of the block waits
// there or has finished, and none is ready.
void Block::release_barrier() {
  using __simulator::__Barrier;
  barrier_result_ = barrier_kind_ == __Barrier::__count ? barrier_sum_
                    : barrier_kind_ == __Barrier::__and ? barrier_sum_ == static_cast<int>(live_)
                                                        : barrier_sum_ > 0;
  if (stop_at_barrier_) {
    const unsigned thread = at_barrier_.empty() ? current_ : at_barrier_.front();
    fault::endless_barriers(*this, threads_[thread].where);
  }
  if (observer() != nullptr) observer()->barrier_completes(*this);
  ready_.swap(at_barrier_);
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
      ready_.push(thread);
    }
  }
}

void Block::yield() {
  note_waiting();
  ready_.push(current_);
  // All of the block have asked in vain: another block may have to do something.
  const bool in_vain = ++spins_ > 4 * live_;
  if (!in_vain && next_ == count_) {
    park(Waiting::not_at_all);
    return;
  }
  ThreadRecord& record = threads_[current_];
  record.index = variables::thread();
  record.fiber = fiber_;
  if (in_vain) {
    spins_ = 0;
    return_to_worker(Outcome::spinning);
  } else {
    // Those that have not begun come first: the thread may wait for one of them.
    begin_next(fiber_->context());
  }
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

void __simulator::__barrier(__Barrier kind, int predicate, __Where where) {
  simulator::block_of_caller("__syncthreads").barrier(kind, predicate, where);
}
