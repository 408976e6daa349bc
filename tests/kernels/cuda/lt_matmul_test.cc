// The plans of cublasLt's products, and whether what the cuda set asks for at the model's sizes is
// what NVIDIA documents: checked against a table of this file, not by an emulation.

#include "kernels/cuda/lt_matmul.h"

#include <gtest/gtest.h>
#include <simulator/reports.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "kernels/cuda/products.h"
#include "kernels/device_buffer.h"
#include "tests/harness/guarded_tensor.h"

namespace andrea {
namespace {

using cuda::LtPlanned;
using cuda::LtProduct;

// ---- The documentation, as a table.

// "Supported types" of cublasLtMatmul in NVIDIA's cuBLAS guide, the rows with a compute type of
// CUBLAS_COMPUTE_32F (for floats also 32F_FAST_TF32) and a scale type of CUDA_R_32F that are used
// here. A bias and GELU's argument are of the result's type, as their descriptions say by default.
struct Types {
  cudaDataType_t factors, result;
};
constexpr Types kDocumentedTypes[] = {
    {CUDA_R_32F, CUDA_R_32F}, {CUDA_R_16BF, CUDA_R_16BF}, {CUDA_R_16BF, CUDA_R_32F}};

// cublasLtEpilogue_t; with them the result must lie in columns, as every result here does to
// cublasLt.
const std::set<int> kDocumentedEpilogues = {
    CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_BIAS,     CUBLASLT_EPILOGUE_GELU,
    CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
    CUBLASLT_EPILOGUE_DGELU,     CUBLASLT_EPILOGUE_BGRADA};

int bytes_of(cudaDataType_t type) { return type == CUDA_R_32F ? 4 : 2; }

void expect_documented(const LtPlanned& planned) {
  const LtProduct& p = planned.product;
  SCOPED_TRACE(
      title_of("rows, columns, terms, epilogue", {p.rows, p.columns, p.terms, p.epilogue}));
  const auto has_types = [&](const Types& types) {
    return types.factors == p.factors && types.result == p.result;
  };
  EXPECT_TRUE(std::any_of(std::begin(kDocumentedTypes), std::end(kDocumentedTypes), has_types));
  EXPECT_TRUE(kDocumentedEpilogues.count(p.epilogue) == 1);
  EXPECT_TRUE(!p.tf32 || p.factors == CUDA_R_32F);
  // "CUBLASLT_MATRIX_LAYOUT_LD": at least the numbers of a column, as it lies.
  EXPECT_GE(p.left_stride, p.left_transposed ? p.rows : p.terms);
  EXPECT_GE(p.right_stride, p.right_transposed ? p.terms : p.columns);
  EXPECT_GE(p.result_stride, p.columns);
  // "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD": divisible by 8, at least the result's rows (which are
  // our columns).
  if (p.epilogue & 128) {
    EXPECT_EQ(p.columns % 8, 0);
    EXPECT_GE(planned.alignments.auxiliary, 16u);
  }
  if (p.epilogue & (CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_BGRADA)) {
    EXPECT_GE(planned.alignments.bias, 16u);
  }
}

// What tensor cores need to be fed 16 bytes at a time, by which NVIDIA's guide to performance means
// "multiples of 8 numbers of 16 bits": legal without, but slow.
void expect_fed_well(const LtPlanned& planned) {
  const LtProduct& p = planned.product;
  SCOPED_TRACE(
      title_of("rows, columns, terms, epilogue", {p.rows, p.columns, p.terms, p.epilogue}));
  EXPECT_EQ(p.left_stride * bytes_of(p.factors) % 16, 0);
  EXPECT_EQ(p.right_stride * bytes_of(p.factors) % 16, 0);
  EXPECT_EQ(p.result_stride * bytes_of(p.result) % 16, 0);
  EXPECT_GE(planned.alignments.left, 16u);
  EXPECT_GE(planned.alignments.right, 16u);
  EXPECT_GE(planned.alignments.result, 16u);
}

// ---- Every call at the sizes of the presets, on zeros.

template <typename Number>
class Calls {
 public:
  Calls(int N, int in, int out, int stride)
      : N_(N),
        in_(in),
        out_(out),
        stride_(stride),
        x_(std::int64_t{N} * in),
        expanded_(std::int64_t{N} * in),
        weight_(std::int64_t{in} * stride),
        bias_(out),
        y_(std::int64_t{N} * stride),
        z_(std::int64_t{N} * stride),
        dweight_(std::int64_t{in} * stride),
        dbias_(out),
        workspace_(cuda::products_scratch_bytes(N, in, out)) {}

  void linear() {
    const Launch& launch = workspace_.launch();
    cuda::linear_forward(x_.data(), weight_.data(), bias_.data(), y_.data(), N_, in_, out_, launch);
    cuda::linear_backward(y_.data(), x_.data(), weight_.data(), expanded_.data(), dweight_.data(),
                          dbias_.data(), N_, in_, out_, Accumulate::add, launch);
  }
  void mlp() {
    const Launch& launch = workspace_.launch();
    cuda::linear_gelu_forward(x_.data(), weight_.data(), bias_.data(), z_.data(), y_.data(), N_,
                              in_, out_, launch);
    cuda::linear_gelu_forward(x_.data(), weight_.data(), nullptr, nullptr, y_.data(), N_, in_, out_,
                              launch);
    cuda::linear_backward_through_gelu(y_.data(), x_.data(), x_.data(), weight_.data(),
                                       expanded_.data(), dweight_.data(), dbias_.data(), N_, in_,
                                       out_, Accumulate::add, launch);
  }
  void similarity() {
    const Launch& launch = workspace_.launch();
    cuda::similarity_forward(x_.data(), weight_.data(), y_.data(), N_, out_, in_, stride_, launch);
    cuda::similarity_backward(y_.data(), x_.data(), weight_.data(), expanded_.data(),
                              dweight_.data(), N_, out_, in_, stride_, Accumulate::add, launch);
  }

 private:
  int N_, in_, out_, stride_;
  DeviceBuffer<Number> x_, expanded_, weight_, bias_, y_, z_;
  DeviceBuffer<float> dweight_, dbias_;
  Workspace workspace_;
};

// Few rows: they are no stride of anything.
template <typename Number>
void call_all(int rows, int C, int F) {
  Calls<Number>(rows, C, 3 * C, 3 * C).linear();
  Calls<Number>(rows, C, C, C).linear();
  Calls<Number>(rows, C, F, F).mlp();
  Calls<Number>(rows, F, C, C).linear();
  Calls<Number>(rows, F, C, C).mlp();
}

TEST(LtMatmulTest, WhatIsAskedForAtTheModelsSizesIsDocumented) {
  for (const cuda::Fusion fusion :
       {cuda::Fusion::none, cuda::Fusion::bias, cuda::Fusion::all, cuda::Fusion::by_card}) {
    cuda::choose_fusion(fusion);
    call_all<__nv_bfloat16>(2, 48, 192);
    call_all<__nv_bfloat16>(2, 768, 3072);
    call_all<float>(2, 48, 192);
  }
  cuda::choose_fusion(cuda::Fusion::by_card);
  Calls<__nv_bfloat16>(2, 768, 8449, 8576).similarity();
  Calls<float>(2, 48, 8449, 8576).similarity();
  const std::vector<LtPlanned> planned = cuda::lt_planned();
  std::set<int> epilogues;
  for (const LtPlanned& one : planned) {
    EXPECT_TRUE(one.found);
    expect_documented(one);
    expect_fed_well(one);
    epilogues.insert(one.product.epilogue);
  }
  // Nothing was looked at in vain: these are all the epilogues there are.
  EXPECT_EQ(epilogues.size(), 6u);
  EXPECT_GE(planned.size(), 60u);
}

TEST(LtMatmulTest, APlanIsMadeOnce) {
  Calls<__nv_bfloat16> calls(3, 72, 136, 136);
  calls.linear();
  const std::vector<LtPlanned> once = cuda::lt_planned();
  calls.linear();
  EXPECT_EQ(cuda::lt_planned(), once);
}

TEST(LtMatmulTest, FactorsMayBeRoundedOnlyWhereTheLaunchSaysSo) {
  DeviceBuffer<float> numbers(24 * 24), y(24);
  for (const bool tf32 : {false, true}) {
    Launch launch;
    launch.tf32 = tf32;
    cuda::linear_forward(numbers.data(), numbers.data(), nullptr, y.data(), 1, 24, 24, launch);
    bool is_planned = false;
    for (const LtPlanned& one : cuda::lt_planned()) {
      if (one.product.rows == 1 && one.product.terms == 24) is_planned |= one.product.tf32 == tf32;
    }
    EXPECT_TRUE(is_planned) << tf32;
  }
}

// A row of 20 numbers is no multiple of 8, and a bias behind the first number of a buffer none of
// 16 bytes.
TEST(LtMatmulTest, WhatIsNotDocumentedIsNotAskedFor) {
  LtProduct product{.rows = 4, .columns = 20, .terms = 4};
  product.epilogue = CUBLASLT_EPILOGUE_DGELU;
  EXPECT_FALSE(cuda::lt_is_documented(product, {}));
  product.columns = 24;
  EXPECT_TRUE(cuda::lt_is_documented(product, {}));
  EXPECT_FALSE(cuda::lt_is_documented(product, {.auxiliary = 8}));
  product.epilogue = CUBLASLT_EPILOGUE_BIAS;
  EXPECT_FALSE(cuda::lt_is_documented(product, {.bias = 4}));
  product.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  EXPECT_TRUE(cuda::lt_is_documented(product, {.bias = 4, .auxiliary = 4}));
}

TEST(LtMatmulTest, ARefusalIsNoFailureAndIsRemembered) {
  if (!simulator::simulated()) GTEST_SKIP() << "not run: a card may have what the simulator lacks";
  DeviceBuffer<float> numbers(3 * 64);
  float* const left = numbers.data();
  LtProduct product{
      .rows = 8, .columns = 8, .terms = 8, .left_stride = 8, .right_stride = 8, .result_stride = 8};
  product.epilogue = CUBLASLT_EPILOGUE_RELU_AUX;  // which the simulator's cublasLt has not
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(cuda::lt_multiply(
        product, {.left = left, .right = left + 64, .result = left + 128, .auxiliary = left + 64},
        Launch()));
  }
  int refused = 0;
  for (const LtPlanned& one : cuda::lt_planned()) refused += one.found ? 0 : 1;
  EXPECT_EQ(refused, 1);
}

}  // namespace
}  // namespace andrea
