#include "lessons/07_full_model/sums_beside_copies.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "kernels/cuda_check.h"
#include "kernels/device_buffer.h"
#include "lessons/07_full_model/further.h"

namespace andrea::lesson07 {
namespace {

// Host memory that copies can read without the processor.
class Pinned {
 public:
  explicit Pinned(const std::vector<float>& numbers) {
    CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&numbers_), numbers.size() * sizeof(float)));
    std::copy(numbers.begin(), numbers.end(), numbers_);
  }
  ~Pinned() { (void)cudaFreeHost(numbers_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  const float* data() const { return numbers_; }

 private:
  float* numbers_ = nullptr;
};

// The exercise with the streams, buffers and events that it needs.
class SumsOfBatches {
 public:
  SumsOfBatches(const std::vector<float>& batches, int count, const Launch& launch)
      : batches_(batches), count_(count), launch_(launch) {
    // Not numbers, so that what has not been copied shows.
    const std::vector<float> nothing(static_cast<std::size_t>(count), NAN);
    first_ = DeviceBuffer<float>(std::span<const float>(nothing));
    second_ = DeviceBuffer<float>(std::span<const float>(nothing));
    CUDA_CHECK(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&copies_.stream, cudaStreamNonBlocking));
    launch_.stream = compute;
    copies_.buffers[0] = first_.data(), copies_.buffers[1] = second_.data();
    for (cudaEvent_t* events : {copies_.copied, copies_.used}) {
      for (int b = 0; b < 2; ++b) {
        CUDA_CHECK(cudaEventCreateWithFlags(&events[b], cudaEventDisableTiming));
      }
    }
  }
  ~SumsOfBatches() {
    for (cudaEvent_t* events : {copies_.copied, copies_.used}) {
      for (int b = 0; b < 2; ++b) (void)cudaEventDestroy(events[b]);
    }
    (void)cudaStreamDestroy(copies_.stream);
    (void)cudaStreamDestroy(compute);
  }
  SumsOfBatches(const SumsOfBatches&) = delete;
  SumsOfBatches& operator=(const SumsOfBatches&) = delete;

  void run(float* sums, int count_of_batches) const {
    sums_of_batches(batches_.data(), sums, count_of_batches, count_, copies_, launch_);
  }

  cudaStream_t compute = nullptr;

 private:
  Pinned batches_;
  int count_;
  Launch launch_;
  CopyStream copies_{};
  DeviceBuffer<float> first_, second_;
};

// CUDA 13 also tells of what kind an edge is; all of these are plain ones.
cudaError_t edges_of(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                     std::size_t* count) {
#if CUDART_VERSION >= 13000
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
#else
  return cudaGraphGetEdges(graph, from, to, count);
#endif
}

// What waits for what, of work that has been recorded as a graph.
class Order {
 public:
  explicit Order(cudaGraph_t graph) {
    std::size_t nodes = 0, edges = 0;
    CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    std::vector<cudaGraphNode_t> all(nodes);
    CUDA_CHECK(cudaGraphGetNodes(graph, all.data(), &nodes));
    for (const cudaGraphNode_t node : all) {
      cudaGraphNodeType type;
      CUDA_CHECK(cudaGraphNodeGetType(node, &type));
      if (type == cudaGraphNodeTypeMemcpy) copies.push_back(node);
      if (type == cudaGraphNodeTypeKernel) kernels.push_back(node);
    }
    CUDA_CHECK(edges_of(graph, nullptr, nullptr, &edges));
    from_.resize(edges), to_.resize(edges);
    CUDA_CHECK(edges_of(graph, from_.data(), to_.data(), &edges));
  }

  bool waits_for(cudaGraphNode_t later, cudaGraphNode_t earlier) const {
    if (later == earlier) return true;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      if (to_[i] == later && waits_for(from_[i], earlier)) return true;
    }
    return false;
  }

  std::vector<cudaGraphNode_t> copies, kernels;  // in the order in which they were recorded

 private:
  std::vector<cudaGraphNode_t> from_, to_;
};

}  // namespace

void sums_beside_copies(const std::vector<float>& batches, float* sums, int count_of_batches,
                        int count, const Launch& launch) {
  const SumsOfBatches work(batches, count, launch);
  work.run(sums, count_of_batches);
  const cudaError_t ended = cudaDeviceSynchronize();
  (void)ended;  // it stays, for whoever waits next
}

RecordedOrder order_of_sums(const std::vector<float>& batches, float* sums, int count_of_batches,
                            int count, const Launch& launch) {
  const SumsOfBatches work(batches, count, launch);
  CUDA_CHECK(cudaStreamBeginCapture(work.compute, cudaStreamCaptureModeGlobal));
  work.run(sums, count_of_batches);
  cudaGraph_t graph = nullptr;
  CUDA_CHECK(cudaStreamEndCapture(work.compute, &graph));
  const Order order(graph);
  RecordedOrder result{static_cast<std::int64_t>(order.copies.size()),
                       static_cast<std::int64_t>(order.kernels.size()),
                       {}};
  for (std::size_t k = 0; k + 1 < std::min(order.copies.size(), order.kernels.size()); ++k) {
    if (order.waits_for(order.copies[k + 1], order.kernels[k])) {
      result.waited_for.push_back(static_cast<std::int64_t>(k));
    }
  }
  CUDA_CHECK(cudaGraphDestroy(graph));
  return result;
}

}  // namespace andrea::lesson07
