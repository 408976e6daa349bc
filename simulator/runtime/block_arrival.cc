// What Block does for barrier objects and asynchronous copies.

#include <cstring>

#include "simulator/runtime/block.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/observer.h"

namespace simulator {

Arrivals& Block::arrivals(const void* barrier, __simulator::__Where where) {
  const auto found = arrivals_.find(barrier);
  if (found == arrivals_.end()) {
    __simulator::__refuse("barrier-not-initialised",
                          "a barrier object is used that has not been initialised",
                          "One thread calls init(&barrier, count), and a __syncthreads stands "
                          "before its first use. An "
                          "object that was destroyed must not be used either.",
                          where);
  }
  return found->second;
}

void Block::begin_arrivals(const void* barrier, std::int64_t expected, __simulator::__Where where) {
  if (expected <= 0 || expected >= 1 << 20) {
    __simulator::__refuse("barrier-count",
                          "a barrier object is initialised with an impossible count",
                          "The count is how many arrivals complete a phase: 1 to 1048575.", where);
  }
  Arrivals& it = arrivals_[barrier];
  if (!it.waiting.empty()) {
    __simulator::__refuse("barrier-count",
                          "a barrier object is initialised while threads wait for it",
                          "Initialise it once, before its first use.", where);
  }
  it = {};
  it.expected = it.pending = expected;
  if (observer() != nullptr) observer()->arrivals_begin(*this, barrier);
}

std::uint64_t Block::arrive(const void* barrier, std::int64_t count, bool drop,
                            __simulator::__Where where) {
  note_waiting();
  Arrivals& it = arrivals(barrier, where);
  if (count <= 0 || count > it.pending) {
    __simulator::__refuse("barrier-count",
                          "more threads arrive at a barrier object than it expects",
                          "The count that init was given is the number of arrivals in each phase: "
                          "that of the threads "
                          "that call arrive, each once a phase.",
                          where);
  }
  const std::uint64_t phase = it.phase;
  if (observer() != nullptr) observer()->arrives(*this, barrier);
  if (drop) --it.expected;
  it.pending -= count;
  if (it.pending == 0) complete_phase(barrier, it);
  return phase;
}

void Block::complete_phase(const void* barrier, Arrivals& it) {
  for (const AsyncCopy& copy : it.copies) complete_copy(copy);
  it.copies.clear();
  if (observer() != nullptr) observer()->phase_completes(*this, barrier);
  ++it.phase;
  it.pending = it.expected;
  for (const std::uint16_t thread : it.waiting) {
    threads_[thread].waiting = Waiting::not_at_all;
    ready_.push(thread);
  }
  it.waiting.clear();
  made_progress();
}

bool Block::has_completed(const void* barrier, std::uint64_t phase, __simulator::__Where where) {
  if (arrivals(barrier, where).phase <= phase) return false;
  if (observer() != nullptr) observer()->passes(*this, barrier);
  return true;
}

void Block::wait_for_phase(const void* barrier, std::uint64_t phase, __simulator::__Where where) {
  note_waiting();
  Arrivals& it = arrivals(barrier, where);
  if (it.phase <= phase) {
    ThreadRecord& record = threads_[current_];
    record.where = where;
    it.waiting.push_back(static_cast<std::uint16_t>(current_));
    Warp& warp = warps_[current_ / kWarpSize];
    if (warp.converging != 0) {
      record.waiting = Waiting::for_arrivals;
      after_change(warp, current_ / kWarpSize * kWarpSize);
    }
    park(Waiting::for_arrivals);
  }
  if (observer() != nullptr) observer()->passes(*this, barrier);
}

void Block::begin_copy(AsyncCopy copy) {
  note_waiting();
  copy.thread = current_;
  const AsyncCopy& begun = copies_.begin(copy);
  if (observer() != nullptr) observer()->copy_begins(*this, begun);
  std::memset(copy.to, kNotArrived, copy.bytes);
}

void Block::complete_copy(const AsyncCopy& copy) {
  if (observer() != nullptr) observer()->copy_completes(*this, copy);
  simulator::arrive(copy);
}

void Block::wait_for_copies(unsigned last_groups) {
  for (const AsyncCopy& copy : copies_.take(current_, last_groups)) complete_copy(copy);
}

void Block::bind_copies(const void* barrier, __simulator::__Where where) {
  Arrivals& it = arrivals(barrier, where);
  for (AsyncCopy& copy : copies_.take_uncommitted(current_)) {
    copy.bound = true;
    it.copies.push_back(copy);
  }
}

}  // namespace simulator
