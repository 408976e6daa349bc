// What the checker hears. Linked with the runtime itself, since only its own code sets an observer.

#include "simulator/runtime/observer.h"

#include "simulator/tests/host_api/host_api.h"

namespace {

using ObserverTest = HostApi;

class Recorder : public simulator::Observer {
 public:
  struct Use {
    std::string by;
    std::vector<simulator::MemoryUse> uses;
  };

  std::vector<simulator::Operation> operations;
  std::vector<Use> uses;

  void grid_begins(simulator::Grid&) override { take(); }
  void memory_used(const char* by, const std::vector<simulator::MemoryUse>& used) override {
    take();
    uses.push_back({by, used});
  }

  void grid_ends(simulator::Grid&) override {}
  void block_begins(simulator::Block&) override {}
  void block_ends(simulator::Block&) override {}
  void block_leaves(simulator::Block&) override {}
  void block_returns(simulator::Block&) override {}
  void thread_ends(simulator::Block&) override {}
  void barrier_completes(simulator::Block&) override {}
  void grid_barrier_completes(simulator::Grid&) override {}
  void collective_completes(simulator::Block&, unsigned, std::uint32_t, std::uint32_t) override {}
  void fence(simulator::Block&, __simulator::__Scope) override {}
  void allocated(const simulator::Allocation&) override {}
  void freed(const simulator::Allocation&) override {}

 private:
  void take() {
    ASSERT_NE(simulator::running_operation(), nullptr);
    operations.push_back(*simulator::running_operation());
  }
};

__global__ void nothing() {}

TEST_F(ObserverTest, HearsOfRowsAndFills) {
  Recorder recorder;
  char* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 4096), cudaSuccess);
  char host[64] = {};
  simulator::set_observer(&recorder);
  EXPECT_EQ(cudaMemcpy2D(device, 512, host, 16, 16, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(device, 1, 100), cudaSuccess);
  EXPECT_EQ(simulator::library_call(nullptr, "gemm",
                                    {{simulator::MemoryUse::reads, device, 8, 1, 0, "A"}}, [] {}),
            cudaSuccess);
  simulator::set_observer(nullptr);
  ASSERT_EQ(recorder.uses.size(), 3u);
  EXPECT_EQ(recorder.uses[0].by, "cudaMemcpy");
  const simulator::MemoryUse& to = recorder.uses[0].uses.back();
  EXPECT_EQ(to.kind, simulator::MemoryUse::writes);
  EXPECT_EQ(to.pointer, device);
  EXPECT_EQ(to.bytes, 16u);
  EXPECT_EQ(to.rows, 4u);
  EXPECT_EQ(to.stride_bytes, 512u);
  EXPECT_EQ(recorder.uses[1].by, "cudaMemset");
  EXPECT_EQ(recorder.uses[1].uses.front().bytes, 100u);
  EXPECT_EQ(recorder.uses[2].by, "gemm");
  cudaFree(device);
}

TEST_F(ObserverTest, HearsTheOrderOfKernelsAndCopies) {
  Recorder recorder;
  char* device = nullptr;
  cudaStream_t streams[2];
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  for (cudaStream_t& stream : streams) ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  simulator::set_observer(&recorder);
  LAUNCH((nothing), (1, 1, 0, streams[0]));
  EXPECT_EQ(cudaMemsetAsync(device, 0, 64, streams[0]), cudaSuccess);
  LAUNCH((nothing), (1, 1, 0, streams[1]));
  simulator::set_observer(nullptr);
  ASSERT_EQ(recorder.operations.size(), 3u);
  EXPECT_TRUE(ordered(recorder.operations[0], recorder.operations[1]));
  EXPECT_FALSE(ordered(recorder.operations[1], recorder.operations[0]));
  EXPECT_FALSE(ordered(recorder.operations[1], recorder.operations[2]));
  EXPECT_EQ(simulator::running_operation(), nullptr);
  for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(device);
}

}  // namespace
