// File: cuda_runtime_api.h
//
// The host's calls of the CUDA runtime, in CUDA 13's form and, where CUDA 13 changed a call, in the
// older one beside it.
//
// Every call does its work before it returns: a stream keeps an order, but nothing is ever under
// way. Errors are CUDA's (see simulator/runtime/error.h); in addition, a call that is refused for a
// mistake of the program is told on standard error with the line on which it is written, which is
// what the last parameters of many calls here are for (__SIMULATOR_CALLER; CUDA has none, programs
// give none).
//
// Not declared, so that a program that calls them does not compile: textures, surfaces and arrays,
// sharing between processes, virtual memory management, external memory and semaphores, display
// interoperation, modules and libraries of kernels, copies in batches, clusters.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_API_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_API_H_

#define __CUDA_RUNTIME_API_H__
#define CUDART_VERSION 13000

#include <driver_functions.h>
#include <driver_types.h>
#include <simulator/language.h>
#include <simulator/synchronization.h>

#define __SIMULATOR_CALLER ::__simulator::__Where __where = {__builtin_FILE(), __builtin_LINE()}

// Errors. The last error is one for each thread of the host.

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t __error);
const char* cudaGetErrorString(cudaError_t __error);

// The device: there is one, see simulator/runtime/device.h for which.

cudaError_t cudaRuntimeGetVersion(int* __version);
cudaError_t cudaDriverGetVersion(int* __version);
cudaError_t cudaGetDeviceCount(int* __count);
cudaError_t cudaSetDevice(int __device);
cudaError_t cudaGetDevice(int* __device);
cudaError_t cudaInitDevice(int __device, unsigned int __device_flags, unsigned int __flags);
cudaError_t cudaSetValidDevices(int* __devices, int __count);
cudaError_t cudaChooseDevice(int* __device, const cudaDeviceProp* __wanted);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* __properties, int __device);
cudaError_t cudaDeviceGetAttribute(int* __value, cudaDeviceAttr __which, int __device);
cudaError_t cudaDeviceGetP2PAttribute(int* __value, cudaDeviceP2PAttr __which, int __device,
                                      int __peer);
cudaError_t cudaDeviceGetPCIBusId(char* __text, int __length, int __device);
cudaError_t cudaDeviceGetByPCIBusId(int* __device, const char* __text);
cudaError_t cudaSetDeviceFlags(unsigned int __flags);
cudaError_t cudaGetDeviceFlags(unsigned int* __flags);
cudaError_t cudaDeviceSetLimit(cudaLimit __limit, size_t __value);
cudaError_t cudaDeviceGetLimit(size_t* __value, cudaLimit __limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache __configuration);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* __configuration);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig __configuration);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* __configuration);
cudaError_t cudaDeviceGetStreamPriorityRange(int* __least, int* __greatest);
cudaError_t cudaDeviceCanAccessPeer(int* __can, int __device, int __peer);
cudaError_t cudaDeviceEnablePeerAccess(int __peer, unsigned int __flags);
cudaError_t cudaDeviceDisablePeerAccess(int __peer);
cudaError_t cudaDeviceSynchronize(__SIMULATOR_CALLER);
cudaError_t cudaThreadSynchronize(__SIMULATOR_CALLER);
cudaError_t cudaDeviceReset(__SIMULATOR_CALLER);
cudaError_t cudaThreadExit(__SIMULATOR_CALLER);
cudaError_t cudaCtxResetPersistingL2Cache();

// Memory of the device and of both sides.

cudaError_t cudaMalloc(void** __pointer, size_t __bytes, __SIMULATOR_CALLER);
cudaError_t cudaFree(void* __pointer, __SIMULATOR_CALLER);
cudaError_t cudaMallocManaged(void** __pointer, size_t __bytes,
                              unsigned int __flags = cudaMemAttachGlobal, __SIMULATOR_CALLER);
cudaError_t cudaMallocPitch(void** __pointer, size_t* __pitch, size_t __width, size_t __height,
                            __SIMULATOR_CALLER);
cudaError_t cudaMalloc3D(cudaPitchedPtr* __pointer, cudaExtent __extent, __SIMULATOR_CALLER);
cudaError_t cudaMemGetInfo(size_t* __free, size_t* __total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* __attributes, const void* __pointer);
cudaError_t cudaMemPrefetchAsync(const void* __pointer, size_t __bytes, cudaMemLocation __location,
                                 unsigned int __flags, cudaStream_t __stream = nullptr,
                                 __SIMULATOR_CALLER);
cudaError_t cudaMemPrefetchAsync(const void* __pointer, size_t __bytes, int __device,
                                 cudaStream_t __stream = nullptr, __SIMULATOR_CALLER);
cudaError_t cudaMemAdvise(const void* __pointer, size_t __bytes, cudaMemoryAdvise __advice,
                          cudaMemLocation __location, __SIMULATOR_CALLER);
cudaError_t cudaMemAdvise(const void* __pointer, size_t __bytes, cudaMemoryAdvise __advice,
                          int __device, __SIMULATOR_CALLER);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, void* __pointer, size_t __bytes = 0,
                                     unsigned int __flags = cudaMemAttachSingle,
                                     __SIMULATOR_CALLER);

// Memory of the host that the device may reach. Its device pointer is the pointer itself.

cudaError_t cudaMallocHost(void** __pointer, size_t __bytes, __SIMULATOR_CALLER);
cudaError_t cudaHostAlloc(void** __pointer, size_t __bytes, unsigned int __flags,
                          __SIMULATOR_CALLER);
cudaError_t cudaFreeHost(void* __pointer, __SIMULATOR_CALLER);
cudaError_t cudaHostRegister(void* __pointer, size_t __bytes, unsigned int __flags,
                             __SIMULATOR_CALLER);
cudaError_t cudaHostUnregister(void* __pointer, __SIMULATOR_CALLER);
cudaError_t cudaHostGetDevicePointer(void** __device_pointer, void* __host_pointer,
                                     unsigned int __flags, __SIMULATOR_CALLER);
cudaError_t cudaHostGetFlags(unsigned int* __flags, void* __pointer);

// Allocation in the order of a stream. Pools are kept for their settings alone: memory that is
// freed goes back at once.

cudaError_t cudaMallocAsync(void** __pointer, size_t __bytes, cudaStream_t __stream,
                            __SIMULATOR_CALLER);
cudaError_t cudaMallocFromPoolAsync(void** __pointer, size_t __bytes, cudaMemPool_t __pool,
                                    cudaStream_t __stream, __SIMULATOR_CALLER);
cudaError_t cudaFreeAsync(void* __pointer, cudaStream_t __stream, __SIMULATOR_CALLER);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* __pool, int __device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* __pool, int __device);
cudaError_t cudaDeviceSetMemPool(int __device, cudaMemPool_t __pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* __pool, const cudaMemPoolProps* __properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t __pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t __pool, size_t __bytes);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t __pool, cudaMemPoolAttr __which, void* __value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t __pool, cudaMemPoolAttr __which, void* __value);

// Copies and fills. The two-dimensional forms move `height` rows of `width` bytes, whose starts are
// `pitch` bytes apart.

cudaError_t cudaMemcpy(void* __to, const void* __from, size_t __bytes, cudaMemcpyKind __kind,
                       __SIMULATOR_CALLER);
cudaError_t cudaMemcpyAsync(void* __to, const void* __from, size_t __bytes, cudaMemcpyKind __kind,
                            cudaStream_t __stream = nullptr, __SIMULATOR_CALLER);
cudaError_t cudaMemcpyPeer(void* __to, int __to_device, const void* __from, int __from_device,
                           size_t __bytes, __SIMULATOR_CALLER);
cudaError_t cudaMemcpyPeerAsync(void* __to, int __to_device, const void* __from, int __from_device,
                                size_t __bytes, cudaStream_t __stream = nullptr,
                                __SIMULATOR_CALLER);
cudaError_t cudaMemcpy2D(void* __to, size_t __to_pitch, const void* __from, size_t __from_pitch,
                         size_t __width, size_t __height, cudaMemcpyKind __kind,
                         __SIMULATOR_CALLER);
cudaError_t cudaMemcpy2DAsync(void* __to, size_t __to_pitch, const void* __from,
                              size_t __from_pitch, size_t __width, size_t __height,
                              cudaMemcpyKind __kind, cudaStream_t __stream = nullptr,
                              __SIMULATOR_CALLER);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* __copy, __SIMULATOR_CALLER);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* __copy, cudaStream_t __stream = nullptr,
                              __SIMULATOR_CALLER);
cudaError_t cudaMemset(void* __pointer, int __value, size_t __bytes, __SIMULATOR_CALLER);
cudaError_t cudaMemsetAsync(void* __pointer, int __value, size_t __bytes,
                            cudaStream_t __stream = nullptr, __SIMULATOR_CALLER);
cudaError_t cudaMemset2D(void* __pointer, size_t __pitch, int __value, size_t __width,
                         size_t __height, __SIMULATOR_CALLER);
cudaError_t cudaMemset2DAsync(void* __pointer, size_t __pitch, int __value, size_t __width,
                              size_t __height, cudaStream_t __stream = nullptr, __SIMULATOR_CALLER);
cudaError_t cudaMemset3D(cudaPitchedPtr __pointer, int __value, cudaExtent __extent,
                         __SIMULATOR_CALLER);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr __pointer, int __value, cudaExtent __extent,
                              cudaStream_t __stream = nullptr, __SIMULATOR_CALLER);

// Streams.

cudaError_t cudaStreamCreate(cudaStream_t* __stream, __SIMULATOR_CALLER);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* __stream, unsigned int __flags,
                                      __SIMULATOR_CALLER);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* __stream, unsigned int __flags,
                                         int __priority, __SIMULATOR_CALLER);
cudaError_t cudaStreamDestroy(cudaStream_t __stream, __SIMULATOR_CALLER);
cudaError_t cudaStreamSynchronize(cudaStream_t __stream, __SIMULATOR_CALLER);
cudaError_t cudaStreamQuery(cudaStream_t __stream, __SIMULATOR_CALLER);
cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event,
                                unsigned int __flags = 0, __SIMULATOR_CALLER);
cudaError_t cudaStreamAddCallback(cudaStream_t __stream, cudaStreamCallback_t __callback,
                                  void* __user_data, unsigned int __flags, __SIMULATOR_CALLER);
cudaError_t cudaLaunchHostFunc(cudaStream_t __stream, cudaHostFn_t __function, void* __user_data,
                               __SIMULATOR_CALLER);
cudaError_t cudaStreamGetFlags(cudaStream_t __stream, unsigned int* __flags, __SIMULATOR_CALLER);
cudaError_t cudaStreamGetPriority(cudaStream_t __stream, int* __priority, __SIMULATOR_CALLER);
cudaError_t cudaStreamGetId(cudaStream_t __stream, unsigned long long* __id, __SIMULATOR_CALLER);
cudaError_t cudaStreamGetDevice(cudaStream_t __stream, int* __device, __SIMULATOR_CALLER);

// Events.

cudaError_t cudaEventCreate(cudaEvent_t* __event, __SIMULATOR_CALLER);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* __event, unsigned int __flags,
                                     __SIMULATOR_CALLER);
cudaError_t cudaEventDestroy(cudaEvent_t __event, __SIMULATOR_CALLER);
cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream = nullptr,
                            __SIMULATOR_CALLER);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t __event, cudaStream_t __stream = nullptr,
                                     unsigned int __flags = 0, __SIMULATOR_CALLER);
cudaError_t cudaEventQuery(cudaEvent_t __event, __SIMULATOR_CALLER);
cudaError_t cudaEventSynchronize(cudaEvent_t __event, __SIMULATOR_CALLER);
// The time that the simulator took, which says nothing about a GPU.
cudaError_t cudaEventElapsedTime(float* __milliseconds, cudaEvent_t __start, cudaEvent_t __end,
                                 __SIMULATOR_CALLER);

// Kernels by address. A kernel that was cast to void* is called by the types that its symbol's name
// tells; one with a struct among its parameters must be passed as it is (see
// simulator/host_templates.h).

cudaError_t cudaLaunchKernel(const void* __kernel, dim3 __grid, dim3 __block, void** __arguments,
                             size_t __shared_bytes, cudaStream_t __stream, __SIMULATOR_CALLER);
cudaError_t cudaLaunchCooperativeKernel(const void* __kernel, dim3 __grid, dim3 __block,
                                        void** __arguments, size_t __shared_bytes,
                                        cudaStream_t __stream, __SIMULATOR_CALLER);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* __configuration, const void* __kernel,
                                void** __arguments, __SIMULATOR_CALLER);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* __attributes, const void* __kernel);
cudaError_t cudaFuncGetName(const char** __name, const void* __kernel);
cudaError_t cudaFuncSetAttribute(const void* __kernel, cudaFuncAttribute __which, int __value,
                                 __SIMULATOR_CALLER);
cudaError_t cudaFuncSetCacheConfig(const void* __kernel, cudaFuncCache __configuration);
cudaError_t cudaFuncSetSharedMemConfig(const void* __kernel, cudaSharedMemConfig __configuration);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* __blocks, const void* __kernel,
                                                          int __block_size, size_t __shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* __blocks,
                                                                   const void* __kernel,
                                                                   int __block_size,
                                                                   size_t __shared_bytes,
                                                                   unsigned int __flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* __shared_bytes, const void* __kernel,
                                                      int __blocks, int __block_size);

// Graphs. An edge's data, where given, must be all zero.

cudaError_t cudaStreamBeginCapture(cudaStream_t __stream, cudaStreamCaptureMode __mode,
                                   __SIMULATOR_CALLER);
cudaError_t cudaStreamEndCapture(cudaStream_t __stream, cudaGraph_t* __graph, __SIMULATOR_CALLER);
cudaError_t cudaStreamIsCapturing(cudaStream_t __stream, cudaStreamCaptureStatus* __status,
                                  __SIMULATOR_CALLER);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t __stream, cudaStreamCaptureStatus* __status,
                                     unsigned long long* __id = nullptr,
                                     cudaGraph_t* __graph = nullptr,
                                     const cudaGraphNode_t** __dependencies = nullptr,
                                     const cudaGraphEdgeData** __edges = nullptr,
                                     size_t* __count = nullptr, __SIMULATOR_CALLER);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* __mode);

cudaError_t cudaGraphCreate(cudaGraph_t* __graph, unsigned int __flags);
cudaError_t cudaGraphDestroy(cudaGraph_t __graph, __SIMULATOR_CALLER);
cudaError_t cudaGraphClone(cudaGraph_t* __clone, cudaGraph_t __graph, __SIMULATOR_CALLER);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                  const cudaGraphNode_t* __dependencies, size_t __count,
                                  __SIMULATOR_CALLER);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                   const cudaGraphNode_t* __dependencies, size_t __count,
                                   const cudaKernelNodeParams* __parameters, __SIMULATOR_CALLER);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                   const cudaGraphNode_t* __dependencies, size_t __count,
                                   const cudaMemcpy3DParms* __parameters, __SIMULATOR_CALLER);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                     const cudaGraphNode_t* __dependencies, size_t __count,
                                     void* __to, const void* __from, size_t __bytes,
                                     cudaMemcpyKind __kind, __SIMULATOR_CALLER);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                   const cudaGraphNode_t* __dependencies, size_t __count,
                                   const cudaMemsetParams* __parameters, __SIMULATOR_CALLER);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                 const cudaGraphNode_t* __dependencies, size_t __count,
                                 const cudaHostNodeParams* __parameters, __SIMULATOR_CALLER);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                       const cudaGraphNode_t* __dependencies, size_t __count,
                                       cudaGraph_t __child, __SIMULATOR_CALLER);
cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t* __from,
                                     const cudaGraphNode_t* __to, const cudaGraphEdgeData* __edges,
                                     size_t __count, __SIMULATOR_CALLER);
cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t* __from,
                                     const cudaGraphNode_t* __to, size_t __count,
                                     __SIMULATOR_CALLER);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t __node, cudaGraphNodeType* __type);
cudaError_t cudaGraphGetNodes(cudaGraph_t __graph, cudaGraphNode_t* __nodes, size_t* __count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t __graph, cudaGraphNode_t* __nodes, size_t* __count);
cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t* __from, cudaGraphNode_t* __to,
                              cudaGraphEdgeData* __edges, size_t* __count);
cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t* __from, cudaGraphNode_t* __to,
                              size_t* __count);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* __executable, cudaGraph_t __graph,
                                 unsigned long long __flags = 0, __SIMULATOR_CALLER);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* __executable, cudaGraph_t __graph,
                                 cudaGraphNode_t* __error_node, char* __log, size_t __log_bytes,
                                 __SIMULATOR_CALLER);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* __executable, cudaGraph_t __graph,
                                          unsigned long long __flags = 0, __SIMULATOR_CALLER);
cudaError_t cudaGraphUpload(cudaGraphExec_t __executable, cudaStream_t __stream,
                            __SIMULATOR_CALLER);
cudaError_t cudaGraphLaunch(cudaGraphExec_t __executable, cudaStream_t __stream,
                            __SIMULATOR_CALLER);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t __executable, __SIMULATOR_CALLER);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __executable, cudaGraph_t __graph,
                                cudaGraphExecUpdateResultInfo* __result, __SIMULATOR_CALLER);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __executable, cudaGraph_t __graph,
                                cudaGraphNode_t* __error_node, cudaGraphExecUpdateResult* __result,
                                __SIMULATOR_CALLER);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t __executable, cudaGraphNode_t __node,
                                             const cudaKernelNodeParams* __parameters,
                                             __SIMULATOR_CALLER);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t __executable, cudaGraphNode_t __node,
                                               void* __to, const void* __from, size_t __bytes,
                                               cudaMemcpyKind __kind, __SIMULATOR_CALLER);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t __executable, cudaGraphNode_t __node,
                                             const cudaMemsetParams* __parameters,
                                             __SIMULATOR_CALLER);

#include <simulator/host_templates.h>

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_API_H_
