// File: thread_queue.h
//
// Threads of a block in the order in which they came. Each of them stands in one queue at most, so
// that there is always room.

#ifndef ANDREA_SIMULATOR_RUNTIME_THREAD_QUEUE_H_
#define ANDREA_SIMULATOR_RUNTIME_THREAD_QUEUE_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace simulator {

inline constexpr unsigned kMaximumThreads = 1024;  // of a block

class ThreadQueue {
 public:
  bool empty() const { return size_ == 0; }  // nobody waits
  unsigned size() const { return size_; }    // how many wait
  void clear() { head_ = size_ = 0; }        // nobody waits any more

  // To the end.
  void push(unsigned thread) {
    ring_[(head_ + size_) % kMaximumThreads] = static_cast<std::uint16_t>(thread);
    ++size_;
  }
  unsigned front() const { return ring_[head_]; }  // who is next
  // Takes the next one out.
  unsigned pop() {
    const unsigned thread = ring_[head_];
    head_ = (head_ + 1) % kMaximumThreads;
    --size_;
    return thread;
  }
  // Changes the first with the one in that place.
  void bring_to_front(unsigned place) {
    std::swap(ring_[head_], ring_[(head_ + place) % kMaximumThreads]);
  }
  // Costs the same for any number of threads.
  void swap(ThreadQueue& other) {
    ring_.swap(other.ring_);
    std::swap(head_, other.head_);
    std::swap(size_, other.size_);
  }

 private:
  std::vector<std::uint16_t> ring_ = std::vector<std::uint16_t>(kMaximumThreads);
  unsigned head_ = 0;
  unsigned size_ = 0;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_THREAD_QUEUE_H_
