#include "simulator/runtime/error.h"

#include <cuda_runtime_api.h>

#include <atomic>

#include "simulator/runtime/block.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/report.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
std::atomic<cudaError_t> sticky_error{cudaSuccess};

[[noreturn]] void refuse_in_kernel(Block& block, const char* function, __simulator::__Where where) {
  Report report;
  report.kind = "host-call";
  report.sentence = std::string(function) + " is a call of the host, and a kernel made it";
  report.parties.push_back(where.__file != nullptr
                               ? party(block, block.current_thread(), "calls it", where)
                               : party(block, block.current_thread(), "calls it"));
  report.cause =
      "Kernels cannot launch kernels, copy or allocate by the runtime's calls under the simulator; "
      "do it from the host.";
  end_launch(block, cudaErrorLaunchFailure, report);
}

// A function that cudaLaunchHostFunc put into a stream: CUDA may deadlock there.
cudaError_t refuse_in_stream(const char* function, __simulator::__Where where) {
  Refusal refusal;
  refusal.error = cudaErrorNotPermitted;
  refusal.kind = "host-call";
  refusal.sentence = std::string(function) + " is called by a function that runs in a stream";
  refusal.did = "calls it";
  refusal.where = where;
  refusal.cause = "Host functions and callbacks of a stream must not call CUDA.";
  return refuse(refusal);
}

}  // namespace

cudaError_t begin_call(const char* function, __simulator::__Where where) {
  Block* const block = current_block();
  if (block != nullptr) refuse_in_kernel(*block, function, where);
  if (running_operation() != nullptr) return refuse_in_stream(function, where);
  return result(sticky_error.load());
}

cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t launch_result(cudaError_t error) {
  if (error != cudaSuccess) {
    cudaError_t none = cudaSuccess;
    sticky_error.compare_exchange_strong(none, error);
  }
  return result(error);
}

cudaError_t refuse(const Refusal& refusal) {
  Report report;
  report.kind = refusal.kind;
  report.sentence = refusal.sentence;
  report.kernel = refusal.kernel;
  report.cause = refusal.cause;
  Party host;
  host.did = refusal.did;
  if (refusal.where.__file != nullptr) {
    host.lines.push_back({refusal.where.__file, refusal.where.__line, ""});
  }
  report.parties.push_back(host);
  publish(report);
  return result(refusal.error);
}

void forget_sticky_error() {
  sticky_error = cudaSuccess;
  last_error = cudaSuccess;
}

std::string place(const __simulator::__Where& where) {
  if (where.__file == nullptr) return "an unknown line";
  return place(SourceLine{where.__file, where.__line, ""});
}

}  // namespace simulator

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  simulator::last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  const cudaError_t sticky = simulator::sticky_error.load();
  return sticky != cudaSuccess ? sticky : simulator::last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define SIMULATOR_CASE(name, value, text) \
  case name:                              \
    return #name;
    __SIMULATOR_ERRORS(SIMULATOR_CASE)
#undef SIMULATOR_CASE
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define SIMULATOR_CASE(name, value, text) \
  case name:                              \
    return text;
    __SIMULATOR_ERRORS(SIMULATOR_CASE)
#undef SIMULATOR_CASE
  }
  return "unrecognized error code";
}
