// The calls for general matrix products: one matrix, batches at equal distances, batches by
// pointers.

#include <cublas_v2.h>

#include <algorithm>
#include <utility>

#include "simulator/blas/call.h"
#include "simulator/blas/context.h"
#include "simulator/blas/product.h"
#include "simulator/runtime/copy.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/report.h"

namespace simulator::blas {
namespace {

using __simulator::__Where;

// A matrix as the call has it: one pointer, or an array of them.
struct MatrixArgument {
  const void* data = nullptr;
  const void* const* pointers = nullptr;
  cudaDataType type = CUDA_R_32F;
  int leading = 0;
  long long stride = 0;
};

struct GemmArguments {
  cublasOperation_t transa, transb;
  int m, n, k;
  const void* alpha;
  MatrixArgument a, b;
  const void* beta;
  MatrixArgument c;
  int batches = 1;
  cublasComputeType_t compute_type = CUBLAS_COMPUTE_32F;
  cublasGemmAlgo_t algorithm = CUBLAS_GEMM_DEFAULT;
  // Which arguments the call has, besides those of cublasSgemm.
  bool strided = false;
  bool by_pointers = false;
  bool typed = false;
  bool has_compute_type = false;  // and an algorithm
};

// Where the arguments stand, counted from 1, the handle included.
struct Places {
  int a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, batches, compute_type;
};

Places places_of(const GemmArguments& arguments) {
  Places places{};
  int place = 7;  // alpha
  const auto matrix = [&](int& pointer, int& leading, int& stride) {
    pointer = ++place;
    if (arguments.typed) ++place;
    leading = ++place;
    if (arguments.strided) stride = ++place;
  };
  matrix(places.a, places.lda, places.stride_a);
  matrix(places.b, places.ldb, places.stride_b);
  places.beta = ++place;
  matrix(places.c, places.ldc, places.stride_c);
  if (arguments.strided || arguments.by_pointers) places.batches = ++place;
  if (arguments.has_compute_type) places.compute_type = ++place;
  return places;
}

bool is_algorithm(cublasGemmAlgo_t algorithm) {
  return (algorithm >= CUBLAS_GEMM_DEFAULT && algorithm <= CUBLAS_GEMM_ALGO23) ||
         (algorithm >= CUBLAS_GEMM_DEFAULT_TENSOR_OP && algorithm <= CUBLAS_GEMM_ALGO15_TENSOR_OP);
}

// One of the three matrices, with where it stands and how it is named.
struct Checked {
  MatrixArgument matrix;
  Extent extent;  // of one matrix of the batch
  int place;
  const char* name;
  MemoryUse::Kind kind;
  Use::When when;
};

// An address in an array of pointers, which a GPU would find out no sooner than when it goes there.
bool good_pointers(const char* function, __Where where, const Checked& checked,
                   std::size_t batches) {
  if (checked.extent.rows == 0) return true;
  for (std::size_t i = 0; i < batches; ++i) {
    const Place found = place_of(checked.matrix.pointers[i]);
    const std::size_t bytes =
        (checked.extent.rows - 1) * checked.extent.stride_bytes + checked.extent.row_bytes;
    if (found.side != Side::host && (found.bytes == 0 || found.offset + bytes <= found.bytes)) {
      continue;
    }
    Refusal refusal;
    refusal.error = cudaErrorIllegalAddress;
    refusal.kind = "cublas";
    refusal.sentence =
        std::string(function) + ": element " + std::to_string(i) + " of " + checked.name +
        (found.side == Side::host ? " is no pointer into the device's memory"
                                  : " points to less memory than its matrix takes up");
    refusal.did = "calls it";
    refusal.where = where;
    refusal.cause = "Each element must point to a whole matrix in memory from cudaMalloc.";
    refuse(refusal);
    launch_result(cudaErrorIllegalAddress);
    return false;
  }
  return true;
}

Operand operand(const MatrixArgument& matrix, cublasOperation_t operation) {
  Operand stored = in_columns(matrix.data, matrix.type, matrix.leading);
  stored.batch_stride = matrix.stride;
  stored.pointers = matrix.pointers;
  return operation == CUBLAS_OP_N ? stored : stored.transposed();
}

void check_stride(Call& call, int place, const char* name, long long stride) {
  call.require(stride >= 0, place, name, std::to_string(stride),
               "at least 0 (cuBLAS takes matrices in falling order, the simulator does not)", "",
               CUBLAS_STATUS_NOT_SUPPORTED);
}

cublasStatus_t gemm(const char* function, cublasHandle_t handle, __Where where,
                    const GemmArguments& arguments) {
  Call call(function, handle, where);
  const Places places = places_of(arguments);
  const cublasOperation_t transa = arguments.transa;
  const cublasOperation_t transb = arguments.transb;
  const int m = arguments.m;
  const int n = arguments.n;
  const int k = arguments.k;
  call.operation(2, "transa", transa);
  call.operation(3, "transb", transb);
  call.count(4, "m", m);
  call.count(5, "n", n);
  call.count(6, "k", k);
  if (!call.good()) return call.status();
  const int rows_a = transa == CUBLAS_OP_N ? m : k;
  const int columns_a = transa == CUBLAS_OP_N ? k : m;
  const int rows_b = transb == CUBLAS_OP_N ? k : n;
  const int columns_b = transb == CUBLAS_OP_N ? n : k;
  call.leading(places.lda, "lda", arguments.a.leading, rows_a, "A");
  call.leading(places.ldb, "ldb", arguments.b.leading, rows_b, "B");
  call.leading(places.ldc, "ldc", arguments.c.leading, m, "C");
  if (places.batches != 0) call.count(places.batches, "batchCount", arguments.batches);
  if (arguments.strided) {
    check_stride(call, places.stride_a, "strideA", arguments.a.stride);
    check_stride(call, places.stride_b, "strideB", arguments.b.stride);
    check_stride(call, places.stride_c, "strideC", arguments.c.stride);
    call.require(arguments.c.stride != 0 || arguments.batches <= 1 || m == 0 || n == 0,
                 places.stride_c, "strideC", "0",
                 "larger: all products of the batch would be written to one place");
  }
  Product product;
  cudaDataType scale_type = CUDA_R_32F;
  if (!find_arithmetic(arguments.compute_type, arguments.a.type, arguments.b.type, arguments.c.type,
                       &product.arithmetic, &scale_type)) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                std::string(function) + ": no product is defined for A of " +
                    type_name(arguments.a.type) + ", B of " + type_name(arguments.b.type) +
                    " and C of " + type_name(arguments.c.type) + " with compute type " +
                    std::to_string(static_cast<int>(arguments.compute_type)),
                "A and B have one type. With CUBLAS_COMPUTE_32F they are float, half, bfloat16 or "
                "int8, and C is float, or half or bfloat16 like A and B; with 32F_FAST_... all are "
                "float, with 16F half, with 64F double, with 32I A and B int8 and C int32.");
  }
  if (arguments.has_compute_type) {
    call.require(is_algorithm(arguments.algorithm), places.compute_type + 1, "algo",
                 std::to_string(static_cast<int>(arguments.algorithm)),
                 "one of cublasGemmAlgo_t, such as CUBLAS_GEMM_DEFAULT");
  }
  if (product.arithmetic == Arithmetic::in_int) {
    const char kMust[] = "a multiple of 4 where A and B are int8";
    call.require(arguments.a.leading % 4 == 0, places.lda, "lda",
                 std::to_string(arguments.a.leading), kMust, "", CUBLAS_STATUS_NOT_SUPPORTED);
    call.require(arguments.b.leading % 4 == 0, places.ldb, "ldb",
                 std::to_string(arguments.b.leading), kMust, "", CUBLAS_STATUS_NOT_SUPPORTED);
  }
  if (call.good() && (m == 0 || n == 0 || arguments.batches == 0)) return CUBLAS_STATUS_SUCCESS;
  const Scalar alpha = call.scalar(7, "alpha", scale_type, arguments.alpha);
  const Scalar beta = call.scalar(places.beta, "beta", scale_type, arguments.beta);
  if (!call.good()) return call.status();

  const auto extent = [&](int rows, int columns, const MatrixArgument& matrix) {
    return matrix_extent(rows, columns, matrix.leading, element_bytes(matrix.type));
  };
  const bool by_pointers = arguments.by_pointers;
  const Checked matrices[] = {
      {arguments.a, extent(rows_a, columns_a, arguments.a), places.a, by_pointers ? "Aarray" : "A",
       MemoryUse::reads, Use::if_alpha},
      {arguments.b, extent(rows_b, columns_b, arguments.b), places.b, by_pointers ? "Barray" : "B",
       MemoryUse::reads, Use::if_alpha},
      {arguments.c, extent(m, n, arguments.c), places.c, by_pointers ? "Carray" : "C",
       MemoryUse::updates, Use::if_beta},
  };
  const std::size_t batches = arguments.batches;
  const bool reads_a_and_b = k != 0 && (alpha.on_device() || alpha.value() != 0);
  for (const Checked& checked : matrices) {
    if (checked.when == Use::if_alpha && !reads_a_and_b) continue;
    if (by_pointers) {
      call.reads(checked.place, checked.name, checked.matrix.pointers,
                 {batches * sizeof(void*), 1, 0, 1, 0});
      continue;
    }
    Extent all = checked.extent;
    all.batches = batches;
    all.batch_bytes =
        static_cast<std::size_t>(checked.matrix.stride) * element_bytes(checked.matrix.type);
    call.memory(checked.kind, checked.place, checked.name, checked.matrix.data, all, checked.when);
  }

  product.size = {static_cast<std::size_t>(m), static_cast<std::size_t>(n),
                  static_cast<std::size_t>(k), batches};
  product.a = operand(arguments.a, transa);
  product.b = operand(arguments.b, transb);
  product.c = product.d = operand(arguments.c, CUBLAS_OP_N);
  const Checked a = matrices[0], b = matrices[1], c = matrices[2];
  return call.submit(handle->stream, alpha, beta, [=](double alpha_value, double beta_value) {
    if (by_pointers) {
      std::vector<Use> uses;
      for (const Checked& checked : {a, b, c}) {
        if (checked.when == Use::if_alpha && (alpha_value == 0 || k == 0)) continue;
        if (!good_pointers(function, where, checked, batches)) return;
        for (std::size_t i = 0; i < batches; ++i) {
          add_uses(uses, checked.when, checked.kind, checked.matrix.pointers[i], checked.extent,
                   checked.name);
        }
      }
      declare_while_running(function, resolve(uses, alpha_value, beta_value));
    }
    compute(product, alpha_value, beta_value);
  });
}

template <typename T>
constexpr cublasComputeType_t kComputeType = CUBLAS_COMPUTE_32F;
template <>
constexpr cublasComputeType_t kComputeType<double> = CUBLAS_COMPUTE_64F;
template <>
constexpr cublasComputeType_t kComputeType<__half> = CUBLAS_COMPUTE_16F;

template <typename T>
MatrixArgument matrix(const T* data, int leading, long long stride = 0) {
  return {data, nullptr, kDataType<T>, leading, stride};
}

template <typename T>
MatrixArgument matrices(const T* const* pointers, int leading) {
  return {nullptr, reinterpret_cast<const void* const*>(pointers), kDataType<T>, leading, 0};
}

cublasComputeType_t compute_type_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
      return CUBLAS_COMPUTE_16F;
    case CUDA_R_64F:
      return CUBLAS_COMPUTE_64F;
    case CUDA_R_32I:
      return CUBLAS_COMPUTE_32I;
    default:
      return CUBLAS_COMPUTE_32F;
  }
}

// What cublasGemmEx and its like add.
GemmArguments with_types(GemmArguments arguments, cublasComputeType_t compute_type,
                         cublasGemmAlgo_t algorithm) {
  arguments.typed = true;
  arguments.has_compute_type = true;
  arguments.compute_type = compute_type;
  arguments.algorithm = algorithm;
  return arguments;
}

template <typename T>
GemmArguments of_type(GemmArguments arguments) {
  arguments.compute_type = kComputeType<T>;
  return arguments;
}

GemmArguments in_strides(GemmArguments arguments, int batches) {
  arguments.strided = true;
  arguments.batches = batches;
  return arguments;
}

GemmArguments at_pointers(GemmArguments arguments, int batches) {
  arguments.by_pointers = true;
  arguments.batches = batches;
  return arguments;
}

}  // namespace
}  // namespace simulator::blas

using simulator::blas::at_pointers;
using simulator::blas::compute_type_of;
using simulator::blas::gemm;
using simulator::blas::GemmArguments;
using simulator::blas::in_strides;
using simulator::blas::matrices;
using simulator::blas::matrix;
using simulator::blas::of_type;
using simulator::blas::with_types;
using Where = __simulator::__Where;

#define SIMULATOR_GEMM(letter, suffix, T)                                                      \
  cublasStatus_t cublas##letter##gemm##suffix(                                                 \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, \
      int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c,    \
      int ldc, Where where) {                                                                  \
    const GemmArguments arguments{                                                             \
        transa, transb, m, n, k, alpha, matrix(a, lda), matrix(b, ldb), beta, matrix(c, ldc)}; \
    return gemm("cublas" #letter "gemm", handle, where, of_type<T>(arguments));                \
  }                                                                                            \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                           \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, \
      int k, const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,     \
      long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int batches,       \
      Where where) {                                                                           \
    const GemmArguments arguments{transa,                                                      \
                                  transb,                                                      \
                                  m,                                                           \
                                  n,                                                           \
                                  k,                                                           \
                                  alpha,                                                       \
                                  matrix(a, lda, stride_a),                                    \
                                  matrix(b, ldb, stride_b),                                    \
                                  beta,                                                        \
                                  matrix(c, ldc, stride_c)};                                   \
    return gemm("cublas" #letter "gemmStridedBatched", handle, where,                          \
                in_strides(of_type<T>(arguments), batches));                                   \
  }                                                                                            \
  cublasStatus_t cublas##letter##gemmBatched(                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, \
      int k, const T* alpha, const T* const a[], int lda, const T* const b[], int ldb,         \
      const T* beta, T* const c[], int ldc, int batches, Where where) {                        \
    const GemmArguments arguments{transa,                                                      \
                                  transb,                                                      \
                                  m,                                                           \
                                  n,                                                           \
                                  k,                                                           \
                                  alpha,                                                       \
                                  matrices<T>(a, lda),                                         \
                                  matrices<T>(b, ldb),                                         \
                                  beta,                                                        \
                                  matrices<T>(c, ldc)};                                        \
    return gemm("cublas" #letter "gemmBatched", handle, where,                                 \
                at_pointers(of_type<T>(arguments), batches));                                  \
  }

SIMULATOR_GEMM(S, _v2, float)
SIMULATOR_GEMM(D, _v2, double)
SIMULATOR_GEMM(H, , __half)

#undef SIMULATOR_GEMM

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float* alpha,
                             const void* a, cudaDataType type_a, int lda, const void* b,
                             cudaDataType type_b, int ldb, const float* beta, void* c,
                             cudaDataType type_c, int ldc, Where where) {
  GemmArguments arguments{transa,
                          transb,
                          m,
                          n,
                          k,
                          alpha,
                          {a, nullptr, type_a, lda, 0},
                          {b, nullptr, type_b, ldb, 0},
                          beta,
                          {c, nullptr, type_c, ldc, 0}};
  arguments.typed = true;
  return gemm("cublasSgemmEx", handle, where, arguments);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute_type,
                            cublasGemmAlgo_t algorithm, Where where) {
  const GemmArguments arguments{transa,
                                transb,
                                m,
                                n,
                                k,
                                alpha,
                                {a, nullptr, type_a, lda, 0},
                                {b, nullptr, type_b, ldb, 0},
                                beta,
                                {c, nullptr, type_c, ldc, 0}};
  return gemm("cublasGemmEx", handle, where, with_types(arguments, compute_type, algorithm));
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType type_a, int lda, long long stride_a,
    const void* b, cudaDataType type_b, int ldb, long long stride_b, const void* beta, void* c,
    cudaDataType type_c, int ldc, long long stride_c, int batches, cublasComputeType_t compute_type,
    cublasGemmAlgo_t algorithm, Where where) {
  const GemmArguments arguments{transa,
                                transb,
                                m,
                                n,
                                k,
                                alpha,
                                {a, nullptr, type_a, lda, stride_a},
                                {b, nullptr, type_b, ldb, stride_b},
                                beta,
                                {c, nullptr, type_c, ldc, stride_c}};
  return gemm("cublasGemmStridedBatchedEx", handle, where,
              in_strides(with_types(arguments, compute_type, algorithm), batches));
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb,
                                   const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int batches, cublasComputeType_t compute_type,
                                   cublasGemmAlgo_t algorithm, Where where) {
  const GemmArguments arguments{transa,
                                transb,
                                m,
                                n,
                                k,
                                alpha,
                                {nullptr, a, type_a, lda, 0},
                                {nullptr, b, type_b, ldb, 0},
                                beta,
                                {nullptr, c, type_c, ldc, 0}};
  return gemm("cublasGemmBatchedEx", handle, where,
              at_pointers(with_types(arguments, compute_type, algorithm), batches));
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c,
                            cudaDataType type_c, int ldc, cudaDataType compute_type,
                            cublasGemmAlgo_t algorithm, Where where) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta,
                      c, type_c, ldc, compute_type_of(compute_type), algorithm, where);
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType type_a, int lda, long long stride_a,
    const void* b, cudaDataType type_b, int ldb, long long stride_b, const void* beta, void* c,
    cudaDataType type_c, int ldc, long long stride_c, int batches, cudaDataType compute_type,
    cublasGemmAlgo_t algorithm, Where where) {
  return cublasGemmStridedBatchedEx(
      handle, transa, transb, m, n, k, alpha, a, type_a, lda, stride_a, b, type_b, ldb, stride_b,
      beta, c, type_c, ldc, stride_c, batches, compute_type_of(compute_type), algorithm, where);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb,
                                   const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int batches, cudaDataType compute_type,
                                   cublasGemmAlgo_t algorithm, Where where) {
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb,
                             beta, c, type_c, ldc, batches, compute_type_of(compute_type),
                             algorithm, where);
}
