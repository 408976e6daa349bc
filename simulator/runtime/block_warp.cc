// The warp's part of Block: collectives, and which lanes have converged.

#include <bit>

#include "simulator/runtime/block.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/observer.h"

namespace simulator {

using __simulator::__Collective;

std::uint64_t Block::collective(__Collective kind, std::uint32_t mask, std::uint64_t value,
                                unsigned source, __simulator::__Where where) {
  note_waiting();
  const unsigned lane = current_ % kWarpSize;
  const unsigned first = current_ - lane;
  Warp& warp = warps_[current_ / kWarpSize];
  ThreadRecord& record = threads_[current_];
  record.kind = kind;
  record.mask = mask;
  record.value = value;
  record.source = static_cast<std::uint8_t>(source);
  record.where = where;
  if (!(mask >> lane & 1)) fault::mask_without_caller(*this, mask, where);
  if (stop_asked_) fault::no_progress_in_collective(*this, where);

  warp.collecting |= 1u << lane;
  record.waiting = Waiting::in_warp;
  try_complete(warp, first, mask);
  if (record.waiting == Waiting::in_warp) {
    if (warp.converging != 0) after_change(warp, first);
    park(Waiting::in_warp);
  }
  return record.result;
}

// Completes the collective of `mask` if every lane that it names has come, or has left the kernel.
void Block::try_complete(Warp& warp, unsigned first, std::uint32_t mask) {
  if (((warp.collecting | warp.exited) & mask) != mask) return;
  for (std::uint32_t rest = mask & warp.collecting; rest != 0; rest &= rest - 1) {
    if (threads_[first + static_cast<unsigned>(std::countr_zero(rest))].mask != mask) return;
  }
  complete(warp, first, mask);
}

void Block::complete(Warp& warp, unsigned first, std::uint32_t mask) {
  const std::uint32_t present = mask & warp.collecting;
  const auto record = [&](std::uint32_t lanes) -> ThreadRecord& {
    return threads_[first + static_cast<unsigned>(std::countr_zero(lanes))];
  };
  const __Collective kind = record(present).kind;
  for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
    if (record(rest).kind != kind) fault::different_collectives(*this, first, present);
  }
  if (observer() != nullptr) observer()->collective_completes(*this, first, present, mask);

  switch (kind) {
    case __Collective::__sync:
      break;
    case __Collective::__joint:
      do_jointly(first, present);
      break;
    case __Collective::__shuffle:
      for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
        ThreadRecord& to = record(rest);
        const bool there = present >> to.source & 1;
        // What a lane gets from one that does not take part is undefined; it keeps its own.
        to.result = there ? threads_[first + to.source].value : to.value;
      }
      break;
    case __Collective::__match_any:
      for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
        std::uint32_t same = 0;
        for (std::uint32_t other = present; other != 0; other &= other - 1) {
          if (record(other).value == record(rest).value) same |= other & -other;
        }
        record(rest).result = same;
      }
      break;
    default: {
      std::uint32_t ballot = 0;
      bool all_same = true;
      std::uint64_t reduced = record(present).value;
      for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
        const std::uint64_t value = record(rest).value;
        const auto as_unsigned = static_cast<std::uint32_t>(value);
        const auto as_signed = static_cast<std::int32_t>(as_unsigned);
        if (value != 0) ballot |= rest & -rest;
        all_same = all_same && value == record(present).value;
        if (rest == present) continue;
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
      }
      if (kind == __Collective::__any) reduced = ballot != 0;
      if (kind == __Collective::__all) reduced = ballot == present;
      if (kind == __Collective::__ballot) reduced = ballot;
      if (kind == __Collective::__match_all) {
        reduced = all_same ? (std::uint64_t{1} << 32 | mask) : 0;
      }
      for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) record(rest).result = reduced;
      break;
    }
  }

  warp.collecting &= ~present;
  for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
    const unsigned thread = first + static_cast<unsigned>(std::countr_zero(rest));
    threads_[thread].waiting = Waiting::not_at_all;
    if (thread != current_) make_ready(thread);
  }
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
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
    const unsigned thread = thread_of(rest);
    threads_[thread].mask = group;
    threads_[thread].waiting = Waiting::not_at_all;
    if (thread != current_) make_ready(thread);
  }
}

}  // namespace simulator
