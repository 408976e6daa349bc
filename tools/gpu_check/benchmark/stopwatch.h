// File: stopwatch.h
//
// Seconds of what is enqueued on the default stream, by the card's own clock.

#ifndef ANDREA_TOOLS_GPU_CHECK_BENCHMARK_STOPWATCH_H_
#define ANDREA_TOOLS_GPU_CHECK_BENCHMARK_STOPWATCH_H_

#include <cuda_runtime.h>

#include <functional>

#include "kernels/cuda_check.h"

namespace andrea::cuda {

class Stopwatch {
 public:
  Stopwatch() {
    CUDA_CHECK(cudaEventCreate(&begun_));
    CUDA_CHECK(cudaEventCreate(&ended_));
  }
  ~Stopwatch() {
    (void)cudaEventDestroy(begun_);
    (void)cudaEventDestroy(ended_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  // The mean of `repeats` calls, after one that is not counted.
  double seconds_of(int repeats, const std::function<void()>& call) const {
    call();
    CUDA_CHECK(cudaEventRecord(begun_));
    for (int i = 0; i < repeats; ++i) call();
    CUDA_CHECK(cudaEventRecord(ended_));
    CUDA_CHECK(cudaEventSynchronize(ended_));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begun_, ended_));
    return static_cast<double>(milliseconds) / 1000 / repeats;
  }

 private:
  cudaEvent_t begun_ = nullptr;
  cudaEvent_t ended_ = nullptr;
};

}  // namespace andrea::cuda

#endif  // ANDREA_TOOLS_GPU_CHECK_BENCHMARK_STOPWATCH_H_
