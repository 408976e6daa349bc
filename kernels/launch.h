// File: launch.h
//
// What every operation of the contract takes as its last argument: where to run and what to use.
//
// The rules that all operations share:
// - Pointers are device pointers, row-major, one alphabet: B batch, T time, C width, H heads,
//   V vocabulary, L layers, N = B * T rows. A comment beside each pointer gives its shape.
// - An operation enqueues on `stream` and returns; the caller synchronises.
// - An output never aliases an input unless the header says that it may.
// - What forward keeps for backward lies in a `saved` buffer of `..._saved_bytes`, whose contents
//   are the implementation's own: forward, backward and sizes of an operation are swapped together.
// - Sizes must be positive; a caller that breaks a stated precondition gets undefined behaviour,
//   as with any CUDA library. Errors of the runtime end the program with CUDA_CHECK's message.

#ifndef ANDREA_KERNELS_LAUNCH_H_
#define ANDREA_KERNELS_LAUNCH_H_

#include <cuda_runtime.h>

#include <cstddef>

// The handle types exactly as cublas_v2.h and cublasLt.h declare them, so that operations without
// matrix products need neither header.
typedef struct cublasContext* cublasHandle_t;
typedef struct cublasLtContext* cublasLtHandle_t;

namespace andrea {

// Where an operation is enqueued, and with what it works.
struct Launch {
  cudaStream_t stream = nullptr;       // null: the default stream
  cublasHandle_t blas = nullptr;       // for operations with matrix products
  cublasLtHandle_t blas_lt = nullptr;  // for those with fused epilogues
  bool tf32 = false;  // products of floats may round their factors, as Precision::tf32 says

  // Working memory, free to overwrite, 256-byte aligned; at least the operation's
  // `..._scratch_bytes`. Its contents do not outlive the call.
  void* scratch = nullptr;
  std::size_t scratch_bytes = 0;
};

// Whether gradients of parameters replace what the buffer holds (the first micro-batch of a step)
// or are added to it (the later ones). Gradients of activations are always overwritten.
enum class Accumulate { overwrite, add };

// Sizes of buffers are rounded up to this, so that whatever follows in one buffer is aligned too.
inline constexpr std::size_t kAlignment = 256;

// `bytes`, rounded up to a multiple of kAlignment.
constexpr std::size_t align_up(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace andrea

#endif  // ANDREA_KERNELS_LAUNCH_H_
