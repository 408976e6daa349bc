#include "simulator/runtime/workers.h"

#include <utility>

#include "simulator/runtime/grid.h"

namespace simulator {

Workers::Workers(unsigned helpers) {
  for (unsigned i = 0; i < helpers; ++i) threads_.emplace_back([this] { loop(); });
}

void Workers::start(std::function<void()> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  work_ = std::move(work);
  busy_ = static_cast<unsigned>(threads_.size());
  ++turn_;
  wake_.notify_all();
}

void Workers::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  idle_.wait(lock, [this] { return busy_ == 0; });
}

void Workers::loop() {
  unsigned long seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return turn_ != seen; });
    seen = turn_;
    const std::function<void()>& work = work_;
    lock.unlock();
    work();
    lock.lock();
    if (--busy_ == 0) idle_.notify_all();
  }
}

Workers& workers() {
  // Never destroyed: the threads wait for work until the program ends.
  static Workers* const kWorkers = new Workers(worker_count() - 1);
  return *kWorkers;
}

}  // namespace simulator
