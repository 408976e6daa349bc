#include <vector>

#include "simulator/tests/host_api/host_api.h"

namespace graph_test {

__global__ void add(int* to, const int* from, int more, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<unsigned>(n)) to[i] = from[i] + more;
}

}  // namespace graph_test

namespace {

using graph_test::add;
using simulator::Operation;
using simulator::ordered;

constexpr int kCount = 100;
constexpr std::size_t kBytes = kCount * sizeof(int);

class GraphTest : public HostApi {
 protected:
  void SetUp() override {
    HostApi::SetUp();
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&other_), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&in_, kBytes), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&out_, kBytes), cudaSuccess);
  }
  void TearDown() override {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
    for (const cudaStream_t stream : {stream_, other_}) cudaStreamDestroy(stream);
    cudaFree(in_);
    cudaFree(out_);
    HostApi::TearDown();
  }

  std::size_t nodes() const {
    std::size_t count = 0;
    EXPECT_EQ(cudaGraphGetNodes(graph_, nullptr, &count), cudaSuccess);
    return count;
  }

  cudaStream_t stream_ = nullptr;
  cudaStream_t other_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  int* in_ = nullptr;
  int* out_ = nullptr;
  int host_[kCount] = {};
};

TEST_F(GraphTest, ACaptureIsReplayedWithNewInputs) {
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  {
    int more = 1000;  // gone when the graph runs: it has its own copy
    LAUNCH((add), (1, 128, 0, stream_), out_, in_, more, kCount);
    LAUNCH((add), (1, 128, 0, stream_), out_, out_, 1, kCount);
    more = 0;
  }
  EXPECT_EQ(cudaMemcpyAsync(host_, out_, kBytes, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);
  EXPECT_EQ(host_[0], 0);  // nothing ran yet
  EXPECT_EQ(nodes(), 3u);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_, 0), cudaSuccess);
  for (int round = 1; round <= 3; ++round) {
    std::vector<int> input(kCount);
    for (int i = 0; i < kCount; ++i) input[i] = i * round;
    ASSERT_EQ(cudaMemcpy(in_, input.data(), kBytes, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    for (int i = 0; i < kCount; ++i) ASSERT_EQ(host_[i], i * round + 1001);
  }
  EXPECT_TRUE(nothing_reported());
}

TEST_F(GraphTest, TheOlderWaysToInstantiate) {
  ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddEmptyNode(&node, graph_, nullptr, 0), cudaSuccess);
  cudaGraphExec_t executables[4];
  char log[16] = "x";
  EXPECT_EQ(cudaGraphInstantiate(&executables[0], graph_, NULL, NULL, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&executables[1], graph_, &node, log, sizeof log), cudaSuccess);
  EXPECT_STREQ(log, "");
  EXPECT_EQ(cudaGraphInstantiate(&executables[2], graph_), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&executables[3], graph_, 0), cudaSuccess);
  for (const cudaGraphExec_t executable : executables) {
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  }
  EXPECT_EQ(cudaGraphLaunch(executables[0], nullptr), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("graph", "destroyed", __LINE__ - 1));
}

// stream_: first, then a fork; other_: branch; both joined before last.
TEST_F(GraphTest, ForksAndJoinsKeepTheirOrder) {
  Operation first, branch, straight, last;
  cudaEvent_t fork = nullptr;
  cudaEvent_t joined = nullptr;
  ASSERT_EQ(cudaEventCreate(&fork), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&joined), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  probe(stream_, &first);
  ASSERT_EQ(cudaEventRecord(fork, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other_, fork, 0), cudaSuccess);
  probe(other_, &branch);
  probe(stream_, &straight);
  ASSERT_EQ(cudaEventRecord(joined, other_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(stream_, joined, 0), cudaSuccess);
  probe(stream_, &last);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);
  std::size_t edges = 0;
  EXPECT_EQ(cudaGraphGetEdges(graph_, nullptr, nullptr, nullptr, &edges), cudaSuccess);
  EXPECT_EQ(edges, 4u);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess);
  Operation before, after;
  probe(stream_, &before);
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  probe(stream_, &after);
  EXPECT_TRUE(ordered(before, first));
  EXPECT_TRUE(ordered(before, branch));
  EXPECT_TRUE(ordered(first, branch));
  EXPECT_TRUE(ordered(first, straight));
  EXPECT_FALSE(ordered(branch, straight));
  EXPECT_FALSE(ordered(straight, branch));
  EXPECT_TRUE(ordered(branch, last));
  EXPECT_TRUE(ordered(straight, last));
  EXPECT_TRUE(ordered(branch, after));
  const Operation earlier = branch;
  ASSERT_EQ(cudaGraphLaunch(executable_, other_), cudaSuccess);
  EXPECT_TRUE(ordered(earlier, first));
  EXPECT_FALSE(simulator::host_has_seen(last));
  ASSERT_EQ(cudaStreamSynchronize(other_), cudaSuccess);
  EXPECT_TRUE(simulator::host_has_seen(last));
  EXPECT_TRUE(nothing_reported());
  cudaEventDestroy(fork);
  cudaEventDestroy(joined);
}

TEST_F(GraphTest, UnjoinedWorkIsRefused) {
  cudaEvent_t fork = nullptr;
  ASSERT_EQ(cudaEventCreate(&fork), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other_, fork, 0), cudaSuccess);
  LAUNCH((add), (1, 1, 0, other_), out_, in_, 1, 1);
  EXPECT_EQ(cudaStreamEndCapture(other_, &graph_), cudaErrorStreamCaptureUnmatched);
  EXPECT_TRUE(reported("capture", "another stream"));
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaErrorStreamCaptureInvalidated);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other_, fork, 0), cudaSuccess);
  LAUNCH((add), (1, 1, 0, other_), out_, in_, 1, 1);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaErrorStreamCaptureUnjoined);
  EXPECT_TRUE(reported("capture", "nothing waits for"));
  EXPECT_EQ(graph_, nullptr);
  // Both streams work again.
  LAUNCH((add), (1, 1, 0, other_), out_, in_, 1, 1);
  EXPECT_EQ(cudaStreamSynchronize(other_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other_, fork, 0), cudaErrorCapturedEvent);
  EXPECT_TRUE(reported("capture", "has ended"));
  cudaEventDestroy(fork);
}

TEST_F(GraphTest, WhatWaitsSpoilsACapture) {
  void* pointer = nullptr;
  const auto spoilt_by = [&](auto call) {
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    const cudaError_t error = call();
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaErrorStreamCaptureInvalidated);
    EXPECT_TRUE(reported("capture", "while a stream is being captured"));
    return error;
  };
  EXPECT_EQ(spoilt_by([&] { return cudaStreamSynchronize(stream_); }),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(spoilt_by([&] { return cudaDeviceSynchronize(); }), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(spoilt_by([&] { return cudaMalloc(&pointer, 4); }), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(spoilt_by([&] { return cudaMemcpy(host_, in_, 4, cudaMemcpyDeviceToHost); }),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(spoilt_by([&] { return cudaMemsetAsync(in_, 0, 4, nullptr); }),
            cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(spoilt_by([&] { return cudaMallocAsync(&pointer, 4, stream_); }),
            cudaErrorNotSupported);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(reported("capture", "default stream"));
}

TEST_F(GraphTest, NodesRunAfterThoseTheyDependOn) {
  ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  std::vector<int> input(kCount, 5);
  // Made from the last to the first; the dependencies come after.
  cudaGraphNode_t back, kernel, fill, to;
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&back, graph_, nullptr, 0, host_, out_, kBytes,
                                     cudaMemcpyDeviceToHost),
            cudaSuccess);
  int more = 100;
  int count = kCount;
  void* arguments[] = {&out_, &in_, &more, &count};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(add);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(128);
  parameters.kernelParams = arguments;
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, graph_, nullptr, 0, &parameters), cudaSuccess);
  more = 0;  // the node has its own copy
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&to, graph_, nullptr, 0, in_, input.data(), kBytes,
                                     cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaMemsetParams zero{};
  zero.dst = in_;
  zero.value = 7;
  zero.elementSize = sizeof(int);
  zero.width = 10;
  zero.height = 1;
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph_, &to, 1, &zero), cudaSuccess);
  const cudaGraphNode_t from[] = {fill, kernel};
  const cudaGraphNode_t into[] = {kernel, back};
  ASSERT_EQ(cudaGraphAddDependencies(graph_, from, into, nullptr, 2), cudaSuccess);
  EXPECT_EQ(nodes(), 4u);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(fill, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeMemset);
  cudaGraphNode_t root = nullptr;
  std::size_t roots = 1;
  EXPECT_EQ(cudaGraphGetRootNodes(graph_, &root, &roots), cudaSuccess);
  EXPECT_EQ(root, to);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  EXPECT_EQ(host_[0], 107);
  EXPECT_EQ(host_[9], 107);
  EXPECT_EQ(host_[10], 105);

  more = 200;
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(executable_, kernel, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(executable_, fill, &parameters),
            cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  EXPECT_EQ(host_[0], 207);

  // A circle.
  ASSERT_EQ(cudaGraphAddDependencies(graph_, &back, &to, 1), cudaSuccess);
  cudaGraphExec_t none = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&none, graph_), cudaErrorInvalidValue);
  EXPECT_TRUE(reported("graph", "circle"));
}

TEST_F(GraphTest, GraphsInsideGraphsAndHostNodes) {
  cudaGraph_t child = nullptr;
  std::vector<int> order;
  struct Step {
    std::vector<int>* order;
    int number;
  } steps[3] = {{&order, 1}, {&order, 2}, {&order, 3}};
  const auto host_node = [&](int number) {
    return cudaHostNodeParams{
        [](void* step) {
          static_cast<Step*>(step)->order->push_back(static_cast<Step*>(step)->number);
        },
        &steps[number - 1]};
  };
  cudaGraphNode_t inner, first, middle, last;
  ASSERT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
  cudaHostNodeParams parameters = host_node(2);
  ASSERT_EQ(cudaGraphAddHostNode(&inner, child, nullptr, 0, &parameters), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  parameters = host_node(1);
  ASSERT_EQ(cudaGraphAddHostNode(&first, graph_, nullptr, 0, &parameters), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&middle, graph_, &first, 1, child), cudaSuccess);
  parameters = host_node(3);
  ASSERT_EQ(cudaGraphAddHostNode(&last, graph_, &middle, 1, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(child), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST_F(GraphTest, AnExecutableIsUpdatedFromAGraphOfTheSameShape) {
  const auto capture = [&](int more, bool twice) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    LAUNCH((add), (1, 128, 0, stream_), out_, in_, more, kCount);
    if (twice) LAUNCH((add), (1, 128, 0, stream_), out_, in_, more, kCount);
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    return graph;
  };
  ASSERT_EQ(cudaMemset(in_, 0, kBytes), cudaSuccess);
  graph_ = capture(1, false);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess);
  const cudaGraph_t next = capture(2, false);
  cudaGraphExecUpdateResultInfo info{};
  EXPECT_EQ(cudaGraphExecUpdate(executable_, next, &info), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(next), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host_, out_, kBytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host_[50], 2);
  const cudaGraph_t longer = capture(3, true);
  EXPECT_EQ(cudaGraphExecUpdate(executable_, longer, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  cudaGraphNode_t node = nullptr;
  cudaGraphExecUpdateResult outcome{};
  EXPECT_EQ(cudaGraphExecUpdate(executable_, longer, &node, &outcome),
            cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(outcome, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGraphDestroy(longer), cudaSuccess);
}

}  // namespace
