// The calls that make cublasLt's objects and set their attributes.

#include "simulator/blas/lt_objects.h"

#include <cublas_v2.h>

#include <cstring>
#include <memory>
#include <new>

#include "simulator/blas/call.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/handles.h"

namespace simulator::blas {
namespace {

template <typename Held, typename Opaque>
Held* held_in(Opaque* object) {
  static_assert(sizeof(Held) <= sizeof(Opaque) && alignof(Held) <= alignof(Opaque));
  if (object == nullptr) return nullptr;
  std::uint32_t mark = 0;
  std::memcpy(&mark, object, sizeof(mark));
  return mark == Held::kMark ? std::launder(reinterpret_cast<Held*>(object)) : nullptr;
}

// A member of a held object.
struct Attribute {
  void* data = nullptr;
  std::size_t bytes = 0;
};

template <typename T>
Attribute attribute_of(T& member) {
  return {const_cast<void*>(static_cast<const void*>(&member)), sizeof(member)};
}

Attribute find(MatrixLayout& layout, cublasLtMatrixLayoutAttribute_t which) {
  switch (which) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
      return attribute_of(layout.type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return attribute_of(layout.order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
      return attribute_of(layout.rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
      return attribute_of(layout.columns);
    case CUBLASLT_MATRIX_LAYOUT_LD:
      return attribute_of(layout.leading);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return attribute_of(layout.batches);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return attribute_of(layout.batch_stride);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_MODE:
      return attribute_of(layout.batch_mode);
    default:
      return {};
  }
}

Attribute find(MatmulDescription& description, cublasLtMatmulDescAttributes_t which) {
  switch (which) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
      return attribute_of(description.compute_type);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return attribute_of(description.scale_type);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
      return attribute_of(description.pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return attribute_of(description.transa);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return attribute_of(description.transb);
    case CUBLASLT_MATMUL_DESC_TRANSC:
      return attribute_of(description.transc);
    case CUBLASLT_MATMUL_DESC_FILL_MODE:
      return attribute_of(description.fill_mode);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return attribute_of(description.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return attribute_of(description.bias);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
      return attribute_of(description.bias_stride);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return attribute_of(description.bias_type);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
      return attribute_of(description.auxiliary);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
      return attribute_of(description.auxiliary_leading);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
      return attribute_of(description.auxiliary_stride);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
      return attribute_of(description.auxiliary_type);
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
      return attribute_of(description.multiprocessor_target);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
      return attribute_of(description.fast_accumulation);
    default:
      return {};
  }
}

Attribute find(MatmulPreference& preference, cublasLtMatmulPreferenceAttributes_t which) {
  switch (which) {
    case CUBLASLT_MATMUL_PREF_SEARCH_MODE:
      return attribute_of(preference.search_mode);
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return attribute_of(preference.workspace_bytes);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
      return attribute_of(preference.reduction_schemes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
      return attribute_of(preference.alignment[0]);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
      return attribute_of(preference.alignment[1]);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
      return attribute_of(preference.alignment[2]);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
      return attribute_of(preference.alignment[3]);
    case CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT:
      return attribute_of(preference.waves);
    case CUBLASLT_MATMUL_PREF_IMPL_MASK:
      return attribute_of(preference.implementations);
    default:
      return {};
  }
}

template <typename Held, typename Opaque, typename Which>
cublasStatus_t set_attribute(const char* function, Opaque* object, Which which, const void* buffer,
                             std::size_t bytes) {
  Held* const holder = held_in<Held>(object);
  if (holder == nullptr || buffer == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  Call call(function, {nullptr, 0});
  const Attribute attribute = find(*holder, which);
  call.require(attribute.data != nullptr, 2, "attr", std::to_string(static_cast<int>(which)),
               "one that the simulator knows (which has no scaled, planar or emulated products)",
               "", CUBLAS_STATUS_NOT_SUPPORTED);
  call.require(bytes == attribute.bytes, 4, "sizeInBytes", std::to_string(bytes),
               std::to_string(attribute.bytes) + ", the attribute's own size");
  if (call.good()) std::memcpy(attribute.data, buffer, bytes);
  return call.status();
}

template <typename Held, typename Opaque, typename Which>
cublasStatus_t get_attribute(Opaque* object, Which which, void* buffer, std::size_t bytes,
                             std::size_t* written) {
  Held* const holder = held_in<Held>(object);
  const Attribute attribute = holder == nullptr ? Attribute{} : find(*holder, which);
  if (attribute.data == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (written != nullptr) *written = attribute.bytes;
  if (bytes == 0) {
    return written != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
  }
  if (buffer == nullptr || bytes != attribute.bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(buffer, attribute.data, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Held, typename Opaque>
cublasStatus_t initialize(Opaque* object, std::size_t bytes, const Held& value) {
  if (object == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes < sizeof(Opaque)) return CUBLAS_STATUS_ALLOC_FAILED;
  std::memset(object, 0, sizeof(Opaque));
  new (object) Held(value);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Held, typename Opaque>
cublasStatus_t create(Opaque** object, const Held& value) {
  if (object == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *object = handles<Opaque>().add(std::make_unique<Opaque>());
  return initialize(*object, sizeof(Opaque), value);
}

template <typename Opaque>
cublasStatus_t destroy(Opaque* object) {
  return handles<Opaque>().remove(object) != nullptr ? CUBLAS_STATUS_SUCCESS
                                                     : CUBLAS_STATUS_INVALID_VALUE;
}

MatrixLayout layout_of(cudaDataType type, std::uint64_t rows, std::uint64_t columns,
                       std::int64_t leading) {
  MatrixLayout layout;
  layout.type = type;
  layout.rows = rows;
  layout.columns = columns;
  layout.leading = leading;
  return layout;
}

MatmulDescription description_of(cublasComputeType_t compute_type, cudaDataType scale_type) {
  MatmulDescription description;
  description.compute_type = compute_type;
  description.scale_type = scale_type;
  return description;
}

}  // namespace

const MatrixLayout* held(const cublasLtMatrixLayoutOpaque_t* object) {
  return held_in<const MatrixLayout>(object);
}

const MatmulDescription* held(const cublasLtMatmulDescOpaque_t* object) {
  return held_in<const MatmulDescription>(object);
}

const MatmulPreference* held(const cublasLtMatmulPreferenceOpaque_t* object) {
  return held_in<const MatmulPreference>(object);
}

const MatmulAlgorithm* held(const cublasLtMatmulAlgo_t* object) {
  return held_in<const MatmulAlgorithm>(object);
}

bool is_handle(cublasLtHandle_t handle) {
  // A handle of cuBLAS is one of cublasLt, too.
  return handle != nullptr && (handles<cublasLtContext>().has(handle) ||
                               is_handle(reinterpret_cast<cublasHandle_t>(handle)));
}

}  // namespace simulator::blas

namespace blas = simulator::blas;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (simulator::begin_call("cublasLtCreate") != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = simulator::handles<cublasLtContext>().add(std::make_unique<cublasLtContext>());
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return simulator::handles<cublasLtContext>().remove(handle) != nullptr
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return cublasGetCudartVersion(); }

cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t bytes,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t leading) {
  return blas::initialize(layout, bytes, blas::layout_of(type, rows, columns, leading));
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t leading) {
  return blas::create(layout, blas::layout_of(type, rows, columns, leading));
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return blas::destroy(layout);
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t which,
                                                const void* buffer, size_t bytes) {
  return blas::set_attribute<blas::MatrixLayout>("cublasLtMatrixLayoutSetAttribute", layout, which,
                                                 buffer, bytes);
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t which, void* buffer,
                                                size_t bytes, size_t* written) {
  return blas::get_attribute<blas::MatrixLayout>(layout, which, buffer, bytes, written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t description, size_t bytes,
                                               cublasComputeType_t compute_type,
                                               cudaDataType scale_type) {
  return blas::initialize(description, bytes, blas::description_of(compute_type, scale_type));
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description,
                                        cublasComputeType_t compute_type, cudaDataType scale_type) {
  return blas::create(description, blas::description_of(compute_type, scale_type));
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  return blas::destroy(description);
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t which,
                                              const void* buffer, size_t bytes) {
  return blas::set_attribute<blas::MatmulDescription>("cublasLtMatmulDescSetAttribute", description,
                                                      which, buffer, bytes);
}

cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t which, void* buffer,
                                              size_t bytes, size_t* written) {
  return blas::get_attribute<blas::MatmulDescription>(description, which, buffer, bytes, written);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     size_t bytes) {
  return blas::initialize(preference, bytes, blas::MatmulPreference{});
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return blas::create(preference, blas::MatmulPreference{});
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return blas::destroy(preference);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t which,
                                                    const void* buffer, size_t bytes) {
  return blas::set_attribute<blas::MatmulPreference>("cublasLtMatmulPreferenceSetAttribute",
                                                     preference, which, buffer, bytes);
}

cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t which,
                                                    void* buffer, size_t bytes, size_t* written) {
  return blas::get_attribute<blas::MatmulPreference>(preference, which, buffer, bytes, written);
}

// Nothing is logged: what is wrong with a call is reported without being asked for.
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetFile(FILE*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerOpenFile(const char*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetLevel(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerForceDisable() { return CUBLAS_STATUS_SUCCESS; }
