#include "simulator/blas/call.h"

#include <algorithm>
#include <utility>

#include "simulator/blas/context.h"
#include "simulator/runtime/copy.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/handles.h"
#include "simulator/runtime/observer.h"
#include "simulator/runtime/report.h"
#include "simulator/runtime/stream.h"

namespace simulator::blas {
namespace {

const char kColumnMajor[] =
    "cuBLAS's matrices lie in columns, and a leading dimension counts the elements of a column, "
    "from the start of one to the start of the next. What C++ stores in rows, rows x columns, is "
    "for cuBLAS the transposed matrix, columns x rows, with leading dimension columns. A and B are "
    "cuBLAS's names for the two factors, C for the result, and no width: for C = A * B in rows ask "
    "for C^T = B^T * A^T: pass B before A, and n before m.";

std::size_t magnitude(int increment) {
  return static_cast<std::size_t>(increment < 0 ? -static_cast<long long>(increment) : increment);
}

// From the first byte to behind the last.
std::size_t span(const Extent& extent) {
  if (extent.rows == 0 || extent.row_bytes == 0 || extent.batches == 0) return 0;
  return (extent.batches - 1) * extent.batch_bytes + (extent.rows - 1) * extent.stride_bytes +
         extent.row_bytes;
}

}  // namespace

Scalar::Scalar(cudaDataType type, const void* pointer, bool on_device)
    : type_(type),
      device_(on_device ? pointer : nullptr),
      value_(on_device ? 0 : read_element(type, pointer)) {}

Extent matrix_extent(std::size_t rows, std::size_t columns, std::size_t leading,
                     std::size_t element_bytes) {
  if (rows == 0) return {0, 0, 0, 1, 0};
  return {rows * element_bytes, columns, leading * element_bytes, 1, 0};
}

Extent vector_extent(std::size_t count, int increment, std::size_t element_bytes) {
  if (count == 0) return {0, 0, 0, 1, 0};
  if (increment == 1 || increment == -1) return {count * element_bytes, 1, 0, 1, 0};
  if (increment == 0) return {element_bytes, 1, 0, 1, 0};
  return {element_bytes, count, magnitude(increment) * element_bytes, 1, 0};
}

std::vector<MemoryUse> resolve(const std::vector<Use>& uses, double alpha, double beta) {
  std::vector<MemoryUse> resolved;
  for (const Use& use : uses) {
    if (use.when == Use::if_alpha && alpha == 0) continue;
    MemoryUse memory = use.memory;
    if (use.when == Use::if_beta && beta == 0) {
      if (memory.kind == MemoryUse::reads) continue;
      memory.kind = MemoryUse::writes;
    }
    resolved.push_back(memory);
  }
  return resolved;
}

void declare_while_running(const char* function, const std::vector<MemoryUse>& uses) {
  if (observer() != nullptr) observer()->memory_used(function, uses);
}

void add_uses(std::vector<Use>& uses, Use::When when, MemoryUse::Kind kind, const void* pointer,
              const Extent& extent, const char* name) {
  for (std::size_t batch = 0; batch < extent.batches; ++batch) {
    uses.push_back({when,
                    {kind, static_cast<const char*>(pointer) + batch * extent.batch_bytes,
                     extent.row_bytes, extent.rows, extent.stride_bytes, name}});
    if (extent.batch_bytes == 0) return;
  }
}

bool is_handle(cublasHandle_t handle) {
  return handle != nullptr && handles<cublasContext>().has(handle);
}

Call::Call(const char* function, __simulator::__Where where) : function_(function), where_(where) {
  if (begin_call(function, where) != cudaSuccess) status_ = CUBLAS_STATUS_EXECUTION_FAILED;
}

Call::Call(const char* function, cublasHandle_t handle, __simulator::__Where where)
    : Call(function, where) {
  handle_ = handle;
  require(is_handle(handle), 1, "handle",
          handle == nullptr ? "null" : "no handle, or a destroyed one", "what cublasCreate gave",
          "", CUBLAS_STATUS_NOT_INITIALIZED);
}

void Call::refuse(cublasStatus_t status, const std::string& sentence, const std::string& cause,
                  bool error) {
  if (!good()) return;
  status_ = status;
  Report report;
  report.kind = "cublas";
  report.error = error;
  report.sentence = sentence;
  report.cause = cause + (cause.empty() ? "" : " ") + "The call does nothing and returns " +
                 cublasGetStatusName(status) + ".";
  Party host;
  host.did = "calls it";
  if (where_.__file != nullptr) host.lines.push_back({where_.__file, where_.__line, ""});
  report.parties.push_back(host);
  publish(report);
}

bool Call::require(bool holds, int place, const char* name, const std::string& is,
                   const std::string& must, const std::string& why, cublasStatus_t status) {
  if (good() && !holds) {
    refuse(status,
           std::string(function_) + ": argument " + std::to_string(place) + ", " + name + ", is " +
               is + "; it must be " + must,
           why);
  }
  return good();
}

void Call::count(int place, const char* name, long long number) {
  require(number >= 0, place, name, std::to_string(number), "at least 0");
}

void Call::operation(int place, const char* name, cublasOperation_t operation) {
  require(operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C, place, name,
          std::to_string(static_cast<int>(operation)), "CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C");
}

void Call::fill(int place, const char* name, cublasFillMode_t fill) {
  require(fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER, place, name,
          std::to_string(static_cast<int>(fill)),
          "CUBLAS_FILL_MODE_LOWER or CUBLAS_FILL_MODE_UPPER");
}

void Call::side(int place, const char* name, cublasSideMode_t side) {
  require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT, place, name,
          std::to_string(static_cast<int>(side)), "CUBLAS_SIDE_LEFT or CUBLAS_SIDE_RIGHT");
}

void Call::increment(int place, const char* name, long long number) {
  require(number != 0, place, name, "0",
          "another number: how many elements lie from one of the vector's to the next");
}

void Call::leading(int place, const char* name, long long number, long long rows,
                   const char* matrix) {
  require(number >= std::max(1LL, rows), place, name, std::to_string(number),
          "at least " + std::to_string(std::max(1LL, rows)) + ", the number of rows of " + matrix +
              " as it is stored",
          std::string(name) + " counts the elements of a column. " + kColumnMajor);
}

void Call::given(int place, const char* name, const void* pointer) {
  require(pointer != nullptr, place, name, "null", "a pointer");
}

Scalar Call::scalar(int place, const char* name, cudaDataType type, const void* pointer) {
  return scalar(place, name, type, pointer,
                good() && handle_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE);
}

Scalar Call::scalar(int place, const char* name, cudaDataType type, const void* pointer,
                    bool on_device) {
  given(place, name, pointer);
  if (!good()) return Scalar();
  if (on_device) {
    memory(MemoryUse::reads, place, name, pointer, {element_bytes(type), 1, 0, 1, 0});
  } else {
    require(place_of(pointer).side != Side::device, place, name,
            "a pointer into the device's memory", "one into the host's",
            "The pointer mode is HOST, as it is until cublasSetPointerMode (for cublasLt: "
            "CUBLASLT_MATMUL_DESC_POINTER_MODE) says otherwise.");
  }
  return good() ? Scalar(type, pointer, on_device) : Scalar();
}

bool Call::reachable(int place, const char* name, const void* pointer, const Extent& extent) {
  const std::size_t bytes = span(extent);
  if (!good() || bytes == 0) return false;
  given(place, name, pointer);
  if (!good()) return false;
  const std::string argument =
      std::string(function_) + ": argument " + std::to_string(place) + ", " + name + ", ";
  const Place found = place_of(pointer);
  if (found.side == Side::host) {
    refuse(CUBLAS_STATUS_EXECUTION_FAILED,
           argument + "points into the host's memory, which the GPU cannot reach",
           "Vectors and matrices come from cudaMalloc, and pointers to several of them in an array "
           "that itself lies in the device's memory; alpha, beta and results may be the host's "
           "in pointer mode HOST.",
           true);
  } else if (found.bytes != 0 && found.offset + bytes > found.bytes) {
    refuse(
        CUBLAS_STATUS_EXECUTION_FAILED,
        argument + "has " + std::to_string(found.bytes - std::min(found.bytes, found.offset)) +
            " bytes up to the end of its allocation, and the call touches " + std::to_string(bytes),
        std::string("Sizes, leading dimension or increment do not fit the memory. ") + kColumnMajor,
        true);
  }
  return good();
}

void Call::memory(MemoryUse::Kind kind, int place, const char* name, const void* pointer,
                  const Extent& extent, Use::When when) {
  if (reachable(place, name, pointer, extent)) {
    add_uses(uses_, when, kind, pointer, extent, name);
  }
}

void Call::triangle(MemoryUse::Kind kind, int place, const char* name, const void* pointer,
                    cublasFillMode_t fill, std::size_t size, std::size_t leading,
                    std::size_t element_bytes, Use::When when) {
  if (!reachable(place, name, pointer, matrix_extent(size, size, leading, element_bytes))) return;
  for (std::size_t column = 0; column < size; ++column) {
    const std::size_t first = fill == CUBLAS_FILL_MODE_LOWER ? column : 0;
    const std::size_t count = fill == CUBLAS_FILL_MODE_LOWER ? size - column : column + 1;
    const char* const start =
        static_cast<const char*>(pointer) + (column * leading + first) * element_bytes;
    add_uses(uses_, when, kind, start, {count * element_bytes, 1, 0, 1, 0}, name);
  }
}

void Call::result(int place, const char* name, const void* pointer, std::size_t bytes) {
  given(place, name, pointer);
  if (!good()) return;
  if (handle_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
    writes(place, name, pointer, {bytes, 1, 0, 1, 0});
    return;
  }
  host_waits_ = true;
  require(place_of(pointer).side != Side::device, place, name, "a pointer into the device's memory",
          "one into the host's",
          "The pointer mode is HOST, as it is until cublasSetPointerMode says otherwise.");
  if (good()) {
    add_uses(uses_, Use::always, MemoryUse::writes, pointer, {bytes, 1, 0, 1, 0}, name);
  }
}

cublasStatus_t Call::put(cudaStream_t stream, std::vector<MemoryUse> uses,
                         std::function<void()> work) {
  // As library_call does it, with the line of the call.
  const cudaError_t error =
      enqueue(stream, LibraryWork{function_, std::move(uses), std::move(work)}, function_, where_,
              host_waits_ ? HostWaits::always : HostWaits::no);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t Call::submit(cudaStream_t stream, std::function<void()> work) {
  if (!good()) return status_;
  return put(stream, resolve(uses_, 1, 1), std::move(work));
}

cublasStatus_t Call::submit(cudaStream_t stream, const Scalar& alpha, const Scalar& beta,
                            std::function<void(double, double)> work) {
  if (!good()) return status_;
  if (!alpha.on_device() && !beta.on_device()) {
    const double alpha_value = alpha.value();
    const double beta_value = beta.value();
    return put(stream, resolve(uses_, alpha_value, beta_value),
               [=, work = std::move(work)] { work(alpha_value, beta_value); });
  }
  // What is read depends on numbers that an earlier kernel may be about to write.
  std::vector<MemoryUse> now;
  std::vector<Use> later;
  for (const Use& use : uses_) {
    if (use.when == Use::always && use.memory.kind == MemoryUse::reads) {
      now.push_back(use.memory);
    } else {
      later.push_back(use);
    }
  }
  const char* const function = function_;
  return put(stream, std::move(now),
             [function, alpha, beta, later = std::move(later), work = std::move(work)] {
               const double alpha_value = alpha.value();
               const double beta_value = beta.value();
               declare_while_running(function, resolve(later, alpha_value, beta_value));
               work(alpha_value, beta_value);
             });
}

}  // namespace simulator::blas
