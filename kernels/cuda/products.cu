// The ladder: lesson 05.5 makes the products of dot products, 05.6 and 05.7 have cuBLAS make them,
// 05.8 does bias and GELU in one kernel. Here cublasLt does them to the result while it is still in
// registers, which saves their whole traffic with memory.
//
// With b bytes a number, a linear layer of N rows from C to F numbers takes
//
//   linear_forward        2 N C F FLOPs  b (N C + C F + N F) bytes
//   linear_gelu_forward   the same       b N F more for `expanded`; not fused, it is read again too
//   linear_backward       4 N C F        b (2 N C + C F + 2 N F); 4 C F for dweight, 8 C F where
//                                        it is added; not fused, dbias reads dy once more
//   ..._through_gelu      the same       b N C more; not fused, 3 b N C more
//   similarity_...        as a layer without bias, F being M
//
// At N = 65,536, C = 768, F = 3,072 in bf16: 309 GFLOP forward, 0.31 ms at 989 TFLOP/s, behind
// which its 0.5 GB are hidden, 0.1 ms at 4.8 TB/s. GELU as a kernel of its own hides behind
// nothing: 0.17 ms forward, 0.25 ms backward; nor does the gradient of a bias, 0.08 ms.

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "kernels/composed/buffer_plan.h"
#include "kernels/cuda/bias_gradient.h"
#include "kernels/cuda/gelu.h"
#include "kernels/cuda/lt_matmul.h"
#include "kernels/cuda/products.h"
#include "kernels/cuda_check.h"

namespace andrea::cuda {
namespace {

std::atomic<Fusion> chosen_fusion{Fusion::by_card};

template <typename Number>
constexpr cudaDataType_t kType = std::is_same_v<Number, __nv_bfloat16> ? CUDA_R_16BF : CUDA_R_32F;

// Where what is fused was found to be quicker than a kernel of its own. Of GELU cublasLt makes a
// slow second kernel on cards of compute capability 8 and 12, for floats everywhere (llm.c's pull
// requests 338, 591 and 653 measured RTX 4090 and H100, sglang's 34350 RTX 5090 and H200). The
// gradient of a bias has NVIDIA's Transformer Engine made so; on an A100 large layers were found to
// be slower by it (CUDALibrarySamples, issue 90).
bool fusion_pays(cudaDataType_t type) {
  if (type != CUDA_R_16BF) return false;
  int device = 0, major = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major == 9 || major == 10;
}

// More than the bias, in a product of such factors.
bool fuses_more(cudaDataType_t type) {
  const Fusion fusion = chosen_fusion;
  return fusion == Fusion::by_card ? fusion_pays(type) : fusion == Fusion::all;
}

bool fuses_bias() { return chosen_fusion != Fusion::none; }

// The product of a function as it is called, without an epilogue.
template <typename Factor, typename Result>
LtProduct product_of(int rows, int columns, int terms, const Launch& launch) {
  LtProduct product;
  product.rows = rows;
  product.columns = columns;
  product.terms = terms;
  product.left_stride = terms;
  product.right_stride = columns;
  product.result_stride = columns;
  product.factors = kType<Factor>;
  product.result = kType<Result>;
  product.tf32 = launch.tf32 && product.factors == CUDA_R_32F;
  return product;
}

LtProduct with(LtProduct product, cublasLtEpilogue_t epilogue) {
  product.epilogue = epilogue;
  return product;
}

// dx = dy W^T.
template <typename Number>
LtProduct gradient_of_x(int N, int in, int out, const Launch& launch) {
  LtProduct product = product_of<Number, Number>(N, in, out, launch);
  product.right_transposed = true;
  product.right_stride = out;
  return product;
}

// dW = x^T dy, or dtable = dout^T x: [rows, columns] from factors of `terms` rows.
template <typename Number>
LtProduct gradient_of_parameters(int rows, int columns, int terms, const Launch& launch) {
  LtProduct product = product_of<Number, float>(rows, columns, terms, launch);
  product.left_transposed = true;
  product.left_stride = rows;
  return product;
}

template <typename Number>
void forward(const Number* x, const Number* weight, const Number* bias, Number* y, int N, int in,
             int out, const Launch& launch) {
  const LtProduct product = product_of<Number, Number>(N, out, in, launch);
  const LtOperands operands{.left = x, .right = weight, .result = y, .bias = bias};
  if (bias != nullptr && fuses_bias() &&
      lt_multiply(with(product, CUBLASLT_EPILOGUE_BIAS), operands, launch)) {
    return;
  }
  lt_multiply(product, operands, launch);
  if (bias != nullptr) add_bias(y, bias, y, static_cast<Number*>(nullptr), N, out, launch);
}

cublasLtEpilogue_t gelu_epilogue(bool has_bias, bool has_auxiliary) {
  if (has_auxiliary) {
    return has_bias ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_AUX;
  }
  return has_bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
}

template <typename Number>
void gelu_after_product(const Number* x, const Number* weight, const Number* bias, Number* expanded,
                        Number* y, int N, int in, int out, const Launch& launch) {
  const LtProduct product = product_of<Number, Number>(N, out, in, launch);
  if (fuses_more(product.factors) &&
      lt_multiply(with(product, gelu_epilogue(bias != nullptr, expanded != nullptr)),
                  {.left = x, .right = weight, .result = y, .bias = bias, .auxiliary = expanded},
                  launch)) {
    return;
  }
  Number* const sum = expanded != nullptr ? expanded : y;
  const LtOperands operands{.left = x, .right = weight, .result = sum, .bias = bias};
  if (bias != nullptr &&
      !(fuses_bias() && lt_multiply(with(product, CUBLASLT_EPILOGUE_BIAS), operands, launch))) {
    lt_multiply(product, operands, launch);
    return add_bias(sum, bias, expanded, y, N, out, launch);
  }
  if (bias == nullptr) lt_multiply(product, operands, launch);
  gelu_forward(sum, y, std::int64_t{N} * out, launch);
}

// dW = x^T dy, and dbias as the sums of dy that cublasLt takes while it reads dy for dW. False
// where it does not: then nothing is enqueued.
template <typename Number>
bool gradients_in_one_product(const Number* dy, const Number* x, float* dweight, float* dbias,
                              int N, int in, int out, Accumulate accumulate, const Launch& launch) {
  const LtProduct product = gradient_of_parameters<Number>(in, out, N, launch);
  if (!fuses_more(product.factors)) return false;
  // The library overwrites: what is to be added goes a way round.
  const bool add = accumulate == Accumulate::add;
  BufferPlan plan(launch.scratch);
  float* const sums = add ? plan.numbers(out) : dbias;
  const Launch inner = plan.remaining(launch);
  const LtOperands operands{
      .left = x, .right = dy, .result = dweight, .add = add, .bias_gradient = sums};
  if (!lt_multiply(with(product, CUBLASLT_EPILOGUE_BGRADA), operands, inner)) return false;
  if (add) bias_gradient(sums, dbias, 1, out, Accumulate::add, inner);
  return true;
}

template <typename Number>
void backward(const Number* dy, const Number* x, const Number* weight, Number* dx, float* dweight,
              float* dbias, int N, int in, int out, Accumulate accumulate, const Launch& launch) {
  if (dx != nullptr) {
    lt_multiply(gradient_of_x<Number>(N, in, out, launch),
                {.left = dy, .right = weight, .result = dx}, launch);
  }
  if (dbias != nullptr &&
      gradients_in_one_product(dy, x, dweight, dbias, N, in, out, accumulate, launch)) {
    return;
  }
  lt_multiply(gradient_of_parameters<Number>(in, out, N, launch),
              {.left = x, .right = dy, .result = dweight, .add = accumulate == Accumulate::add},
              launch);
  if (dbias != nullptr) bias_gradient(dy, dbias, N, out, accumulate, launch);
}

template <typename Number>
void backward_through_gelu(const Number* dy, const Number* x, const Number* expanded,
                           const Number* weight, Number* dexpanded, float* dweight, float* dbias,
                           int N, int in, int out, Accumulate accumulate, const Launch& launch) {
  const LtProduct product = gradient_of_x<Number>(N, in, out, launch);
  // cublasLt takes what it reads there by the pointer that it would write by.
  const LtOperands operands{
      .left = dy, .right = weight, .result = dexpanded, .auxiliary = const_cast<Number*>(expanded)};
  if (!(fuses_more(product.factors) &&
        lt_multiply(with(product, CUBLASLT_EPILOGUE_DGELU), operands, launch))) {
    lt_multiply(product, operands, launch);
    gelu_backward(dexpanded, expanded, dexpanded, std::int64_t{N} * in, launch);
  }
  backward(dy, x, weight, static_cast<Number*>(nullptr), dweight, dbias, N, in, out, accumulate,
           launch);
}

template <typename Number, typename Result>
void similarity(const Number* x, const Number* table, Result* out, int N, int M, int C, int stride,
                const Launch& launch) {
  LtProduct product = product_of<Number, Result>(N, M, C, launch);
  product.right_transposed = true;
  product.right_stride = C;
  product.result_stride = stride;
  lt_multiply(product, {.left = x, .right = table, .result = out}, launch);
}

template <typename Number>
void similarity_gradients(const Number* dout, const Number* x, const Number* table, Number* dx,
                          float* dtable, int N, int M, int C, int stride, Accumulate accumulate,
                          const Launch& launch) {
  if (dx != nullptr) {
    LtProduct product = product_of<Number, Number>(N, C, M, launch);
    product.left_stride = stride;
    lt_multiply(product, {.left = dout, .right = table, .result = dx}, launch);
  }
  LtProduct product = gradient_of_parameters<Number>(M, C, N, launch);
  product.left_stride = stride;
  lt_multiply(product,
              {.left = dout, .right = x, .result = dtable, .add = accumulate == Accumulate::add},
              launch);
}

}  // namespace

void choose_fusion(Fusion fusion) { chosen_fusion = fusion; }

std::size_t products_scratch_bytes(int N, int, int out) {
  const std::size_t sums = align_up(static_cast<std::size_t>(out) * sizeof(float));
  return std::max(sums + lt_workspace_bytes(), align_up(bias_gradient_scratch_bytes(N, out)));
}

void linear_forward(const float* x, const float* weight, const float* bias, float* y, int N, int in,
                    int out, const Launch& launch) {
  forward(x, weight, bias, y, N, in, out, launch);
}

void linear_forward(const __nv_bfloat16* x, const __nv_bfloat16* weight, const __nv_bfloat16* bias,
                    __nv_bfloat16* y, int N, int in, int out, const Launch& launch) {
  forward(x, weight, bias, y, N, in, out, launch);
}

void linear_gelu_forward(const float* x, const float* weight, const float* bias, float* expanded,
                         float* y, int N, int in, int out, const Launch& launch) {
  gelu_after_product(x, weight, bias, expanded, y, N, in, out, launch);
}

void linear_gelu_forward(const __nv_bfloat16* x, const __nv_bfloat16* weight,
                         const __nv_bfloat16* bias, __nv_bfloat16* expanded, __nv_bfloat16* y,
                         int N, int in, int out, const Launch& launch) {
  gelu_after_product(x, weight, bias, expanded, y, N, in, out, launch);
}

void gelu_again(const float* expanded, float* y, int N, int width, const Launch& launch) {
  gelu_forward(expanded, y, std::int64_t{N} * width, launch);
}

void gelu_again(const __nv_bfloat16* expanded, __nv_bfloat16* y, int N, int width,
                const Launch& launch) {
  gelu_forward(expanded, y, std::int64_t{N} * width, launch);
}

void linear_backward(const float* dy, const float* x, const float* weight, float* dx,
                     float* dweight, float* dbias, int N, int in, int out, Accumulate accumulate,
                     const Launch& launch) {
  backward(dy, x, weight, dx, dweight, dbias, N, in, out, accumulate, launch);
}

void linear_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, const __nv_bfloat16* weight,
                     __nv_bfloat16* dx, float* dweight, float* dbias, int N, int in, int out,
                     Accumulate accumulate, const Launch& launch) {
  backward(dy, x, weight, dx, dweight, dbias, N, in, out, accumulate, launch);
}

void linear_backward_through_gelu(const float* dy, const float* x, const float* expanded,
                                  const float* weight, float* dexpanded, float* dweight,
                                  float* dbias, int N, int in, int out, Accumulate accumulate,
                                  const Launch& launch) {
  backward_through_gelu(dy, x, expanded, weight, dexpanded, dweight, dbias, N, in, out, accumulate,
                        launch);
}

void linear_backward_through_gelu(const __nv_bfloat16* dy, const __nv_bfloat16* x,
                                  const __nv_bfloat16* expanded, const __nv_bfloat16* weight,
                                  __nv_bfloat16* dexpanded, float* dweight, float* dbias, int N,
                                  int in, int out, Accumulate accumulate, const Launch& launch) {
  backward_through_gelu(dy, x, expanded, weight, dexpanded, dweight, dbias, N, in, out, accumulate,
                        launch);
}

void similarity_forward(const float* x, const float* table, float* out, int N, int M, int C,
                        int stride, const Launch& launch) {
  similarity(x, table, out, N, M, C, stride, launch);
}

void similarity_forward(const __nv_bfloat16* x, const __nv_bfloat16* table, __nv_bfloat16* out,
                        int N, int M, int C, int stride, const Launch& launch) {
  similarity(x, table, out, N, M, C, stride, launch);
}

void similarity_forward(const __nv_bfloat16* x, const __nv_bfloat16* table, float* out, int N,
                        int M, int C, int stride, const Launch& launch) {
  similarity(x, table, out, N, M, C, stride, launch);
}

void similarity_backward(const float* dout, const float* x, const float* table, float* dx,
                         float* dtable, int N, int M, int C, int stride, Accumulate accumulate,
                         const Launch& launch) {
  similarity_gradients(dout, x, table, dx, dtable, N, M, C, stride, accumulate, launch);
}

void similarity_backward(const __nv_bfloat16* dout, const __nv_bfloat16* x,
                         const __nv_bfloat16* table, __nv_bfloat16* dx, float* dtable, int N, int M,
                         int C, int stride, Accumulate accumulate, const Launch& launch) {
  similarity_gradients(dout, x, table, dx, dtable, N, M, C, stride, accumulate, launch);
}

}  // namespace andrea::cuda
