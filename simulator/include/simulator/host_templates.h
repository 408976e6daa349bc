// File: simulator/host_templates.h
//
// The part of the runtime's host API that is templates: memory by a typed pointer's address,
// __device__ and __constant__ variables by their names, kernels as themselves.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_HOST_TEMPLATES_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_HOST_TEMPLATES_H_

#include <driver_types.h>
#include <simulator/launch.h>
#include <simulator/synchronization.h>

#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace __simulator {

// What cudaMemcpyToSymbol and its like do, for the variable of `__size` bytes.
cudaError_t __copy_to_symbol(const void* __symbol, size_t __size, const void* __from,
                             size_t __bytes, size_t __offset, cudaMemcpyKind __kind,
                             cudaStream_t __stream, bool __host_waits, __Where __where);
cudaError_t __copy_from_symbol(void* __to, const void* __symbol, size_t __size, size_t __bytes,
                               size_t __offset, cudaMemcpyKind __kind, cudaStream_t __stream,
                               bool __host_waits, __Where __where);
cudaError_t __symbol_address(void** __pointer, const void* __symbol, size_t __size);
cudaError_t __symbol_size(size_t* __bytes, size_t __size);

// A launch by a call that returns its error; otherwise as __launch.
cudaError_t __launch_kernel(const __Call& __call, const void* __kernel, __Body __body,
                            const void* __arguments, size_t __bytes, bool __cooperative);
// Sets what the attributes of the configuration ask for; an error where the simulator has it not.
cudaError_t __read_configuration(const cudaLaunchConfig_t* __configuration, __Call* __call,
                                 bool* __cooperative);

// The arguments come by their addresses.
template <typename... __P, size_t... __I>
cudaError_t __launch_by_addresses(const __Call& __call, void (*__kernel)(__P...),
                                  [[maybe_unused]] void** __addresses, bool __cooperative,
                                  std::index_sequence<__I...>) {
  using __Of = __Signature<__P...>;
  typename __Of::__Arguments __all;
  __all.__kernel = reinterpret_cast<void (*)(__Passed<__P>...)>(__kernel);
  (std::memcpy(&std::get<__I>(__all.__values), __addresses[__I], sizeof(__P)), ...);
  return __launch_kernel(__call, reinterpret_cast<const void*>(__kernel), &__Of::__run, &__all,
                         sizeof(__all), __cooperative);
}

// A configuration together with the line of the call that it is given to: a template's parameter
// pack leaves no room for a default argument.
struct __Configuration {
  const cudaLaunchConfig_t* __values;
  __Where __place;

  __Configuration(const cudaLaunchConfig_t* __given, __SIMULATOR_CALLER)
      : __values(__given), __place(__where) {}
};

}  // namespace __simulator

// Memory.

template <class __T>
cudaError_t cudaMalloc(__T** __pointer, size_t __bytes, __SIMULATOR_CALLER) {
  return cudaMalloc(reinterpret_cast<void**>(__pointer), __bytes, __where);
}
template <class __T>
cudaError_t cudaMallocManaged(__T** __pointer, size_t __bytes,
                              unsigned int __flags = cudaMemAttachGlobal, __SIMULATOR_CALLER) {
  return cudaMallocManaged(reinterpret_cast<void**>(__pointer), __bytes, __flags, __where);
}
template <class __T>
cudaError_t cudaMallocPitch(__T** __pointer, size_t* __pitch, size_t __width, size_t __height,
                            __SIMULATOR_CALLER) {
  return cudaMallocPitch(reinterpret_cast<void**>(__pointer), __pitch, __width, __height, __where);
}
template <class __T>
cudaError_t cudaMallocHost(__T** __pointer, size_t __bytes, unsigned int __flags = 0,
                           __SIMULATOR_CALLER) {
  return cudaHostAlloc(reinterpret_cast<void**>(__pointer), __bytes, __flags, __where);
}
template <class __T>
cudaError_t cudaHostAlloc(__T** __pointer, size_t __bytes, unsigned int __flags,
                          __SIMULATOR_CALLER) {
  return cudaHostAlloc(reinterpret_cast<void**>(__pointer), __bytes, __flags, __where);
}
template <class __T>
cudaError_t cudaHostGetDevicePointer(__T** __device_pointer, void* __host_pointer,
                                     unsigned int __flags, __SIMULATOR_CALLER) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(__device_pointer), __host_pointer,
                                  __flags, __where);
}
template <class __T>
cudaError_t cudaMallocAsync(__T** __pointer, size_t __bytes, cudaStream_t __stream,
                            __SIMULATOR_CALLER) {
  return cudaMallocAsync(reinterpret_cast<void**>(__pointer), __bytes, __stream, __where);
}
template <class __T>
cudaError_t cudaMallocFromPoolAsync(__T** __pointer, size_t __bytes, cudaMemPool_t __pool,
                                    cudaStream_t __stream, __SIMULATOR_CALLER) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void**>(__pointer), __bytes, __pool, __stream,
                                 __where);
}

// Variables of the device by name.

template <class __T>
cudaError_t cudaMemcpyToSymbol(const __T& __symbol, const void* __from, size_t __bytes,
                               size_t __offset = 0, cudaMemcpyKind __kind = cudaMemcpyHostToDevice,
                               __SIMULATOR_CALLER) {
  return __simulator::__copy_to_symbol(&__symbol, sizeof(__T), __from, __bytes, __offset, __kind,
                                       nullptr, true, __where);
}
template <class __T>
cudaError_t cudaMemcpyToSymbolAsync(const __T& __symbol, const void* __from, size_t __bytes,
                                    size_t __offset = 0,
                                    cudaMemcpyKind __kind = cudaMemcpyHostToDevice,
                                    cudaStream_t __stream = nullptr, __SIMULATOR_CALLER) {
  return __simulator::__copy_to_symbol(&__symbol, sizeof(__T), __from, __bytes, __offset, __kind,
                                       __stream, false, __where);
}
template <class __T>
cudaError_t cudaMemcpyFromSymbol(void* __to, const __T& __symbol, size_t __bytes,
                                 size_t __offset = 0,
                                 cudaMemcpyKind __kind = cudaMemcpyDeviceToHost,
                                 __SIMULATOR_CALLER) {
  return __simulator::__copy_from_symbol(__to, &__symbol, sizeof(__T), __bytes, __offset, __kind,
                                         nullptr, true, __where);
}
template <class __T>
cudaError_t cudaMemcpyFromSymbolAsync(void* __to, const __T& __symbol, size_t __bytes,
                                      size_t __offset = 0,
                                      cudaMemcpyKind __kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t __stream = nullptr, __SIMULATOR_CALLER) {
  return __simulator::__copy_from_symbol(__to, &__symbol, sizeof(__T), __bytes, __offset, __kind,
                                         __stream, false, __where);
}
template <class __P, class __T>
cudaError_t cudaGetSymbolAddress(__P** __pointer, const __T& __symbol) {
  return __simulator::__symbol_address(reinterpret_cast<void**>(__pointer), &__symbol, sizeof(__T));
}
template <class __T>
cudaError_t cudaGetSymbolSize(size_t* __bytes, const __T&) {
  return __simulator::__symbol_size(__bytes, sizeof(__T));
}

// Kernels.

template <class... __P>
cudaError_t cudaLaunchKernel(void (*__kernel)(__P...), dim3 __grid, dim3 __block,
                             void** __arguments, size_t __shared_bytes = 0,
                             cudaStream_t __stream = nullptr, __SIMULATOR_CALLER) {
  return __simulator::__launch_by_addresses(
      {nullptr, __grid, __block, __shared_bytes, __stream, __where.__file, __where.__line},
      __kernel, __arguments, false, std::index_sequence_for<__P...>{});
}
template <class... __P>
cudaError_t cudaLaunchCooperativeKernel(void (*__kernel)(__P...), dim3 __grid, dim3 __block,
                                        void** __arguments, size_t __shared_bytes = 0,
                                        cudaStream_t __stream = nullptr, __SIMULATOR_CALLER) {
  return __simulator::__launch_by_addresses(
      {nullptr, __grid, __block, __shared_bytes, __stream, __where.__file, __where.__line},
      __kernel, __arguments, true, std::index_sequence_for<__P...>{});
}
template <class... __P, class... __A>
cudaError_t cudaLaunchKernelEx(__simulator::__Configuration __configuration,
                               void (*__kernel)(__P...), __A&&... __arguments) {
  __simulator::__Call __call{};
  __call.__file = __configuration.__place.__file;
  __call.__line = __configuration.__place.__line;
  bool __cooperative = false;
  const cudaError_t __error =
      __simulator::__read_configuration(__configuration.__values, &__call, &__cooperative);
  if (__error != cudaSuccess) return __error;
  return [&](__P... __converted) {
    void* __addresses[] = {const_cast<void*>(static_cast<const void*>(&__converted))..., nullptr};
    return __simulator::__launch_by_addresses(__call, __kernel, __addresses, __cooperative,
                                              std::index_sequence_for<__P...>{});
  }(std::forward<__A>(__arguments)...);
}

template <class... __P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* __attributes, void (*__kernel)(__P...)) {
  return cudaFuncGetAttributes(__attributes, reinterpret_cast<const void*>(__kernel));
}
template <class... __P>
cudaError_t cudaFuncGetName(const char** __name, void (*__kernel)(__P...)) {
  return cudaFuncGetName(__name, reinterpret_cast<const void*>(__kernel));
}
template <class... __P>
cudaError_t cudaFuncSetAttribute(void (*__kernel)(__P...), cudaFuncAttribute __which, int __value,
                                 __SIMULATOR_CALLER) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(__kernel), __which, __value, __where);
}
template <class... __P>
cudaError_t cudaFuncSetCacheConfig(void (*__kernel)(__P...), cudaFuncCache __configuration) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(__kernel), __configuration);
}
template <class... __P>
cudaError_t cudaFuncSetSharedMemConfig(void (*__kernel)(__P...),
                                       cudaSharedMemConfig __configuration) {
  return cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(__kernel), __configuration);
}

// Occupancy.

template <class... __P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* __blocks, void (*__kernel)(__P...),
                                                          int __block_size, size_t __shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      __blocks, reinterpret_cast<const void*>(__kernel), __block_size, __shared_bytes);
}
template <class... __P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* __blocks,
                                                                   void (*__kernel)(__P...),
                                                                   int __block_size,
                                                                   size_t __shared_bytes,
                                                                   unsigned int __flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      __blocks, reinterpret_cast<const void*>(__kernel), __block_size, __shared_bytes, __flags);
}
template <class... __P>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* __shared_bytes,
                                                      void (*__kernel)(__P...), int __blocks,
                                                      int __block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(
      __shared_bytes, reinterpret_cast<const void*>(__kernel), __blocks, __block_size);
}

// The block size with which most threads are resident, the largest where several have that, and the
// number of blocks that fills the device with it.
template <class __SharedBytes, class __Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* __grid_size, int* __block_size,
                                                           __Kernel __kernel,
                                                           __SharedBytes __shared_bytes,
                                                           int __limit = 0) {
  if (__grid_size == nullptr || __block_size == nullptr) return cudaErrorInvalidValue;
  constexpr int __kWarp = 32;
  constexpr int __kMost = 1024;
  int __multiprocessors = 0;
  cudaError_t __error =
      cudaDeviceGetAttribute(&__multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  if (__error != cudaSuccess) return __error;
  const int __largest = __limit <= 0 || __limit > __kMost ? __kMost : __limit;
  int __most_threads = 0;
  for (int __size = __largest; __size > 0; __size = (__size - 1) / __kWarp * __kWarp) {
    int __blocks = 0;
    __error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&__blocks, __kernel, __size,
                                                            __shared_bytes(__size));
    if (__error != cudaSuccess) return __error;
    if (__blocks * __size <= __most_threads) continue;
    __most_threads = __blocks * __size;
    *__block_size = __size;
    *__grid_size = __blocks * __multiprocessors;
  }
  return __most_threads > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
template <class __SharedBytes, class __Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* __grid_size, int* __block_size, __Kernel __kernel, __SharedBytes __shared_bytes,
    int __limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(__grid_size, __block_size, __kernel,
                                                        __shared_bytes, __limit);
}
template <class __Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* __grid_size, int* __block_size,
                                               __Kernel __kernel, size_t __shared_bytes = 0,
                                               int __limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      __grid_size, __block_size, __kernel, [__shared_bytes](int) { return __shared_bytes; },
      __limit);
}
template <class __Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* __grid_size, int* __block_size,
                                                        __Kernel __kernel,
                                                        size_t __shared_bytes = 0, int __limit = 0,
                                                        unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(__grid_size, __block_size, __kernel, __shared_bytes,
                                            __limit);
}

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_HOST_TEMPLATES_H_
