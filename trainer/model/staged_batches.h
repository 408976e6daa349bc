// File: staged_batches.h
//
// The micro-batches of the step that comes next, brought to the device while the step before it
// computes: from pinned memory, on a stream of their own.

#ifndef ANDREA_TRAINER_MODEL_STAGED_BATCHES_H_
#define ANDREA_TRAINER_MODEL_STAGED_BATCHES_H_

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

#include "kernels/device_buffer.h"
#include "trainer/model/pinned_buffer.h"

namespace andrea {

class StagedBatches {
 public:
  // For so many micro-batches of `rows` tokens, and targets as many.
  StagedBatches(int micro_batches, std::int64_t rows);
  ~StagedBatches();
  StagedBatches(const StagedBatches&) = delete;
  StagedBatches& operator=(const StagedBatches&) = delete;

  // Begins to copy one; the spans may go at once.
  void put(int micro, std::span<const int> tokens, std::span<const int> targets);

  // Enqueues a copy of all that has been put to [micro_batches, rows] each, after which the next
  // may be put.
  void take(int* tokens, int* targets, cudaStream_t stream);

  std::size_t bytes() const { return device_.bytes(); }  // of the device

 private:
  std::int64_t rows_;
  int micro_batches_;
  PinnedBuffer<int> host_;    // tokens [micro_batches, rows], then targets
  DeviceBuffer<int> device_;  // the same
  cudaStream_t copies_;
  cudaEvent_t arrived_;  // on the device
  cudaEvent_t taken_;    // from there, so that there is room
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_STAGED_BATCHES_H_
