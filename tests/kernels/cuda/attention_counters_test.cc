// What the attention kernels ask of memory, as the comments at the heads of their files have it.

#include <cuda_bf16.h>
#include <gtest/gtest.h>
#include <simulator/counters.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/cuda/flash_attention.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

using simulator::AccessKind;

constexpr AttentionShape kShape{1, 256, 128, 2};  // whole tiles, so that bytes are exact
constexpr int kRows = kShape.B * kShape.T;        // of all sequences
constexpr int kHeads = kShape.B * kShape.H;       // of all sequences
constexpr std::uint64_t kStatistics = 4u * kHeads * kShape.T;  // bytes of a number a row and head

template <typename Number>
std::vector<Number> numbers(RandomInputs& random, std::int64_t count) {
  std::vector<Number> result;
  for (const float number : random.numbers(count)) result.push_back(Number(number));
  return result;
}

// Counts a forward and a backward pass.
template <typename Number>
simulator::Counters count(std::size_t scratch_bytes) {
  RandomInputs random;
  const Shape narrow = {kRows, kShape.C}, wide = {kRows, 3 * kShape.C};
  GuardedTensor<const Number> qkv("qkv", wide, numbers<Number>(random, kRows * 3 * kShape.C));
  GuardedTensor<const Number> dout("dout", narrow, numbers<Number>(random, kRows * kShape.C));
  GuardedTensor<Number> out("out", narrow), dqkv("dqkv", wide);
  GuardedTensor<float> log_sum_exp("log_sum_exp", {kHeads, kShape.T});
  const Workspace workspace(scratch_bytes);
  simulator::start_counting();
  cuda::attention_forward(qkv.data(), out.data(), log_sum_exp.data(), kShape, workspace.launch());
  cuda::attention_backward(dout.data(), qkv.data(), out.data(), log_sum_exp.data(), dqkv.data(),
                           kShape, workspace.launch());
  return simulator::stop_counting();
}

// The only kernel whose name has this in it.
simulator::KernelCounters kernel_of(const simulator::Counters& counters, const std::string& name) {
  for (const simulator::KernelCounters& kernel : counters.kernels()) {
    if (kernel.name.find(name) != std::string::npos) return kernel;
  }
  ADD_FAILURE() << "no kernel is called " << name;
  return {};
}

// No warp waits for a bank that another of its lanes uses.
void expect_no_conflicts(const simulator::KernelCounters& kernel) {
  for (const AccessKind kind : {AccessKind::shared_load, AccessKind::shared_store}) {
    EXPECT_EQ(kernel.of(kind).wavefronts, kernel.of(kind).least_wavefronts) << kernel.name;
    EXPECT_GT(kernel.of(kind).wavefronts, 0u) << kernel.name;
  }
}

// Rows of the other side that tiles of `own` rows read, of one head: each tile all that it sees, to
// the end of the last tile of `passing` rows that it comes to.
std::uint64_t passing_rows(int own, int passing, bool own_is_query) {
  std::uint64_t rows = 0;
  for (int first = 0; first < kShape.T; first += own) {
    const int seen =
        own_is_query ? std::min(kShape.T, first + own) : kShape.T - first / passing * passing;
    rows += static_cast<std::uint64_t>((seen + passing - 1) / passing * passing);
  }
  return rows;
}

// `numbers_of_own`: moved once for each own number of a head, read or written.
template <typename Number>
std::uint64_t bytes(int numbers_of_own, std::uint64_t rows_that_pass, int statistics) {
  const std::uint64_t D = kShape.C / kShape.H;
  return sizeof(Number) * D * kHeads *
             (static_cast<std::uint64_t>(numbers_of_own) * kShape.T + 2 * rows_that_pass) +
         static_cast<std::uint64_t>(statistics) * kStatistics;
}

TEST(AttentionCountersTest, Bf16) {
  const simulator::Counters counters =
      count<__nv_bfloat16>(cuda::attention_backward_bf16_scratch_bytes(kShape));
  if (!counters.counted()) GTEST_SKIP() << simulator::kNotCounted;
  const auto forward = kernel_of(counters, "forward_kernel");
  const auto gradients = kernel_of(counters, "gradients_kernel");
  const auto sums = kernel_of(counters, "sum_of_parts_kernel");
  for (const auto& kernel : {forward, gradients}) expect_no_conflicts(kernel);

  // Each number once: the whole of qkv and out, and a number a row.
  EXPECT_EQ(forward.least_bytes_moved(), bytes<__nv_bfloat16>(4, 0, 1));
  // Keys and values again for each tile of queries.
  EXPECT_EQ(forward.bytes_moved(), bytes<__nv_bfloat16>(2, passing_rows(128, 64, true), 1));
  // A sum of the queries' gradients for each of the two tiles of keys, of the rows that see them.
  const std::uint64_t of_sums = bytes<float>(1, 0, 0) + bytes<float>(1, 0, 0) / 2;
  EXPECT_EQ(gradients.least_bytes_moved(), bytes<__nv_bfloat16>(6, 0, 2) + of_sums);
  // Statistics come with the queries.
  const std::uint64_t that_pass = passing_rows(128, 32, false);
  EXPECT_EQ(gradients.bytes_moved(), bytes<__nv_bfloat16>(4, that_pass, 0) +
                                         2 * sizeof(float) * kHeads * that_pass + of_sums);
  EXPECT_EQ(sums.bytes_moved(), of_sums + bytes<__nv_bfloat16>(1, 0, 0));
}

TEST(AttentionCountersTest, Float) {
  // Two neighbouring rows of log_sum_exp at once: a sector for 8 bytes.
  constexpr std::uint64_t kLogSumExp = 4 * kStatistics;
  const simulator::Counters counters = count<float>(cuda::attention_backward_scratch_bytes(kShape));
  if (!counters.counted()) GTEST_SKIP() << simulator::kNotCounted;
  const auto forward = kernel_of(counters, "forward_kernel");
  const auto queries = kernel_of(counters, "query_gradient_kernel");
  const auto keys = kernel_of(counters, "key_and_value_gradient_kernel");
  for (const auto& kernel : {forward, queries, keys}) expect_no_conflicts(kernel);
  EXPECT_EQ(forward.least_bytes_moved(), bytes<float>(4, 0, 1));
  EXPECT_EQ(queries.least_bytes_moved(), bytes<float>(5, 0, 2));
  EXPECT_EQ(keys.least_bytes_moved(), bytes<float>(6, 0, 2));
  // Keys and values again for each tile of queries. Backward reads the statistics of a row for each
  // pair, which is left to the caches.
  EXPECT_EQ(forward.bytes_moved(), bytes<float>(2, passing_rows(64, 64, true), 0) + kLogSumExp);

  // A request of a warp writes 512 bytes in a row; of log_sum_exp two rows.
  constexpr std::uint64_t kRequests = kRows * kShape.C / 128;
  EXPECT_EQ(forward.of(AccessKind::global_store).requests, kRequests + kHeads * kShape.T / 2);
  EXPECT_EQ(queries.of(AccessKind::global_store).requests, kRequests);
  EXPECT_EQ(keys.of(AccessKind::global_store).requests, 2 * kRequests);
  for (const auto& kernel : {forward, queries, keys}) {
    const simulator::AccessCounters& stores = kernel.of(AccessKind::global_store);
    EXPECT_EQ(stores.sectors, stores.least_sectors) << kernel.name;
  }
}

}  // namespace
}  // namespace andrea
