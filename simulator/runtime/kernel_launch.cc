#include "simulator/runtime/kernel_launch.h"

#include <cuda_runtime_api.h>

#include "simulator/runtime/block.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/kernel_symbol.h"
#include "simulator/runtime/launch_limits.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

[[noreturn]] void refuse_in_kernel(Block& block, const KernelLaunch& launch) {
  Report report;
  report.kind = "dynamic-parallelism";
  report.sentence = std::string("a kernel launches another one, ") + launch.name +
                    ": the simulator does not support dynamic parallelism";
  report.parties.push_back(
      party(block, block.current_thread(), "launches it", {launch.file, launch.line}));
  report.cause = "Launch the second kernel from the host, after the first one.";
  end_launch(block, cudaErrorNotSupported, report);
}

cudaError_t refuse_kernel(const char* function, __simulator::__Where where, cudaError_t error,
                          const std::string& what, const std::string& cause) {
  Refusal refusal;
  refusal.error = error;
  refusal.kind = "launch";
  refusal.sentence = std::string(function) + ' ' + what;
  refusal.did = "calls it";
  refusal.where = where;
  refusal.cause = cause;
  return refuse(refusal);
}

cudaError_t launch(const KernelWork& work) {
  const KernelLaunch& launch = work.launch;
  Block* const block = current_block();
  if (block != nullptr) refuse_in_kernel(*block, launch);
  if (const cudaError_t error = begin_call("a kernel launch", {launch.file, launch.line})) {
    return error;
  }
  if (const cudaError_t error = check_launch(launch)) return error;
  return enqueue(launch.stream, work, "a kernel launch", {launch.file, launch.line});
}

}  // namespace

cudaError_t read_launch(const cudaKernelNodeParams& parameters, const char* function,
                        __simulator::__Where where, KernelWork* work) {
  const KernelSymbol& symbol = kernel_symbol(parameters.func);
  if (parameters.func == nullptr || !symbol.parameters_known) {
    return refuse_kernel(function, where, cudaErrorInvalidDeviceFunction,
                         "is given an address at which no kernel begins whose parameters are known",
                         "Pass the kernel by its name, not cast to void*. A kernel must not be "
                         "extern \"C\" here, and the program must not be stripped of its symbols.");
  }
  if (parameters.extra != nullptr ||
      (parameters.kernelParams == nullptr && !symbol.parameters.empty())) {
    return refuse_kernel(function, where, cudaErrorInvalidValue,
                         "is given no array of the arguments' addresses", "");
  }
  std::string unknown;
  const std::shared_ptr<ErasedCall> call =
      make_erased_call(parameters.func, parameters.kernelParams, &unknown);
  if (call == nullptr) {
    return refuse_kernel(
        function, where, cudaErrorNotSupported,
        "cannot pass a " + unknown + " to " + symbol.name + ", which was cast to void*",
        "Of a kernel's address alone the simulator knows the sizes of pointers and "
        "numbers. Pass the kernel itself, or launch it with <<<...>>> (also in a "
        "capture), or give it a pointer to the struct.");
  }
  KernelLaunch& launch = work->launch;
  launch.name = symbol.name.c_str();
  launch.file = where.__file;
  launch.line = where.__line;
  launch.function = parameters.func;
  launch.grid = parameters.gridDim;
  launch.block = parameters.blockDim;
  launch.shared_bytes = parameters.sharedMemBytes;
  launch.body = &call_erased;
  launch.arguments = call.get();
  work->launch.argument_bytes = erased_call_bytes(*call);
  work->kept_arguments = call;
  work->kept_name = std::make_shared<const std::string>(symbol.name);
  return check_launch(launch);
}

namespace {

cudaError_t launch_erased(const cudaKernelNodeParams& parameters, cudaStream_t stream,
                          bool cooperative, const char* function, __simulator::__Where where) {
  if (const cudaError_t error = begin_call(function, where)) return error;
  KernelWork work;
  if (const cudaError_t error = read_launch(parameters, function, where, &work)) return error;
  work.launch.stream = stream;
  work.launch.cooperative = cooperative;
  return launch(work);
}

}  // namespace
}  // namespace simulator

namespace __simulator {

cudaError_t __launch_kernel(const __Call& call, const void* kernel, __Body body,
                            const void* arguments, std::size_t bytes, bool cooperative) {
  simulator::KernelWork work;
  simulator::KernelLaunch& launch = work.launch;
  launch.name =
      call.__name != nullptr ? call.__name : simulator::kernel_symbol(kernel).name.c_str();
  launch.file = call.__file;
  launch.line = call.__line;
  launch.function = kernel;
  launch.grid = call.__grid;
  launch.block = call.__block;
  launch.shared_bytes = call.__shared_bytes;
  launch.stream = call.__stream;
  launch.cooperative = cooperative;
  launch.body = body;
  launch.arguments = const_cast<void*>(arguments);
  work.launch.argument_bytes = bytes;
  return simulator::launch(work);
}

void __launch(const __Call& call, const void* kernel, __Body body, const void* arguments,
              std::size_t bytes) {
  // The error waits in cudaGetLastError.
  (void)__launch_kernel(call, kernel, body, arguments, bytes, false);
}

cudaError_t __read_configuration(const cudaLaunchConfig_t* configuration, __Call* call,
                                 bool* cooperative) {
  if (configuration == nullptr) return simulator::result(cudaErrorInvalidValue);
  call->__grid = configuration->gridDim;
  call->__block = configuration->blockDim;
  call->__shared_bytes = configuration->dynamicSmemBytes;
  call->__stream = configuration->stream;
  for (unsigned i = 0; i < configuration->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = configuration->attrs[i];
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeCooperative) {
      *cooperative = attribute.val.cooperative != 0;
    } else if (attribute.id == cudaLaunchAttributeClusterDimension &&
               cluster.x * cluster.y * cluster.z != 1) {
      return simulator::refuse_kernel(
          "cudaLaunchKernelEx", {call->__file, call->__line}, cudaErrorNotSupported,
          "asks for clusters of blocks, which the simulator does not have",
          "Launch the kernel without the attribute cudaLaunchAttributeClusterDimension.");
    }
    // The others are hints about priorities and caches.
  }
  return cudaSuccess;
}

}  // namespace __simulator

using __simulator::__Where;
using simulator::launch_erased;

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream, __Where where) {
  return launch_erased({const_cast<void*>(kernel), grid, block, static_cast<unsigned>(shared_bytes),
                        arguments, nullptr},
                       stream, false, "cudaLaunchKernel", where);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream, __Where where) {
  return launch_erased({const_cast<void*>(kernel), grid, block, static_cast<unsigned>(shared_bytes),
                        arguments, nullptr},
                       stream, true, "cudaLaunchCooperativeKernel", where);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* kernel,
                                void** arguments, __Where where) {
  __simulator::__Call call{};
  call.__file = where.__file;
  call.__line = where.__line;
  bool cooperative = false;
  if (const cudaError_t error =
          __simulator::__read_configuration(configuration, &call, &cooperative)) {
    return error;
  }
  return launch_erased({const_cast<void*>(kernel), call.__grid, call.__block,
                        static_cast<unsigned>(call.__shared_bytes), arguments, nullptr},
                       call.__stream, cooperative, "cudaLaunchKernelExC", where);
}
