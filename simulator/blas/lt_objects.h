// File: lt_objects.h
//
// What cublasLt's opaque objects hold. They may lie in the program's own memory, so each begins
// with a mark by which it is told from anything else.

#ifndef ANDREA_SIMULATOR_BLAS_LT_OBJECTS_H_
#define ANDREA_SIMULATOR_BLAS_LT_OBJECTS_H_

#include <cublasLt.h>

#include <cstdint>

struct cublasLtContext {};

namespace simulator::blas {

struct MatrixLayout {
  static constexpr std::uint32_t kMark = 0x4c61796f;
  std::uint32_t mark = kMark;
  std::uint32_t type = CUDA_R_32F;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t leading = 0;
  std::int64_t batch_stride = 0;
  std::int32_t batches = 1;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::int32_t batch_mode = CUBLASLT_BATCH_MODE_STRIDED;
};

struct MatmulDescription {
  static constexpr std::uint32_t kMark = 0x4d61746d;
  std::uint32_t mark = kMark;
  std::int32_t compute_type = CUBLAS_COMPUTE_32F;
  std::int32_t scale_type = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = CUBLAS_OP_N;
  std::int32_t transb = CUBLAS_OP_N;
  std::int32_t transc = CUBLAS_OP_N;
  std::int32_t fill_mode = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  std::int32_t bias_type = -1;       // as D
  std::int32_t auxiliary_type = -1;  // as D
  std::int32_t multiprocessor_target = 0;
  std::int8_t fast_accumulation = 0;
  const void* bias = nullptr;
  void* auxiliary = nullptr;
  std::int64_t bias_stride = 0;
  std::int64_t auxiliary_leading = 0;
  std::int64_t auxiliary_stride = 0;
};

struct MatmulPreference {
  static constexpr std::uint32_t kMark = 0x50726566;
  std::uint32_t mark = kMark;
  std::uint32_t search_mode = 0;
  std::uint64_t workspace_bytes = 0;
  std::uint32_t reduction_schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint32_t alignment[4] = {256, 256, 256, 256};
  float waves = 0;
  std::uint64_t implementations = ~std::uint64_t{0};
};

// The one algorithm.
struct MatmulAlgorithm {
  static constexpr std::uint32_t kMark = 0x416c676f;
  std::uint32_t mark = kMark;
};

// What is held, or nullptr where the object is none of its kind.
const MatrixLayout* held(const cublasLtMatrixLayoutOpaque_t* object);
const MatmulDescription* held(const cublasLtMatmulDescOpaque_t* object);
const MatmulPreference* held(const cublasLtMatmulPreferenceOpaque_t* object);
const MatmulAlgorithm* held(const cublasLtMatmulAlgo_t* object);

bool is_handle(cublasLtHandle_t handle);

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_LT_OBJECTS_H_
