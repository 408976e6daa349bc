#include "simulator/runtime/async_copies.h"

#include <algorithm>
#include <cstring>

#include "simulator/runtime/block.h"

namespace simulator {

void AsyncCopies::clear() {
  for (const unsigned thread : used_) {
    threads_[thread].copies.clear();
    threads_[thread].groups = 0;
  }
  used_.clear();
  begun_ = 0;
}

const AsyncCopy& AsyncCopies::begin(AsyncCopy copy) {
  if (threads_.empty()) threads_.resize(kMaximumThreads);
  Thread& thread = threads_[copy.thread];
  if (thread.copies.empty()) used_.push_back(copy.thread);
  copy.number = ++begun_;
  thread.copies.push_back({copy, thread.groups});
  return thread.copies.back().copy;
}

void AsyncCopies::commit(unsigned thread) {
  if (threads_.empty()) threads_.resize(kMaximumThreads);
  if (threads_[thread].groups++ == 0) used_.push_back(thread);
}

std::vector<AsyncCopy> AsyncCopies::take(unsigned thread, unsigned last_groups) {
  std::vector<AsyncCopy> taken;
  if (threads_.empty() || threads_[thread].groups < last_groups) return taken;
  Thread& mine = threads_[thread];
  const std::uint64_t end = mine.groups - last_groups;
  const auto rest = std::find_if(mine.copies.begin(), mine.copies.end(),
                                 [&](const Pending& one) { return one.group >= end; });
  for (auto at = mine.copies.begin(); at != rest; ++at) taken.push_back(at->copy);
  mine.copies.erase(mine.copies.begin(), rest);
  return taken;
}

std::vector<AsyncCopy> AsyncCopies::take_uncommitted(unsigned thread) {
  std::vector<AsyncCopy> taken;
  if (threads_.empty()) return taken;
  Thread& mine = threads_[thread];
  const auto first = std::find_if(mine.copies.begin(), mine.copies.end(),
                                  [&](const Pending& one) { return one.group >= mine.groups; });
  for (auto at = first; at != mine.copies.end(); ++at) taken.push_back(at->copy);
  mine.copies.erase(first, mine.copies.end());
  return taken;
}

void arrive(const AsyncCopy& copy) {
  std::memcpy(copy.to, copy.from, copy.source_bytes);
  std::memset(static_cast<char*>(copy.to) + copy.source_bytes, 0, copy.bytes - copy.source_bytes);
}

}  // namespace simulator
