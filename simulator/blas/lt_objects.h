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
  static constexpr std::uint32_t kMark = 0x4c61796f;  // tells a layout from other memory
  std::uint32_t mark = kMark;                         // as long as the object lives
  std::uint32_t type = CUDA_R_32F;                    // of an element: a cudaDataType
  std::uint64_t rows = 0;                             // of one matrix
  std::uint64_t columns = 0;                          // of one matrix
  std::int64_t leading = 0;                 // distance between columns, or rows, in elements
  std::int64_t batch_stride = 0;            // distance between matrices, in elements
  std::int32_t batches = 1;                 // how many matrices
  std::int32_t order = CUBLASLT_ORDER_COL;  // columns or rows side by side
  std::int32_t batch_mode = CUBLASLT_BATCH_MODE_STRIDED;  // by strides, or by a list of pointers
};

// What cublasLtMatmulDescCreate makes.
struct MatmulDescription {
  static constexpr std::uint32_t kMark = 0x4d61746d;       // tells a description from other memory
  std::uint32_t mark = kMark;                              // as long as the object lives
  std::int32_t compute_type = CUBLAS_COMPUTE_32F;          // what sums are made in
  std::int32_t scale_type = CUDA_R_32F;                    // of alpha and beta
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;  // where alpha and beta lie
  std::int32_t transa = CUBLAS_OP_N;                       // transposes a
  std::int32_t transb = CUBLAS_OP_N;                       // transposes b
  std::int32_t transc = CUBLAS_OP_N;                       // transposes c
  std::int32_t fill_mode = CUBLAS_FILL_MODE_FULL;          // the whole of the result, or a triangle
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;  // what is done to the result (epilogue.h)
  std::int32_t bias_type = -1;                         // as D
  std::int32_t auxiliary_type = -1;                    // as D
  std::int32_t multiprocessor_target = 0;              // kept, and of no effect
  std::int8_t fast_accumulation = 0;                   // kept, and of no effect
  const void* bias = nullptr;                          // read, or written by a gradient's epilogue
  void* auxiliary = nullptr;                           // of the activation's argument
  std::int64_t bias_stride = 0;                        // distance between the biases of a batch
  std::int64_t auxiliary_leading = 0;                  // distance between its columns
  std::int64_t auxiliary_stride = 0;                   // distance between its matrices
};

// What cublasLtMatmulPreferenceCreate makes.
struct MatmulPreference {
  static constexpr std::uint32_t kMark = 0x50726566;  // tells preferences from other memory
  std::uint32_t mark = kMark;                         // as long as the object lives
  std::uint32_t search_mode = 0;                      // kept, and of no effect
  std::uint64_t workspace_bytes = 0;                  // how much an algorithm may ask for
  std::uint32_t reduction_schemes = CUBLASLT_REDUCTION_SCHEME_MASK;  // kept, and of no effect
  std::uint32_t alignment[4] = {256, 256, 256, 256};                 // of a, b, c and d, in bytes
  float waves = 0;                                                   // kept, and of no effect
  std::uint64_t implementations = ~std::uint64_t{0};                 // kept, and of no effect
};

// The one algorithm, and what it was told of the pointers that it will be used with.
struct MatmulAlgorithm {
  static constexpr std::uint32_t kMark = 0x416c676f;  // tells an algorithm from other memory
  std::uint32_t mark = kMark;                         // as long as the object is one
  // In bytes; 16 at most, since no access takes more.
  std::uint32_t alignment[4] = {16, 16, 16, 16};  // of a, b, c and d, as the preference promised
  std::uint32_t bias_alignment = 16;              // of the pointer in the description, then
  std::uint32_t auxiliary_alignment = 16;         // of the pointer in the description, then
};

// What is held, or nullptr where the object is none of its kind.
const MatrixLayout* held(const cublasLtMatrixLayoutOpaque_t* object);
const MatmulDescription* held(const cublasLtMatmulDescOpaque_t* object);
const MatmulPreference* held(const cublasLtMatmulPreferenceOpaque_t* object);
const MatmulAlgorithm* held(const cublasLtMatmulAlgo_t* object);

// Whether the handle was made here and lives.
bool is_handle(cublasLtHandle_t handle);

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_LT_OBJECTS_H_
