// Vectors and matrices between the host and the device.

#include <cublas_v2.h>

#include "simulator/blas/call.h"
#include "simulator/runtime/copy.h"
#include "simulator/runtime/stream.h"

namespace simulator::blas {
namespace {

using __simulator::__Where;

// `rows` runs of bytes, on each side a distance apart.
struct Transfer {
  std::size_t row_bytes = 0;
  std::size_t rows = 0;
  const void* from = nullptr;
  std::size_t from_distance = 0;
  void* to = nullptr;
  std::size_t to_distance = 0;
};

cublasStatus_t transfer(Call& call, const Transfer& transfer, cudaMemcpyKind kind,
                        cudaStream_t stream, HostWaits host_waits, __Where where) {
  if (!call.good()) return call.status();
  if (transfer.row_bytes == 0 || transfer.rows == 0) return CUBLAS_STATUS_SUCCESS;
  CopyWork work;
  work.from = transfer.from;
  work.to = transfer.to;
  work.from_pitch.row = transfer.from_distance;
  work.to_pitch.row = transfer.to_distance;
  work.shape = {transfer.row_bytes, transfer.rows, 1};
  if (check(work, kind, call.function(), where) != cudaSuccess ||
      enqueue(stream, work, call.function(), where, host_waits) != cudaSuccess) {
    return CUBLAS_STATUS_MAPPING_ERROR;
  }
  return CUBLAS_STATUS_SUCCESS;
}

// A copy to memory that is not pinned is done when the call returns.
HostWaits waits_for(const void* to) {
  return place_of(to).side == Side::host ? HostWaits::unless_captured : HostWaits::no;
}

cublasStatus_t copy_vector(const char* function, int n, int element_bytes, const void* from,
                           int from_increment, void* to, int to_increment, cudaMemcpyKind kind,
                           cudaStream_t stream, HostWaits host_waits, __Where where) {
  Call call(function, where);
  const char kPositive[] = "at least 1";
  call.count(1, "n", n);
  call.require(element_bytes > 0, 2, "elemSize", std::to_string(element_bytes), kPositive);
  call.require(from_increment > 0, 4, "incx", std::to_string(from_increment), kPositive);
  call.require(to_increment > 0, 6, "incy", std::to_string(to_increment), kPositive);
  if (!call.good()) return call.status();
  const std::size_t bytes = element_bytes;
  const bool whole = from_increment == 1 && to_increment == 1;
  Transfer run{bytes, static_cast<std::size_t>(n), from, from_increment * bytes,
               to,    to_increment * bytes};
  if (whole) run = {n * bytes, 1, from, 0, to, 0};
  return transfer(call, run, kind, stream, host_waits, where);
}

cublasStatus_t copy_matrix(const char* function, int rows, int columns, int element_bytes,
                           const void* from, int from_leading, void* to, int to_leading,
                           cudaMemcpyKind kind, cudaStream_t stream, HostWaits host_waits,
                           __Where where) {
  Call call(function, where);
  call.count(1, "rows", rows);
  call.count(2, "cols", columns);
  call.require(element_bytes > 0, 3, "elemSize", std::to_string(element_bytes), "at least 1");
  call.leading(5, "lda", from_leading, rows, "A");
  call.leading(7, "ldb", to_leading, rows, "B");
  if (!call.good()) return call.status();
  const std::size_t bytes = element_bytes;
  return transfer(call,
                  {rows * bytes, static_cast<std::size_t>(columns), from, from_leading * bytes, to,
                   to_leading * bytes},
                  kind, stream, host_waits, where);
}

}  // namespace
}  // namespace simulator::blas

using simulator::HostWaits;
using simulator::blas::copy_matrix;
using simulator::blas::copy_vector;
using simulator::blas::waits_for;
using Where = __simulator::__Where;

cublasStatus_t cublasSetVector(int n, int element_bytes, const void* x, int incx, void* device,
                               int incy, Where where) {
  return copy_vector("cublasSetVector", n, element_bytes, x, incx, device, incy,
                     cudaMemcpyHostToDevice, nullptr, HostWaits::always, where);
}

cublasStatus_t cublasGetVector(int n, int element_bytes, const void* x, int incx, void* y, int incy,
                               Where where) {
  return copy_vector("cublasGetVector", n, element_bytes, x, incx, y, incy, cudaMemcpyDeviceToHost,
                     nullptr, HostWaits::always, where);
}

cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void* a, int lda,
                               void* b, int ldb, Where where) {
  return copy_matrix("cublasSetMatrix", rows, columns, element_bytes, a, lda, b, ldb,
                     cudaMemcpyHostToDevice, nullptr, HostWaits::always, where);
}

cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void* a, int lda,
                               void* b, int ldb, Where where) {
  return copy_matrix("cublasGetMatrix", rows, columns, element_bytes, a, lda, b, ldb,
                     cudaMemcpyDeviceToHost, nullptr, HostWaits::always, where);
}

cublasStatus_t cublasSetVectorAsync(int n, int element_bytes, const void* host, int incx,
                                    void* device, int incy, cudaStream_t stream, Where where) {
  return copy_vector("cublasSetVectorAsync", n, element_bytes, host, incx, device, incy,
                     cudaMemcpyHostToDevice, stream, HostWaits::no, where);
}

cublasStatus_t cublasGetVectorAsync(int n, int element_bytes, const void* device, int incx,
                                    void* host, int incy, cudaStream_t stream, Where where) {
  return copy_vector("cublasGetVectorAsync", n, element_bytes, device, incx, host, incy,
                     cudaMemcpyDeviceToHost, stream, waits_for(host), where);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element_bytes, const void* a,
                                    int lda, void* b, int ldb, cudaStream_t stream, Where where) {
  return copy_matrix("cublasSetMatrixAsync", rows, columns, element_bytes, a, lda, b, ldb,
                     cudaMemcpyHostToDevice, stream, HostWaits::no, where);
}

cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element_bytes, const void* a,
                                    int lda, void* b, int ldb, cudaStream_t stream, Where where) {
  return copy_matrix("cublasGetMatrixAsync", rows, columns, element_bytes, a, lda, b, ldb,
                     cudaMemcpyDeviceToHost, stream, waits_for(b), where);
}
