// The surfaces as the simulator compiles them; their kernels, called as functions, must at least
// run.

#include <gtest/gtest.h>

// clang-format off
#include "simulator/math.h"  // as nvcc, a .cu file need not include it
#include "float16_surface.cu"
#include "types_surface.cu"
// clang-format on

namespace {

TEST(TypesSurface, Runs) {
  double result = 0;
  surface_of_mathematics(&result, 0.5f, 0.5, 3, 3);
  surface_of_simd(&result, 0x01020304u, 0x04030201u);
  EXPECT_GT(result, 0);
  alignas(16) unsigned char memory[16] = {1, 2, 3};
  surface_of_accesses(memory);
  EXPECT_EQ(memory[2], 3);
  half h[3] = {1.0f, 2.0f, 3.0f};
  nv_bfloat16 b[3] = {1.0f, 2.0f, 3.0f};
  half2 h2[3] = {{1.0f, 2.0f}, {3.0f, 4.0f}, {5.0f, 6.0f}};
  nv_bfloat162 b2[3] = {{1.0f, 2.0f}, {3.0f, 4.0f}, {5.0f, 6.0f}};
  surface_of_float16(h, h2, b, b2);
  EXPECT_EQ(static_cast<float>(h[0]), 1.0f);
  EXPECT_EQ(static_cast<float>(b[0]), 1.0f);
}

}  // namespace
