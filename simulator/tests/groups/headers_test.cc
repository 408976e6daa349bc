// Every header of groups, tensor cores and asynchronous work, in every language in which a program
// may include it; with __CUDACC__, templates that no kernel of the tests uses.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>
#include <gtest/gtest.h>
#include <mma.h>
#include <tensor_core.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

namespace {

TEST(Headers, GiveCudaItsStandardLibrary) {
  EXPECT_EQ(cuda::std::numeric_limits<int>::max(), 2147483647);
  EXPECT_EQ((cuda::std::array<int, 2>{1, 2}[1]), 2);
}

#ifdef __CUDACC__

TEST(Headers, HaveSharedObjectsThatNeedNoConstruction) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  EXPECT_EQ(sizeof(Barrier), 8u);
  EXPECT_TRUE(std::is_trivially_destructible_v<Barrier>);
  EXPECT_TRUE(std::is_trivially_default_constructible_v<Barrier>);
  using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
  EXPECT_TRUE(std::is_trivially_destructible_v<State>);
  using Atomic = cuda::atomic<int, cuda::thread_scope_block>;
  EXPECT_TRUE(std::is_trivially_default_constructible_v<Atomic>);
  EXPECT_EQ(sizeof(Atomic), 4u);
}

// As many elements in each lane as a GPU has.
TEST(Headers, HaveFragmentsOfTheRightSize) {
  namespace wmma = nvcuda::wmma;
  using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
  using B = wmma::fragment<wmma::matrix_b, 32, 8, 16, __nv_bfloat16, wmma::col_major>;
  using C = wmma::fragment<wmma::accumulator, 8, 32, 16, float>;
  EXPECT_EQ(A::num_elements, 16);
  EXPECT_EQ(B::num_elements, 4);
  EXPECT_EQ(C::num_elements, 8);
}

#endif

}  // namespace
