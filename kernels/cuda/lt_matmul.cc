#include "kernels/cuda/lt_matmul.h"

#include <simulator/reports.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <tuple>

#include "kernels/cuda_check.h"

namespace andrea::cuda {
namespace {

void check(cublasStatus_t status, const char* expression, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s:%d: %s\n  failed with %s\n", __FILE__, line, expression,
               cublasLtGetStatusName(status));
  std::abort();
}

#define CUBLAS_LT_CHECK(expression) check((expression), #expression, __LINE__)

// cublasLt has no product of such operands, or none on this card.
bool is_refusal(cublasStatus_t status) {
  return status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH;
}

int current_device() {
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  return device;
}

std::uint32_t alignment_of(const void* pointer) {
  std::uint32_t alignment = 256;
  while (reinterpret_cast<std::uintptr_t>(pointer) % alignment != 0) alignment /= 2;
  return alignment;
}

bool writes_bias(cublasLtEpilogue_t epilogue) { return epilogue == CUBLASLT_EPILOGUE_BGRADA; }
bool has_bias(cublasLtEpilogue_t epilogue) {
  return (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0 || writes_bias(epilogue);
}
bool has_auxiliary(cublasLtEpilogue_t epilogue) { return (epilogue & 128) != 0; }

template <typename T>
void set(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t which, T value) {
  CUBLAS_LT_CHECK(cublasLtMatmulDescSetAttribute(description, which, &value, sizeof(value)));
}

template <typename T>
void set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t which,
         T value) {
  CUBLAS_LT_CHECK(cublasLtMatmulPreferenceSetAttribute(preference, which, &value, sizeof(value)));
}

// A matrix that lies in rows, as cublasLt sees it: columns of `length` numbers, `stride` apart.
cublasLtMatrixLayout_t layout_of(cudaDataType_t type, int length, int count, int stride) {
  cublasLtMatrixLayout_t layout = nullptr;
  CUBLAS_LT_CHECK(cublasLtMatrixLayoutCreate(&layout, type, static_cast<std::uint64_t>(length),
                                             static_cast<std::uint64_t>(count), stride));
  return layout;
}

struct Key {
  int device;
  LtProduct product;
  LtAlignments alignments;
  std::size_t workspace_bytes;

  auto operator<=>(const Key&) const = default;
};

// Kept until the program ends: when its statics go, the driver may be gone already.
struct Plan {
  cublasLtMatmulDesc_t description = nullptr;
  cublasLtMatrixLayout_t right = nullptr, left = nullptr, result = nullptr;  // in their order
  cublasLtMatmulAlgo_t algorithm{};
  bool found = false;
};

// The bias that is read, or the gradient that is written in its place.
const void* bias_of(const LtProduct& product, const LtOperands& operands) {
  return writes_bias(product.epilogue) ? operands.bias_gradient : operands.bias;
}

// Where the operands lie may change from call to call.
void set_pointers(const Plan& plan, const LtProduct& product, const LtOperands& operands) {
  if (has_bias(product.epilogue)) {
    set(plan.description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias_of(product, operands));
  }
  if (has_auxiliary(product.epilogue)) {
    set(plan.description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, operands.auxiliary);
  }
}

void describe(const LtProduct& product, Plan* plan) {
  const bool tf32 = product.tf32 && product.factors == CUDA_R_32F;
  CUBLAS_LT_CHECK(cublasLtMatmulDescCreate(
      &plan->description, tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const auto operation = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  set(plan->description, CUBLASLT_MATMUL_DESC_TRANSA, operation(product.right_transposed));
  set(plan->description, CUBLASLT_MATMUL_DESC_TRANSB, operation(product.left_transposed));
  set(plan->description, CUBLASLT_MATMUL_DESC_EPILOGUE, product.epilogue);
  if (has_auxiliary(product.epilogue)) {
    set(plan->description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{product.columns});
  }
  plan->right =
      product.right_transposed
          ? layout_of(product.factors, product.terms, product.columns, product.right_stride)
          : layout_of(product.factors, product.columns, product.terms, product.right_stride);
  plan->left = product.left_transposed
                   ? layout_of(product.factors, product.rows, product.terms, product.left_stride)
                   : layout_of(product.factors, product.terms, product.rows, product.left_stride);
  plan->result = layout_of(product.result, product.columns, product.rows, product.result_stride);
}

void find_algorithm(cublasLtHandle_t handle, const Key& key, Plan* plan) {
  cublasLtMatmulPreference_t preference = nullptr;
  CUBLAS_LT_CHECK(cublasLtMatmulPreferenceCreate(&preference));
  set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
      static_cast<std::uint64_t>(key.workspace_bytes));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, key.alignments.right);
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, key.alignments.left);
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, key.alignments.result);
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, key.alignments.result);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoGetHeuristic(handle, plan->description, plan->right, plan->left,
                                     plan->result, plan->result, preference, 1, &best, &found);
  if (!is_refusal(status)) check(status, "cublasLtMatmulAlgoGetHeuristic", __LINE__);
  CUBLAS_LT_CHECK(cublasLtMatmulPreferenceDestroy(preference));
  plan->found = status == CUBLAS_STATUS_SUCCESS && found == 1;
  plan->algorithm = best.algo;
}

// A description holds the pointers of one call at a time, so the calls take turns.
std::mutex mutex;
std::map<Key, Plan>& plans() {
  static auto* const kept = new std::map<Key, Plan>;
  return *kept;
}

// Makes what may need memory of the device, which a thread whose stream is being recorded is else
// refused.
cublasLtHandle_t handle_of(int device, const Launch& launch) {
  if (launch.blas_lt != nullptr) return launch.blas_lt;
  static auto* const kept = new std::map<int, cublasLtHandle_t>;
  cublasLtHandle_t& handle = (*kept)[device];
  if (handle == nullptr) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    CUDA_CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    CUBLAS_LT_CHECK(cublasLtCreate(&handle));
    CUDA_CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
  }
  return handle;
}

[[noreturn]] void give_up(const LtProduct& product) {
  std::fprintf(stderr,
               "cublasLt has no algorithm for a product [%d, %d] of %d terms on this card\n",
               product.rows, product.columns, product.terms);
  std::abort();
}

}  // namespace

bool lt_is_documented(const LtProduct& product, const LtAlignments& alignments) {
  const auto epilogue = product.epilogue;
  // cublasLt.h on CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: divisible by 8.
  if (has_auxiliary(epilogue) && product.columns % 8 != 0) return false;
  // What an epilogue's pointers must be multiples of is not written down, only that it is derived
  // from their values; 16 bytes are what any access takes at most.
  if (has_auxiliary(epilogue) && alignments.auxiliary < 16) return false;
  if (has_bias(epilogue) && alignments.bias < 16) return false;
  return true;
}

bool lt_multiply(const LtProduct& product, const LtOperands& operands, const Launch& launch) {
  Key key{.device = current_device(),
          .product = product,
          .alignments = {alignment_of(operands.left), alignment_of(operands.right),
                         alignment_of(operands.result)},
          .workspace_bytes =
              launch.scratch == nullptr ? 0 : std::min(launch.scratch_bytes, lt_workspace_bytes())};
  if (has_bias(product.epilogue)) key.alignments.bias = alignment_of(bias_of(product, operands));
  if (has_auxiliary(product.epilogue)) key.alignments.auxiliary = alignment_of(operands.auxiliary);
  if (!lt_is_documented(product, key.alignments)) return false;

  const std::lock_guard<std::mutex> lock(mutex);
  const cublasLtHandle_t handle = handle_of(key.device, launch);
  const auto [at, is_first] = plans().try_emplace(key);
  Plan& plan = at->second;
  if (is_first) describe(product, &plan);
  set_pointers(plan, product, operands);
  if (is_first) find_algorithm(handle, key, &plan);
  const bool has_epilogue = product.epilogue != CUBLASLT_EPILOGUE_DEFAULT;
  if (!plan.found) {
    if (!has_epilogue) give_up(product);
    return false;
  }
  const float alpha = 1;
  const float beta = operands.add ? 1 : 0;
  const cublasStatus_t status =
      cublasLtMatmul(handle, plan.description, &alpha, operands.right, plan.right, operands.left,
                     plan.left, &beta, operands.result, plan.result, operands.result, plan.result,
                     &plan.algorithm, launch.scratch, key.workspace_bytes, launch.stream);
  // That an algorithm is named is no promise that it runs.
  if (has_epilogue && is_refusal(status)) {
    plan.found = false;
    return false;
  }
  check(status, "cublasLtMatmul", __LINE__);
  return true;
}

std::size_t lt_workspace_bytes() {
  constexpr std::size_t kMiB = 1 << 20;
  if (simulator::simulated()) return 4096;  // its one algorithm needs none
  int major = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, current_device()));
  return major >= 9 ? 32 * kMiB : 4 * kMiB;
}

std::vector<LtPlanned> lt_planned() {
  const std::lock_guard<std::mutex> lock(mutex);
  std::vector<LtPlanned> result;
  for (const auto& [key, plan] : plans()) {
    result.push_back({key.product, key.alignments, plan.found});
  }
  return result;
}

}  // namespace andrea::cuda
