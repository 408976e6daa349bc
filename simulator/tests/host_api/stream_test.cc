#include <thread>

#include "simulator/tests/host_api/host_api.h"

namespace {

using simulator::host_has_seen;
using simulator::Operation;
using simulator::ordered;

class StreamTest : public HostApi {
 protected:
  void SetUp() override {
    HostApi::SetUp();
    for (cudaStream_t* stream : {&a_, &b_}) ASSERT_EQ(cudaStreamCreate(stream), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&aside_, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event_), cudaSuccess);
  }
  void TearDown() override {
    for (const cudaStream_t stream : {a_, b_, aside_}) cudaStreamDestroy(stream);
    cudaEventDestroy(event_);
    HostApi::TearDown();
  }

  static Operation run(cudaStream_t stream) {
    Operation operation;
    probe(stream, &operation);
    return operation;
  }

  static void expect_unordered(const Operation& first, const Operation& second) {
    EXPECT_FALSE(ordered(first, second));
    EXPECT_FALSE(ordered(second, first));
  }

  cudaStream_t a_ = nullptr;
  cudaStream_t b_ = nullptr;
  cudaStream_t aside_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

TEST_F(StreamTest, OneStreamIsInOrderAndTwoAreNot) {
  const Operation first = run(a_);
  const Operation other = run(b_);
  const Operation second = run(a_);
  EXPECT_TRUE(ordered(first, second));
  EXPECT_FALSE(ordered(second, first));
  EXPECT_FALSE(ordered(first, first));
  expect_unordered(first, other);
  expect_unordered(other, second);
}

TEST_F(StreamTest, TheDefaultStreamIsABarrierToBlockingStreams) {
  const Operation in_a = run(a_);
  const Operation in_aside = run(aside_);
  const Operation in_default = run(nullptr);
  const Operation in_b = run(b_);
  const Operation later_aside = run(aside_);
  EXPECT_TRUE(ordered(in_a, in_default));
  EXPECT_TRUE(ordered(in_default, in_b));
  EXPECT_TRUE(ordered(in_a, in_b));
  expect_unordered(in_aside, in_default);
  expect_unordered(in_default, later_aside);
  const Operation by_name = run(cudaStreamLegacy);
  EXPECT_TRUE(ordered(in_default, by_name));
}

TEST_F(StreamTest, ThePerThreadStreamIsABlockingOne) {
  const Operation here = run(cudaStreamPerThread);
  const Operation in_a = run(a_);
  const Operation again = run(cudaStreamPerThread);
  Operation there;
  std::thread([&] { probe(cudaStreamPerThread, &there); }).join();
  EXPECT_TRUE(ordered(here, again));
  expect_unordered(here, in_a);
  expect_unordered(again, there);
  EXPECT_TRUE(ordered(there, run(nullptr)));
}

TEST_F(StreamTest, AnEventOrdersWhatCameBeforeIt) {
  const Operation before = run(a_);
  ASSERT_EQ(cudaEventRecord(event_, a_), cudaSuccess);
  const Operation after = run(a_);
  ASSERT_EQ(cudaStreamWaitEvent(b_, event_, 0), cudaSuccess);
  const Operation waited = run(b_);
  EXPECT_TRUE(ordered(before, waited));
  expect_unordered(after, waited);
}

TEST_F(StreamTest, AnEventThatWasNotRecordedOrdersNothing) {
  const Operation before = run(a_);
  ASSERT_EQ(cudaStreamWaitEvent(b_, event_), cudaSuccess);
  expect_unordered(before, run(b_));
}

TEST_F(StreamTest, WhatTheHostWaitedForComesBeforeAllThatFollows) {
  const Operation first = run(a_);
  EXPECT_FALSE(host_has_seen(first));
  ASSERT_EQ(cudaStreamSynchronize(b_), cudaSuccess);
  EXPECT_FALSE(host_has_seen(first));
  ASSERT_EQ(cudaStreamSynchronize(a_), cudaSuccess);
  EXPECT_TRUE(host_has_seen(first));
  const Operation second = run(a_);
  const Operation elsewhere = run(aside_);
  EXPECT_TRUE(ordered(first, elsewhere));
  expect_unordered(second, elsewhere);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(host_has_seen(second));
  EXPECT_TRUE(host_has_seen(elsewhere));
}

TEST_F(StreamTest, EventsAndQueriesTellTheHost) {
  const Operation first = run(a_);
  ASSERT_EQ(cudaEventRecord(event_, a_), cudaSuccess);
  const Operation second = run(a_);
  ASSERT_EQ(cudaEventSynchronize(event_), cudaSuccess);
  EXPECT_TRUE(host_has_seen(first));
  EXPECT_FALSE(host_has_seen(second));
  ASSERT_EQ(cudaStreamQuery(a_), cudaSuccess);
  EXPECT_TRUE(host_has_seen(second));
  const Operation third = run(a_);
  EXPECT_EQ(cudaEventRecord(event_, a_), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event_), cudaSuccess);
  EXPECT_TRUE(host_has_seen(third));
}

TEST_F(StreamTest, CopiesThatTheHostWaitsFor) {
  int* device = nullptr;
  int* pinned = nullptr;
  int host = 0;
  ASSERT_EQ(cudaMalloc(&device, 8), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 4), cudaSuccess);
  ASSERT_EQ(cudaMemset(device, 0, 8), cudaSuccess);
  Operation before = run(a_);
  ASSERT_EQ(cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost, a_), cudaSuccess);
  EXPECT_FALSE(host_has_seen(before));
  ASSERT_EQ(cudaMemcpyAsync(&host, device, 4, cudaMemcpyDeviceToHost, a_), cudaSuccess);
  EXPECT_TRUE(host_has_seen(before));
  before = run(nullptr);
  ASSERT_EQ(cudaMemcpy(device, device + 1, 4, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_FALSE(host_has_seen(before));
  ASSERT_EQ(cudaMemcpy(&host, device, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_TRUE(host_has_seen(before));
  before = run(aside_);
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_TRUE(host_has_seen(before));
  cudaFreeHost(pinned);
}

TEST_F(StreamTest, WorkOfADestroyedStreamIsStillWaitedFor) {
  cudaStream_t gone = nullptr;
  ASSERT_EQ(cudaStreamCreate(&gone), cudaSuccess);
  const Operation work = run(gone);
  ASSERT_EQ(cudaStreamDestroy(gone), cudaSuccess);
  expect_unordered(work, run(a_));
  EXPECT_TRUE(ordered(work, run(nullptr)));
  EXPECT_FALSE(host_has_seen(work));
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(host_has_seen(work));
}

TEST_F(StreamTest, ManyStreamsKeepClocksShort) {
  for (int i = 0; i < 1000; ++i) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    run(stream);
    ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  }
  EXPECT_LT(run(a_).clock.size(), 20u);
}

TEST_F(StreamTest, HostFunctionsRunInOrderAndMustNotCallCuda) {
  std::vector<int> order;
  struct Step {
    std::vector<int>* order;
    int number;
  } steps[2] = {{&order, 1}, {&order, 2}};
  const auto add = [](void* step) {
    static_cast<Step*>(step)->order->push_back(static_cast<Step*>(step)->number);
  };
  EXPECT_EQ(cudaLaunchHostFunc(a_, add, &steps[0]), cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(
                a_,
                [](cudaStream_t, cudaError_t status, void* step) {
                  EXPECT_EQ(status, cudaSuccess);
                  static_cast<Step*>(step)->order->push_back(2);
                },
                &steps[1], 0),
            cudaSuccess);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_TRUE(nothing_reported());
  cudaError_t inside = cudaSuccess;
  EXPECT_EQ(
      cudaLaunchHostFunc(
          a_, [](void* result) { *static_cast<cudaError_t*>(result) = cudaDeviceSynchronize(); },
          &inside),
      cudaSuccess);
  EXPECT_EQ(inside, cudaErrorNotPermitted);
  EXPECT_TRUE(reported("host-call", "cudaDeviceSynchronize"));
}

TEST_F(StreamTest, FlagsAndPriorities) {
  int least = 1;
  int greatest = 1;
  EXPECT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_LT(greatest, least);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10),
            cudaSuccess);
  int priority = 0;
  unsigned flags = 0;
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(cudaStreamNonBlocking));
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_TRUE(reported("stream", "destroyed", __LINE__ - 1));
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 8), cudaErrorInvalidValue);
}

TEST_F(StreamTest, TimesAreMeasuredAndNotToBeBelieved) {
  cudaEvent_t end = nullptr;
  cudaEvent_t timeless = nullptr;
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&timeless, cudaEventDisableTiming), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, end), cudaErrorInvalidResourceHandle);
  EXPECT_TRUE(reported("event", "never recorded"));
  ASSERT_EQ(cudaEventRecord(event_), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(timeless), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  ASSERT_EQ(simulator::published().size(), 1u);
  EXPECT_FALSE(simulator::published().front().error);
  simulator::forget_published();
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, timeless), cudaErrorInvalidResourceHandle);
  EXPECT_TRUE(reported("event", "cudaEventDisableTiming"));
  cudaEventDestroy(end);
  EXPECT_EQ(cudaEventRecord(end), cudaErrorInvalidResourceHandle);
  EXPECT_TRUE(reported("event", "destroyed"));
  cudaEventDestroy(timeless);
}

}  // namespace
