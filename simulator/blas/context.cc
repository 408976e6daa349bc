// The calls that make handles and set what they hold.

#include "simulator/blas/context.h"

#include <cuda_runtime_api.h>

#include <memory>

#include "simulator/runtime/copy.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/handles.h"
#include "simulator/runtime/stream.h"

namespace {

cublasLogCallback log_callback = nullptr;

bool is_context(cublasHandle_t handle) {
  return handle != nullptr && simulator::handles<cublasContext>().has(handle);
}

// Every getter and setter: a member of a good handle.
template <typename T>
cublasStatus_t set(cublasHandle_t handle, T cublasContext::*member, T value, bool valid) {
  if (!is_context(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  handle->*member = value;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename T>
cublasStatus_t get(cublasHandle_t handle, T cublasContext::*member, T* value) {
  if (!is_context(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = handle->*member;
  return CUBLAS_STATUS_SUCCESS;
}

bool is_math_mode(cublasMath_t mode) {
  const int base = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  return (base >= CUBLAS_DEFAULT_MATH && base <= CUBLAS_FP32_EMULATED_BF16X9_MATH) ||
         base == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
}

}  // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (simulator::begin_call("cublasCreate") != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = simulator::handles<cublasContext>().add(std::make_unique<cublasContext>());
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (!is_context(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  simulator::handles<cublasContext>().remove(handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  if (!is_context(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = CUBLAS_VER_MAJOR;
      return CUBLAS_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = CUBLAS_VER_MINOR;
      return CUBLAS_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = CUBLAS_VER_PATCH;
      return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

size_t cublasGetCudartVersion() { return CUDART_VERSION; }

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream, simulator::find_stream(stream) != nullptr);
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cublasContext::stream, stream);
}

// No call here needs any.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  if (!is_context(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (bytes == 0) return CUBLAS_STATUS_SUCCESS;
  const bool aligned = reinterpret_cast<std::uintptr_t>(workspace) % 256 == 0;
  return aligned && simulator::place_of(workspace).side != simulator::Side::host
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set(handle, &cublasContext::pointer_mode, mode,
             mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointer_mode, mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomics_mode, mode,
             mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}

cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomics_mode, mode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(handle, &cublasContext::math_mode, mode, is_math_mode(mode));
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(handle, &cublasContext::math_mode, mode);
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int target) {
  return set(handle, &cublasContext::multiprocessor_target, target, target >= 0);
}

cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* target) {
  return get(handle, &cublasContext::multiprocessor_target, target);
}

cublasStatus_t cublasLoggerConfigure(int, int, int, const char*) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  log_callback = callback;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback) {
  if (callback == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *callback = log_callback;
  return CUBLAS_STATUS_SUCCESS;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define SIMULATOR_STATUS(name) \
  case name:                   \
    return #name;
    SIMULATOR_STATUS(CUBLAS_STATUS_SUCCESS)
    SIMULATOR_STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
    SIMULATOR_STATUS(CUBLAS_STATUS_ALLOC_FAILED)
    SIMULATOR_STATUS(CUBLAS_STATUS_INVALID_VALUE)
    SIMULATOR_STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
    SIMULATOR_STATUS(CUBLAS_STATUS_MAPPING_ERROR)
    SIMULATOR_STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
    SIMULATOR_STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
    SIMULATOR_STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
    SIMULATOR_STATUS(CUBLAS_STATUS_LICENSE_ERROR)
#undef SIMULATOR_STATUS
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the handle is none: it was not made, or was destroyed";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "there is not enough memory";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an argument has a value that is not allowed";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "the device lacks what the call needs";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "a copy to or from the device failed";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "the work could not be put into the stream, or failed";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "an operation inside the library failed";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "these types or attributes are not supported together";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "the call needs a license";
  }
  return "unknown status";
}
