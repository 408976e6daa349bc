// File: workers.h
//
// The OS threads that help the one that launched a kernel.

#ifndef ANDREA_SIMULATOR_RUNTIME_WORKERS_H_
#define ANDREA_SIMULATOR_RUNTIME_WORKERS_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace simulator {

class Workers {
 public:
  // `helpers` threads beside the caller's own.
  explicit Workers(unsigned helpers);

  // Every helper calls `work` once.
  void start(std::function<void()> work);
  // Returns when all of them have come back.
  void wait();

 private:
  void loop();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::function<void()> work_;
  unsigned long turn_ = 0;
  unsigned busy_ = 0;
  std::vector<std::thread> threads_;
};

// As many as worker_count(), less the launching thread. Started with the first launch that needs
// them.
Workers& workers();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_WORKERS_H_
