#include "simulator/check/clocks.h"

#include <algorithm>
#include <bit>

namespace simulator {
namespace {

std::uint64_t thread_key(std::uint32_t block, unsigned thread) {
  return std::uint64_t{block} << 32 | thread;
}

// A fence publishes so many threads by themselves.
constexpr std::size_t kThreadsToldApart = 512;

void raise(std::uint32_t& value, std::uint32_t to) { value = std::max(value, to); }

}  // namespace

void Known::add(const Known& other) {
  for (const auto& [block, tick] : other.blocks) raise(blocks[block], tick);
  for (const auto& [thread, tick] : other.threads) raise(threads[thread], tick);
}

bool Known::before(const AccessRecord& access) const {
  const auto block = blocks.find(access.block);
  if (block != blocks.end() && access.clock < block->second) return true;
  const auto thread = threads.find(thread_key(access.block, access.thread()));
  return thread != threads.end() && access.clock < thread->second;
}

KnownPointer joined(const KnownPointer& one, const KnownPointer& other) {
  if (one == nullptr || one == other) return other;
  if (other == nullptr) return one;
  auto both = std::make_shared<Known>(*one);
  both->add(*other);
  return both;
}

void BlockClocks::begin(std::uint32_t block, unsigned threads) {
  block_ = block;
  threads_ = threads;
  tick_ = 1;
  base_ = 1;
  std::fill_n(clock_.begin(), threads, 1u);
  std::fill(warp_base_.begin(), warp_base_.end(), 1u);
  lanes_.clear();
  std::fill_n(unfenced_.begin(), threads, static_cast<unsigned char>(0));
  if (met_used_) std::fill(met_.begin(), met_.end(), nullptr);
  met_used_ = false;
  if (known_used_) {
    std::fill(known_.begin(), known_.end(), nullptr);
    std::fill(fenced_.begin(), fenced_.end(), nullptr);
    known_used_ = false;
  }
}

void BlockClocks::barrier() {
  if (known_used_) {
    // What one thread knows or has published, all know now, and any may publish.
    KnownPointer known;
    KnownPointer fenced;
    bool all_fenced = true;
    for (unsigned thread = 0; thread < threads_; ++thread) {
      known = joined(known, known_[thread]);
      fenced = joined(fenced, fenced_[thread]);
      all_fenced = all_fenced && unfenced_[thread] == 0;
    }
    if (all_fenced && fenced != nullptr) {
      auto whole = std::make_shared<Known>(*fenced);
      std::erase_if(whole->threads, [&](const auto& one) { return one.first >> 32 == block_; });
      whole->blocks[block_] = tick_ + 1;
      fenced = whole;
    }
    std::fill_n(known_.begin(), threads_, known);
    std::fill_n(fenced_.begin(), threads_, fenced);
  }
  if (met_used_) std::fill(met_.begin(), met_.end(), nullptr);
  met_used_ = false;
  base_ = ++tick_;
}

void BlockClocks::warp_sync(unsigned first, std::uint32_t present, std::uint32_t mask) {
  if (known_used_) {
    KnownPointer known;
    KnownPointer fenced;
    for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
      const unsigned thread = first + static_cast<unsigned>(std::countr_zero(rest));
      known = joined(known, known_[thread]);
      fenced = joined(fenced, fenced_[thread]);
    }
    for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
      const unsigned thread = first + static_cast<unsigned>(std::countr_zero(rest));
      known_[thread] = known;
      fenced_[thread] = fenced;
    }
  }
  if (met_used_) {
    MeetingPointer all;
    for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
      all = together(all, met_[first + static_cast<unsigned>(std::countr_zero(rest))]);
    }
    for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
      met_[first + static_cast<unsigned>(std::countr_zero(rest))] = all;
    }
  }
  ++tick_;
  if (mask == ~0u) {
    warp_base_[first / kWarpSize] = tick_;
    return;
  }
  if (lanes_.empty()) lanes_.resize(kMaximumThreads * kWarpSize);
  std::uint32_t together[kWarpSize] = {};
  for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned other = 0; other < kWarpSize; ++other) {
      raise(together[other], lanes_at(first + lane, other));
    }
    together[lane] = tick_;
  }
  for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
    const unsigned thread = first + static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned other = 0; other < kWarpSize; ++other) {
      raise(lanes_at(thread, other), together[other]);
    }
    clock_[thread] = tick_;
  }
}

void BlockClocks::fence(unsigned thread) {
  auto all = known_[thread] == nullptr ? std::make_shared<Known>()
                                       : std::make_shared<Known>(*known_[thread]);
  // What the thread did, and what its block and its warp did before their last syncs.
  raise(all->blocks[block_], base_);
  raise(all->threads[thread_key(block_, thread)], clock(thread) + 1);
  const unsigned warp = thread / kWarpSize;
  if (warp_base_[warp] > base_) {
    const unsigned end = std::min((warp + 1) * kWarpSize, threads_);
    for (unsigned lane = warp * kWarpSize; lane < end; ++lane) {
      raise(all->threads[thread_key(block_, lane)], warp_base_[warp]);
    }
  }
  if (!lanes_.empty()) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::uint32_t tick = lanes_at(thread, lane);
      if (tick > 0) raise(all->threads[thread_key(block_, warp * kWarpSize + lane)], tick);
    }
  }
  if (met_used_ && met_[thread] != nullptr) {
    for (unsigned other = 0; other < threads_; ++other) {
      const std::uint32_t tick = met_[thread]->ticks[other];
      if (tick > base_) raise(all->threads[thread_key(block_, other)], tick);
    }
  }
  // Many threads that fence one after another would each carry on the whole list. What is told of a
  // block instead is more than is known, so that a race may go unseen, but none is made up.
  if (all->threads.size() > kThreadsToldApart) {
    for (const auto& [key, tick] : all->threads) {
      raise(all->blocks[static_cast<std::uint32_t>(key >> 32)], tick);
    }
    all->threads.clear();
  }
  clock_[thread] = ++tick_;
  unfenced_[thread] = 0;
  fenced_[thread] = joined(fenced_[thread], all);
  known_used_ = true;
}

void Meeting::add(const Meeting& other) {
  for (std::size_t i = 0; i < ticks.size(); ++i) raise(ticks[i], other.ticks[i]);
  known = joined(known, other.known);
  fenced = joined(fenced, other.fenced);
}

bool Meeting::includes(const Meeting& other) const {
  bool all = (other.known == nullptr || other.known == known) &&
             (other.fenced == nullptr || other.fenced == fenced);
  for (std::size_t i = 0; i < ticks.size(); ++i) all = all && other.ticks[i] <= ticks[i];
  return all;
}

MeetingPointer BlockClocks::together(const MeetingPointer& one, const MeetingPointer& other) const {
  if (one == other || other == nullptr) return one;
  if (one == nullptr || other->includes(*one)) return other;
  if (one->includes(*other)) return one;
  auto both = std::make_shared<Meeting>(*one);
  both->add(*other);
  return both;
}

void BlockClocks::arrive(unsigned thread, Meeting& gathering) {
  std::vector<std::uint32_t>& ticks = gathering.ticks;
  ticks.resize(threads_);
  if (met_used_ && met_[thread] != nullptr) gathering.add(*met_[thread]);
  const unsigned first = thread / kWarpSize * kWarpSize;
  const unsigned end = std::min(first + kWarpSize, threads_);
  for (unsigned lane = first; lane < end; ++lane) {
    raise(ticks[lane], warp_base_[thread / kWarpSize]);
    if (!lanes_.empty()) raise(ticks[lane], lanes_at(thread, lane));
  }
  raise(ticks[thread], clock(thread) + 1);
  if (known_used_) {
    gathering.known = joined(gathering.known, known_[thread]);
    gathering.fenced = joined(gathering.fenced, fenced_[thread]);
  }
  clock_[thread] = ++tick_;
}

void BlockClocks::pass(unsigned thread, const MeetingPointer& meeting) {
  met_[thread] = together(met_[thread], meeting);
  met_used_ = true;
  if (meeting->known != nullptr || meeting->fenced != nullptr) {
    known_[thread] = joined(known_[thread], meeting->known);
    fenced_[thread] = joined(fenced_[thread], meeting->fenced);
    known_used_ = true;
  }
}

void BlockClocks::learn(unsigned thread, const KnownPointer& known) {
  known_[thread] = joined(known_[thread], known);
  known_used_ = true;
}

}  // namespace simulator
