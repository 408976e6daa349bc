// One simulated kernel makes what an operation of the `cpu` set reads, another uses what it wrote.

#include <gtest/gtest.h>

#include <vector>

#include "kernels/cuda_check.h"
#include "kernels/linear.h"
#include "kernels/residual.h"
#include "tests/mixed_sets/kernels.h"
#include "tests/mixed_sets/reports.h"

namespace andrea {
namespace {

constexpr int kCount = 100;

class MixedSetTest : public ReportsTest {
 protected:
  MixedSetTest() {
    CUDA_CHECK(cudaStreamCreate(&stream_));
    CUDA_CHECK(cudaStreamCreate(&other_));
  }
  ~MixedSetTest() override {
    for (float* const pointer : allocated_) CUDA_CHECK(cudaFree(pointer));
    CUDA_CHECK(cudaStreamDestroy(stream_));
    CUDA_CHECK(cudaStreamDestroy(other_));
  }

  // Device memory that nobody has written.
  float* numbers(int count) {
    float* pointer = nullptr;
    CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&pointer),
                          static_cast<std::size_t>(count) * sizeof(float)));
    allocated_.push_back(pointer);
    return pointer;
  }

  cudaStream_t stream_ = nullptr;
  cudaStream_t other_ = nullptr;

 private:
  std::vector<float*> allocated_;
};

TEST_F(MixedSetTest, RightUseIsSilent) {
  float* const a = numbers(kCount);
  float* const b = numbers(kCount);
  float* const sum = numbers(kCount);
  float* const scaled = numbers(kCount);
  fill(a, 2, kCount, stream_);
  fill(b, 3, kCount, stream_);
  residual_forward(a, b, sum, kCount, {.stream = stream_});
  scale(sum, scaled, 10, kCount, stream_);
  std::vector<float> values(kCount);
  CUDA_CHECK(cudaMemcpy(values.data(), scaled, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  EXPECT_EQ(values, std::vector<float>(kCount, 50));
  EXPECT_EQ(reports(), std::vector<std::string>());
}

TEST_F(MixedSetTest, AnEventOrdersTwoStreams) {
  float* const a = numbers(kCount);
  float* const sum = numbers(kCount);
  float* const scaled = numbers(kCount);
  cudaEvent_t done;
  CUDA_CHECK(cudaEventCreate(&done));
  fill(a, 2, kCount, stream_);
  CUDA_CHECK(cudaEventRecord(done, stream_));
  CUDA_CHECK(cudaStreamWaitEvent(other_, done, 0));
  residual_forward(a, a, sum, kCount, {.stream = other_});
  CUDA_CHECK(cudaStreamSynchronize(other_));
  scale(sum, scaled, 10, kCount, stream_);
  CUDA_CHECK(cudaEventDestroy(done));
  EXPECT_EQ(reports(), std::vector<std::string>());
}

TEST_F(MixedSetTest, AnInputNeverWritten) {
  float* const a = numbers(kCount);
  float* const b = numbers(kCount);
  float* const sum = numbers(kCount);
  fill(a, 2, kCount, stream_);
  fill(b, 3, kCount - 1, stream_);
  residual_forward(a, b, sum, kCount, {.stream = stream_});
  EXPECT_EQ(reports(),
            std::vector<std::string>{
                "never-written: residual_forward reads bytes that nobody has written; calls "
                "residual_forward, in its parameter correction"});
  EXPECT_TRUE(simulator::published().front().error);
}

TEST_F(MixedSetTest, AnotherStreamsInput) {
  float* const a = numbers(kCount);
  float* const b = numbers(kCount);
  float* const sum = numbers(kCount);
  fill(a, 2, kCount, other_);
  fill(b, 3, kCount, stream_);
  residual_forward(a, b, sum, kCount, {.stream = stream_});
  EXPECT_EQ(
      reports(),
      std::vector<std::string>{
          "race: race on global memory: nothing orders fill_kernel and residual_forward, in "
          "two streams, of which one writes what the other reads; launches fill_kernel, which "
          "writes it; calls residual_forward, which reads it as its stream"});
}

TEST_F(MixedSetTest, AnotherStreamsOutput) {
  float* const a = numbers(kCount);
  float* const sum = numbers(kCount);
  float* const scaled = numbers(kCount);
  fill(a, 2, kCount, stream_);
  residual_forward(a, a, sum, kCount, {.stream = stream_});
  scale(sum, scaled, 10, kCount, other_);
  EXPECT_EQ(reports(),
            std::vector<std::string>{
                "race: race on global memory: nothing orders residual_forward and scale_kernel, in "
                "two streams, of which one writes what the other reads; calls residual_forward, "
                "which writes it as its out; launches scale_kernel, which reads it"});
}

TEST_F(MixedSetTest, ABufferTooSmall) {
  float* const x = numbers(3 * 4);
  float* const weight = numbers(4 * 5);
  float* const y = numbers(3 * 5 - 1);
  fill(x, 2, 3 * 4, stream_);
  fill(weight, 3, 4 * 5, stream_);
  linear_forward(x, weight, nullptr, y, 3, 4, 5, {.stream = stream_});
  EXPECT_EQ(reports(),
            std::vector<std::string>{
                "out-of-bounds: linear_forward writes past the end of an allocation of 56 bytes; "
                "calls linear_forward, in its parameter y"});
}

// The line of CUDA code that calls the operation is told.
TEST_F(MixedSetTest, ABufferTooSmallForWhatAKernelsFileCalls) {
  float* const a = numbers(kCount);
  float* const sum = numbers(kCount - 1);
  fill(a, 2, kCount, stream_);
  twice(a, sum, kCount, stream_);
  ASSERT_EQ(reports(), std::vector<std::string>{
                           "out-of-bounds: residual_forward writes past the end of an allocation "
                           "of 396 bytes; calls residual_forward, in its parameter out"});
  const simulator::Report& report = simulator::published().front();
  ASSERT_EQ(report.parties.front().lines.size(), 1u);
  const simulator::SourceLine& line = report.parties.front().lines.front();
  EXPECT_TRUE(line.file.ends_with("tests/mixed_sets/kernels.cu")) << line.file;
  EXPECT_NE(line.function.find("twice"), std::string::npos) << line.function;
  EXPECT_TRUE(report.variable.ends_with("byte 396, 4 bytes past the end")) << report.variable;
}

TEST_F(MixedSetTest, MemoryThatWasFreed) {
  float* const a = numbers(kCount);
  float* freed = nullptr;
  CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&freed), kCount * sizeof(float)));
  fill(a, 2, kCount, stream_);
  fill(freed, 3, kCount, stream_);
  CUDA_CHECK(cudaFree(freed));
  residual_forward(a, freed, a, kCount, {.stream = stream_});
  EXPECT_EQ(reports(),
            std::vector<std::string>{
                "use-after-free: residual_forward reads memory that has been freed; calls "
                "residual_forward, in its parameter correction"});
}

}  // namespace
}  // namespace andrea
