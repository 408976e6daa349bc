// File: call.h
//
// What all calls of cuBLAS have in common: the arguments are checked, the first that is wrong is
// told, and the work goes into the stream with what it reads and writes.
//
//   Call call("cublasSscal", handle, where);
//   call.count(2, "n", n);
//   call.updates(4, "x", x, {...});
//   return call.submit(stream, [=] { ... });
//
// Once an argument was found wrong all that follows does nothing, and submit returns the status.

#ifndef ANDREA_SIMULATOR_BLAS_CALL_H_
#define ANDREA_SIMULATOR_BLAS_CALL_H_

#include <cublas_v2.h>
#include <simulator/library_call.h>
#include <simulator/synchronization.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "simulator/blas/element.h"

namespace simulator::blas {

// A number that the caller gives by a pointer: read when the call is made from the host, when the
// work is done from the device.
class Scalar {
 public:
  Scalar() = default;
  // A number of the host's.
  explicit Scalar(double value) : value_(value) {}
  // As the handle's pointer mode has it: read now, or when the work is done.
  Scalar(cudaDataType type, const void* pointer, bool on_device);

  bool on_device() const { return device_ != nullptr; }  // whether the number lies in device memory
  // As it is when the work is done, not when it is enqueued.
  double value() const { return on_device() ? read_element(type_, device_) : value_; }

 private:
  cudaDataType type_ = CUDA_R_64F;
  const void* device_ = nullptr;
  double value_ = 0;
};

// Runs of memory: `rows` of `row_bytes`, `stride_bytes` apart; all that `batches` times.
struct Extent {
  std::size_t row_bytes = 0;     // of one run
  std::size_t rows = 1;          // runs of a matrix
  std::size_t stride_bytes = 0;  // from run to run
  std::size_t batches = 1;       // matrices
  std::size_t batch_bytes = 0;   // from one matrix of a batch to the next
};

// A matrix in columns.
Extent matrix_extent(std::size_t rows, std::size_t columns, std::size_t leading,
                     std::size_t element_bytes);
// A vector whose elements lie |increment| apart.
Extent vector_extent(std::size_t count, int increment, std::size_t element_bytes);

// Which memory depends on the factors: with alpha = 0 no matrix is read, with beta = 0 the result
// is not.
struct Use {
  // When an operand is touched: cuBLAS need not read what is multiplied by 0.
  enum When { always, if_alpha, if_beta };

  When when = always;  // with which factors
  MemoryUse memory;    // what is read or written then
};

// Those that take place with these factors.
std::vector<MemoryUse> resolve(const std::vector<Use>& uses, double alpha, double beta);
// Tells the checker from inside the work, where uses are known no sooner.
void declare_while_running(const char* function, const std::vector<MemoryUse>& uses);
// Appends what an operand of this extent is.
void add_uses(std::vector<Use>& uses, Use::When when, MemoryUse::Kind kind, const void* pointer,
              const Extent& extent, const char* name);

class Call {
 public:
  // `function` must outlive the call.
  Call(const char* function, cublasHandle_t handle, __simulator::__Where where);
  // For calls without such a handle.
  Call(const char* function, __simulator::__Where where);

  // No argument has been refused yet.
  bool good() const { return status_ == CUBLAS_STATUS_SUCCESS; }
  cublasStatus_t status() const { return status_; }   // what the function returns
  const char* function() const { return function_; }  // its name, for reports
  cublasHandle_t handle() const { return handle_; }   // the handle that it was called with

  // An argument by its place, counted from 1, and its name; `is` what was passed, `must` what it
  // has to be ("at least 0").
  bool require(bool holds, int place, const char* name, const std::string& is,
               const std::string& must, const std::string& why = "",
               cublasStatus_t status = CUBLAS_STATUS_INVALID_VALUE);
  // Whatever is not about one argument.
  void refuse(cublasStatus_t status, const std::string& sentence, const std::string& cause,
              bool error = false);

  // Refuses a number below 0. `place` is the argument's, from 1.
  void count(int place, const char* name, long long number);
  // Refuses what is no operation.
  void operation(int place, const char* name, cublasOperation_t operation);
  // Refuses what is neither triangle.
  void fill(int place, const char* name, cublasFillMode_t fill);
  // Refuses what is neither side.
  void side(int place, const char* name, cublasSideMode_t side);
  // Refuses a distance between elements of 0.
  void increment(int place, const char* name, long long number);
  // The distance between the columns of a matrix of `rows` rows.
  void leading(int place, const char* name, long long number, long long rows, const char* matrix);
  // Refuses a null pointer.
  void given(int place, const char* name, const void* pointer);
  // alpha or beta, in the handle's pointer mode.
  Scalar scalar(int place, const char* name, cudaDataType type, const void* pointer);
  Scalar scalar(int place, const char* name, cudaDataType type, const void* pointer,
                bool on_device);

  // Memory that a GPU must be able to reach. An extent of nothing asks for no pointer.
  void memory(MemoryUse::Kind kind, int place, const char* name, const void* pointer,
              const Extent& extent, Use::When when = Use::always);
  void reads(int place, const char* name, const void* pointer, const Extent& extent,
             Use::When when = Use::always) {
    memory(MemoryUse::reads, place, name, pointer, extent, when);
  }
  void writes(int place, const char* name, const void* pointer, const Extent& extent) {
    memory(MemoryUse::writes, place, name, pointer, extent);
  }
  void updates(int place, const char* name, const void* pointer, const Extent& extent,
               Use::When when = Use::always) {
    memory(MemoryUse::updates, place, name, pointer, extent, when);
  }
  // One triangle of a square matrix, the diagonal included: the other is not touched.
  void triangle(MemoryUse::Kind kind, int place, const char* name, const void* pointer,
                cublasFillMode_t fill, std::size_t size, std::size_t leading,
                std::size_t element_bytes, Use::When when);
  // Where a call puts one number: on the host, which then waits, or on the device.
  void result(int place, const char* name, const void* pointer, std::size_t bytes);

  // The work is given alpha and beta (1 and 1 where there are none).
  cublasStatus_t submit(cudaStream_t stream, const Scalar& alpha, const Scalar& beta,
                        std::function<void(double alpha, double beta)> work);
  cublasStatus_t submit(cudaStream_t stream, std::function<void()> work);

 private:
  bool reachable(int place, const char* name, const void* pointer, const Extent& extent);
  cublasStatus_t put(cudaStream_t stream, std::vector<MemoryUse> uses, std::function<void()> work);

  const char* function_;
  __simulator::__Where where_;
  cublasHandle_t handle_ = nullptr;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
  bool host_waits_ = false;
  std::vector<Use> uses_;
};

// Whether the handle is one, and not destroyed.
bool is_handle(cublasHandle_t handle);

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_CALL_H_
