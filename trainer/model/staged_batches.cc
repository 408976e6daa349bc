#include "trainer/model/staged_batches.h"

#include <algorithm>
#include <utility>

#include "kernels/cuda_check.h"

namespace andrea {
namespace {

void enqueue_copy(int* to, const int* from, std::int64_t count, cudaMemcpyKind kind,
                  cudaStream_t stream) {
  CUDA_CHECK(
      cudaMemcpyAsync(to, from, static_cast<std::size_t>(count) * sizeof(int), kind, stream));
}

}  // namespace

StagedBatches::StagedBatches(int micro_batches, std::int64_t rows)
    : rows_(rows),
      micro_batches_(micro_batches),
      host_(2 * micro_batches * rows),
      device_(2 * micro_batches * rows) {
  CUDA_CHECK(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreateWithFlags(&arrived_, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventCreateWithFlags(&taken_, cudaEventDisableTiming));
}

StagedBatches::~StagedBatches() {
  // The buffers must not go while they are copied.
  (void)cudaStreamSynchronize(copies_);
  (void)cudaEventDestroy(taken_);
  (void)cudaEventDestroy(arrived_);
  (void)cudaStreamDestroy(copies_);
}

void StagedBatches::put(int micro, std::span<const int> tokens, std::span<const int> targets) {
  // The host's copy is free again once the one before has arrived, which it has long since.
  CUDA_CHECK(cudaEventSynchronize(arrived_));
  CUDA_CHECK(cudaStreamWaitEvent(copies_, taken_, 0));
  const std::int64_t at = micro * rows_;
  for (const auto& [from, begin] :
       {std::pair{tokens, at}, std::pair{targets, micro_batches_ * rows_ + at}}) {
    std::copy(from.begin(), from.end(), host_.data() + begin);
    enqueue_copy(device_.data() + begin, host_.data() + begin, rows_, cudaMemcpyHostToDevice,
                 copies_);
  }
}

void StagedBatches::take(int* tokens, int* targets, cudaStream_t stream) {
  CUDA_CHECK(cudaEventRecord(arrived_, copies_));
  CUDA_CHECK(cudaStreamWaitEvent(stream, arrived_, 0));
  const std::int64_t all = micro_batches_ * rows_;
  enqueue_copy(tokens, device_.data(), all, cudaMemcpyDeviceToDevice, stream);
  enqueue_copy(targets, device_.data() + all, all, cudaMemcpyDeviceToDevice, stream);
  CUDA_CHECK(cudaEventRecord(taken_, stream));
}

}  // namespace andrea
