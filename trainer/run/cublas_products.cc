#include "trainer/run/cublas_products.h"

#include <cuda_bf16.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace andrea {
namespace {

void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
  std::abort();
}

// Not of one size, and of both signs.
DeviceBuffer<char> random_numbers(std::int64_t count, cudaDataType_t type, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> distribution(-1, 1);
  const std::size_t size = type == CUDA_R_16BF ? sizeof(__nv_bfloat16) : sizeof(float);
  std::vector<char> bytes(static_cast<std::size_t>(count) * size);
  for (char* at = bytes.data(); at != bytes.data() + bytes.size(); at += size) {
    const float number = distribution(random);
    const __nv_bfloat16 rounded = __float2bfloat16(number);
    if (type == CUDA_R_16BF) {
      std::memcpy(at, &rounded, size);
    } else {
      std::memcpy(at, &number, size);
    }
  }
  return DeviceBuffer<char>(std::span<const char>(bytes));
}

}  // namespace

CublasProducts::CublasProducts(Precision precision, int N, int widest, std::int64_t largest)
    : type_(precision == Precision::bf16 ? CUDA_R_16BF : CUDA_R_32F),
      compute_(precision == Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F),
      N_(N),
      x_(random_numbers(std::int64_t{N} * widest, type_, 1)),
      y_(random_numbers(std::int64_t{N} * widest, type_, 2)),
      dx_(random_numbers(std::int64_t{N} * widest, type_, 3)),
      dy_(random_numbers(std::int64_t{N} * widest, type_, 4)),
      weight_(random_numbers(largest, type_, 5)),
      dweight_(largest) {
  check(cublasCreate(&handle_));
}

CublasProducts::~CublasProducts() { (void)cublasDestroy(handle_); }

// Row-major matrices are the library's transposed: y = x W is its y^T = W^T x^T.
void CublasProducts::enqueue_linear(int in, int out) {
  const float one = 1, zero = 0;
  const auto multiply = [&](cublasOperation_t a_as, cublasOperation_t b_as, int m, int n, int k,
                            const void* a, int a_stride, const void* b, int b_stride, void* c,
                            cudaDataType_t c_type) {
    check(cublasGemmEx(handle_, a_as, b_as, m, n, k, &one, a, type_, a_stride, b, type_, b_stride,
                       &zero, c, c_type, m, compute_, CUBLAS_GEMM_DEFAULT));
  };
  multiply(CUBLAS_OP_N, CUBLAS_OP_N, out, N_, in, weight_.data(), out, x_.data(), in, y_.data(),
           type_);
  multiply(CUBLAS_OP_T, CUBLAS_OP_N, in, N_, out, weight_.data(), out, dy_.data(), out, dx_.data(),
           type_);
  multiply(CUBLAS_OP_N, CUBLAS_OP_T, out, in, N_, dy_.data(), out, x_.data(), in, dweight_.data(),
           CUDA_R_32F);
}

}  // namespace andrea
