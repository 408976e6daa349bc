// Every header twice, in an order nobody would choose, among the standard's and with all of std in
// sight: must compile without a warning, as C++17 and C++20. BUILD compiles this with and without
// __CUDACC__, since programs include the types from plain C++ too.

#include "cuda_bf16.h"
#include "math_constants.h"
// clang-format off
#include "library_types.h"
#include "vector_functions.hpp"
#include "simulator/math.h"
#include <cmath>
#include <algorithm>
#include <math.h>
#include "host_defines.h"
#include "cuda_profiler_api.h"
#include "cuda_fp16.h"
#include "builtin_types.h"
#include "device_types.h"
#include "vector_types.h"
#include "vector_functions.h"
#include "simulator/math.h"
#include "cuda_fp16.h"
#include "cuda_bf16.h"
#include <complex>
#include <string>
#include <vector>
#include "library_types.h"
#include "math_constants.h"
#include "host_defines.h"
// clang-format on

#include <gtest/gtest.h>

namespace {

using namespace std;

#ifdef __CUDACC__

// A user's code that has taken all of std may call these without a qualifier.
TEST(AllHeaders, NamesWithStdInSight) {
  EXPECT_EQ(max(2, 3), 3);
  EXPECT_EQ(min(2.0f, 3.0f), 2.0f);
  EXPECT_EQ(max<float>(2, 3), 3.0f);
  EXPECT_EQ(std::max(2, 3), 3);
  EXPECT_EQ(abs(-2.5f), 2.5f);
  EXPECT_EQ(sqrt(4.0f), 2.0f);
  EXPECT_EQ(pow(2.0f, 3), 8.0f);
  EXPECT_EQ(norm(complex<float>(3, 4)), 25.0f);
  EXPECT_NEAR(__expf(1.0f), 2.718282f, 1e-5f);
  EXPECT_EQ((&__expf)(0.0f), 1.0f) << "a function, not a macro";
  EXPECT_EQ(::__logf(1.0f), 0.0f);
  EXPECT_FALSE(isnan(1.0f));
  EXPECT_EQ(CUDART_INF_F, HUGE_VALF);
  EXPECT_TRUE(isnan(CUDART_NAN));
  EXPECT_EQ(CUDART_MAX_NORMAL_F, 3.402823466e38f);
  EXPECT_EQ(CUDART_PI, acos(-1.0));
}

// CUDA's loads take what the hardware loads; a float3 would be refused by a sentence.
TEST(AllHeaders, LoadsAndStores) {
  float4 vector = make_float4(1, 2, 3, 4);
  EXPECT_EQ(__ldg(&vector).z, 3.0f);
  const __half2 pair = __floats2half2_rn(1, 2);
  EXPECT_EQ(__high2float(__ldcg(&pair)), 2.0f);
  unsigned char byte = 0;
  __stcs(&byte, 7);
  EXPECT_EQ(__ldcv(&byte), 7);
}

#endif

TEST(AllHeaders, TypesOnTheHost) {
  EXPECT_EQ(__half2float(half(1.5f) * half(2.0f)), 3.0f);
  EXPECT_EQ(__bfloat162float(CUDART_ONE_BF16), 1.0f);
  EXPECT_TRUE(__hisinf(CUDART_INF_FP16));
  const nv_bfloat162 pair = make_bfloat162(1.0f, 2.0f);
  EXPECT_EQ(__high2float(pair), 2.0f);
  EXPECT_EQ(CUDA_R_16BF, 14);
  EXPECT_EQ(cudaRoundMinInf, 3);
}

}  // namespace
