// The warp's part of Block: collectives, and which lanes have converged.

#include <bit>

#include "simulator/runtime/block.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/observer.h"

namespace simulator {

using __simulator::__Collective;

inline std::uint64_t Block::collective(__Collective kind, std::uint32_t mask, std::uint64_t value,
                                       unsigned source, __simulator::__Where where) {
  const unsigned thread = current_thread();
  const unsigned lane = thread % kWarpSize;
  Warp& warp = warps_[thread / kWarpSize];
  ThreadRecord& record = threads_[thread];
  record.kind = kind;
  record.mask = mask;
  record.value = value;
  record.source = static_cast<std::uint8_t>(source);
  record.where = where;
  const std::uint32_t collecting = warp.collecting | 1u << lane;
  const bool some_missing = ((collecting | warp.exited) & mask) != mask;
  const bool named = mask >> lane & 1;
  if (!waited_ || !some_missing || !named || converging_ != 0) [[unlikely]]
    return join_collective(warp);
  warp.collecting = collecting;
  return park(Waiting::in_warp);
}

std::uint64_t Block::join_collective(Warp& warp) {
  note_waiting();
  const unsigned lane = current_ % kWarpSize;
  ThreadRecord& record = threads_[current_];
  if (!(record.mask >> lane & 1)) fault::mask_without_caller(*this, record.mask, record.where);
  if (stop_asked_) fault::no_progress_in_collective(*this, record.where);
  warp.collecting |= 1u << lane;
  if (try_complete(warp, current_ - lane, record.mask)) return record.result;
  if (warp.converging != 0) {
    record.waiting = Waiting::in_warp;
    after_change(warp, current_ - lane);
  }
  return park(Waiting::in_warp);
}

namespace {

// Calls use(lane) for each of the lanes.
template <typename Use>
inline void each_lane(std::uint32_t lanes, Use use) {
  if (lanes == ~0u) {  // what kernels do most, and what the compiler makes most of
    for (unsigned lane = 0; lane < kWarpSize; ++lane) use(lane);
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1) use(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace

// Completes the collective of `mask` if every lane that it names has come, or has left the kernel.
bool Block::try_complete(Warp& warp, unsigned first, std::uint32_t mask) {
  if (((warp.collecting | warp.exited) & mask) != mask) return false;
  const ThreadRecord* const records = &threads_[first];
  std::uint32_t different = 0;
  each_lane(mask & warp.collecting, [&](unsigned lane) { different |= records[lane].mask ^ mask; });
  if (different != 0) return false;
  complete(warp, first, mask);
  return true;
}

void Block::complete(Warp& warp, unsigned first, std::uint32_t mask) {
  const std::uint32_t present = mask & warp.collecting;
  ThreadRecord* const records = &threads_[first];
  const ThreadRecord& one = records[std::countr_zero(present)];
  const __Collective kind = one.kind;
  unsigned other_kinds = 0;
  each_lane(present, [&](unsigned lane) { other_kinds += records[lane].kind != kind; });
  if (other_kinds > 0) fault::different_collectives(*this, first, present);
  if (observer() != nullptr) observer()->collective_completes(*this, first, present, mask);

  switch (kind) {
    case __Collective::__sync:
      break;
    case __Collective::__joint:
      do_jointly(first, present);
      break;
    case __Collective::__shuffle:
      each_lane(present, [&](unsigned lane) {
        ThreadRecord& to = records[lane];
        const bool there = present >> to.source & 1;
        // What a lane gets from one that does not take part is undefined; it keeps its own.
        to.result = there ? records[to.source].value : to.value;
      });
      break;
    case __Collective::__match_any:
      each_lane(present, [&](unsigned lane) {
        std::uint32_t same = 0;
        each_lane(present, [&](unsigned other) {
          if (records[other].value == records[lane].value) same |= 1u << other;
        });
        records[lane].result = same;
      });
      break;
    default: {
      std::uint32_t ballot = 0;
      bool all_same = true;
      std::uint64_t reduced = one.value;
      each_lane(present, [&](unsigned lane) {
        const std::uint64_t value = records[lane].value;
        const auto as_unsigned = static_cast<std::uint32_t>(value);
        const auto as_signed = static_cast<std::int32_t>(as_unsigned);
        if (value != 0) ballot |= 1u << lane;
        all_same = all_same && value == one.value;
        if (&records[lane] == &one) return;
        switch (kind) {
          case __Collective::__add:
            reduced = static_cast<std::uint32_t>(reduced + value);
            break;
          case __Collective::__min_unsigned:
            if (as_unsigned < static_cast<std::uint32_t>(reduced)) reduced = value;
            break;
          case __Collective::__max_unsigned:
            if (as_unsigned > static_cast<std::uint32_t>(reduced)) reduced = value;
            break;
          case __Collective::__min_signed:
            if (as_signed < static_cast<std::int32_t>(reduced)) reduced = value;
            break;
          case __Collective::__max_signed:
            if (as_signed > static_cast<std::int32_t>(reduced)) reduced = value;
            break;
          case __Collective::__and:
            reduced &= value;
            break;
          case __Collective::__or:
            reduced |= value;
            break;
          case __Collective::__xor:
            reduced ^= value;
            break;
          default:
            break;
        }
      });
      if (kind == __Collective::__any) reduced = ballot != 0;
      if (kind == __Collective::__all) reduced = ballot == present;
      if (kind == __Collective::__ballot) reduced = ballot;
      if (kind == __Collective::__match_all) {
        reduced = all_same ? (std::uint64_t{1} << 32 | mask) : 0;
      }
      each_lane(present, [&](unsigned lane) { records[lane].result = reduced; });
      break;
    }
  }

  warp.collecting &= ~present;
  each_lane(present, [&](unsigned lane) {
    records[lane].waiting = Waiting::not_at_all;
    if (first + lane != current_) ready_.push(first + lane);
  });
}

void Block::do_jointly(unsigned first, std::uint32_t present) {
  if (present != ~0u) fault::incomplete_warp(*this, first, present);
  const ThreadRecord& mine = threads_[first];
  const __simulator::__Joint_work* const work = joint_call(mine).work;
  std::array<void*, kWarpSize> of_lanes;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const JointCall& call = joint_call(threads_[first + lane]);
    if (call.work->__work != work->__work) fault::different_collectives(*this, first, present);
    of_lanes[lane] = call.mine;
  }
  work->__work(of_lanes.data(), mine.where);
}

std::uint32_t Block::converged_lanes(__simulator::__Where where) {
  note_waiting();
  const unsigned lane = current_ % kWarpSize;
  const unsigned first = current_ - lane;
  Warp& warp = warps_[current_ / kWarpSize];
  ThreadRecord& record = threads_[current_];
  record.where = where;
  record.waiting = Waiting::to_converge;
  warp.converging |= 1u << lane;
  ++converging_;
  after_change(warp, first);
  if (record.waiting == Waiting::to_converge) park(Waiting::to_converge);
  return record.mask;
}

// A lane of the warp waits now, or has left: what does that complete?
void Block::after_change(Warp& warp, unsigned first) {
  for (std::uint32_t rest = warp.collecting; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = rest & -rest;
    if (!(warp.collecting & lane)) continue;
    try_complete(warp, first, threads_[first + static_cast<unsigned>(std::countr_zero(lane))].mask);
  }
  if (warp.converging == 0) return;
  for (std::uint32_t rest = ~warp.exited; rest != 0; rest &= rest - 1) {
    if (!waits(first + static_cast<unsigned>(std::countr_zero(rest)))) return;
  }
  release_converged(warp, first);
}

// The lanes that wait on one line are together; those of another line are another group.
void Block::release_converged(Warp& warp, unsigned first) {
  const auto thread_of = [&](std::uint32_t lanes) {
    return first + static_cast<unsigned>(std::countr_zero(lanes));
  };
  const __simulator::__Where where = threads_[thread_of(warp.converging)].where;
  std::uint32_t group = 0;
  for (std::uint32_t rest = warp.converging; rest != 0; rest &= rest - 1) {
    const __simulator::__Where other = threads_[thread_of(rest)].where;
    if (other.__line == where.__line && other.__file == where.__file) group |= rest & -rest;
  }
  warp.converging &= ~group;
  converging_ -= static_cast<unsigned>(std::popcount(group));
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
    const unsigned thread = thread_of(rest);
    threads_[thread].mask = group;
    threads_[thread].waiting = Waiting::not_at_all;
    if (thread != current_) ready_.push(thread);
  }
}

}  // namespace simulator

unsigned long long __simulator::__collective(__Collective kind, unsigned mask,
                                             unsigned long long value, unsigned source_lane,
                                             __Where where) {
  return simulator::block_of_caller("a collective of a warp")
      .collective(kind, mask, value, source_lane, where);
}
