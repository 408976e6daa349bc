// File: error.h
//
// Errors as the real runtime has them:
//
//   - Every call returns its error, and leaves it as the last error of the calling thread of the
//   host.
//     cudaGetLastError gives that and clears it; cudaPeekAtLastError leaves it.
//   - An error that ends a kernel (a wild pointer, a failed assert, a timeout and so on) is sticky:
//     every later call of any thread returns it, until cudaDeviceReset. Kernels run before their
//     launch returns, so it is there right after the launch, as with CUDA_LAUNCH_BLOCKING=1.
//
// Beginners do not look at errors. A call that is refused for a mistake of the program is therefore
// also told as a report; errors that a program may provoke on purpose (no memory left, a device
// that does not exist, a query) are not.

#ifndef ANDREA_SIMULATOR_RUNTIME_ERROR_H_
#define ANDREA_SIMULATOR_RUNTIME_ERROR_H_

#include <driver_types.h>
#include <simulator/synchronization.h>

#include <string>

namespace simulator {

// What each call of the API begins with: the sticky error, or cudaSuccess. A call from inside a
// kernel ends the launch with a report.
cudaError_t begin_call(const char* function, __simulator::__Where where = {nullptr, 0});

// Leaves an error as the thread's last one, and returns it.
cudaError_t result(cudaError_t error);

// The error of a launch that has run: sticky, if it is one.
cudaError_t launch_result(cudaError_t error);

struct Refusal {
  cudaError_t error = cudaErrorInvalidValue;  // what the call returns
  const char* kind = "";         // a word for programs: "launch", "copy", "free", "capture", ...
  std::string sentence;          // for the person at the terminal
  std::string did;               // what the host does on the line: "launches it"
  __simulator::__Where where{};  // where the call stands
  std::string cause;             // what the numbers were, and what they may be
  std::string kernel;            // that was to be launched, if any
};

// Publishes the report and returns result(error).
cudaError_t refuse(const Refusal& refusal);

// As cudaDeviceReset.
void forget_sticky_error();

// "matmul.cu:12", or "an unknown line".
std::string place(const __simulator::__Where& where);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_ERROR_H_
