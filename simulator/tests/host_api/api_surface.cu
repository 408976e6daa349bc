// File: api_surface.cu
//
// Calls every function of the host API at least once, with CUDA's argument types: in the form of
// CUDA 13, and, where only the simulator has it still, in the older one. Compiled by the simulator
// (api_surface_test.cc) and by nvcc (nvcc -std=c++20 -arch=sm_80 -c), which shows that the names
// and signatures of both agree.

#include <cuda_runtime.h>

#include <cstddef>

// nvcc 13 has only the newer form of some calls; the simulator has both.
#ifdef __NVCC__
#define OLDER(...)
#else
#define OLDER(...) __VA_ARGS__
#endif

__constant__ float surface_constant[4];
__device__ int surface_variable;
__global__ void surface_kernel(float* values, int n) { values[0] = static_cast<float>(n); }
template <typename T>
__global__ void surface_template(T* values, T value) {
  values[0] = value;
}

// How many calls did not succeed.
static int failures = 0;
static void expect(cudaError_t error) { failures += error != cudaSuccess; }

static void surface_of_devices() {
  int value = 0;
  int other = 0;
  unsigned flags = 0;
  std::size_t bytes = 0;
  char text[32];
  cudaDeviceProp properties;
  expect(cudaRuntimeGetVersion(&value));
  expect(cudaDriverGetVersion(&value));
  expect(cudaGetDeviceCount(&value));
  expect(cudaSetDevice(0));
  expect(cudaGetDevice(&value));
  expect(cudaInitDevice(0, 0, 0));
  expect(cudaSetValidDevices(&value, 1));
  expect(cudaGetDeviceProperties(&properties, 0));
  expect(cudaChooseDevice(&value, &properties));
  expect(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  expect(cudaDeviceGetPCIBusId(text, 32, 0));
  expect(cudaDeviceGetByPCIBusId(&value, text));
  expect(cudaSetDeviceFlags(cudaDeviceScheduleAuto | cudaDeviceMapHost));
  expect(cudaGetDeviceFlags(&flags));
  expect(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  expect(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  cudaFuncCache cache;
  expect(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  expect(cudaDeviceGetCacheConfig(&cache));
  OLDER(cudaSharedMemConfig banks;
        expect(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
        expect(cudaDeviceGetSharedMemConfig(&banks)); value = properties.clockRate;
        value = properties.memoryClockRate; value = properties.deviceOverlap;
        value = properties.computeMode; value = properties.kernelExecTimeoutEnabled;)
  expect(cudaDeviceGetStreamPriorityRange(&value, &other));
  expect(cudaDeviceCanAccessPeer(&value, 0, 0));
  (void)cudaDeviceEnablePeerAccess(1, 0);
  (void)cudaDeviceDisablePeerAccess(1);
  (void)cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1);
  expect(cudaCtxResetPersistingL2Cache());
  expect(cudaDeviceSynchronize());
  OLDER(expect(cudaThreadSynchronize()); expect(cudaThreadExit());)
  (void)cudaGetLastError();  // of the second device, which is not there
  expect(cudaPeekAtLastError());
  failures += cudaGetErrorName(cudaSuccess) == nullptr;
  failures += cudaGetErrorString(cudaSuccess) == nullptr;
}

static void surface_of_memory() {
  float* p = nullptr;
  void* v = nullptr;
  float host[64] = {};
  std::size_t pitch = 0;
  std::size_t total = 0;
  unsigned flags = 0;
  cudaStream_t stream = nullptr;
  expect(cudaStreamCreate(&stream));
  expect(cudaMalloc(&p, 256));
  expect(cudaMalloc((void**)&v, 256));
  expect(cudaMemset(p, 0, 256));
  expect(cudaMemsetAsync(p, 0, 256));
  expect(cudaMemsetAsync(p, 0, 256, stream));
  expect(cudaMemcpy(p, host, 256, cudaMemcpyHostToDevice));
  expect(cudaMemcpyAsync(v, p, 256, cudaMemcpyDeviceToDevice));
  expect(cudaMemcpyAsync(host, v, 256, cudaMemcpyDefault, stream));
  expect(cudaMemcpyPeer(v, 0, p, 0, 256));
  expect(cudaMemcpyPeerAsync(v, 0, p, 0, 256, stream));
  expect(cudaMemGetInfo(&pitch, &total));
  cudaPointerAttributes attributes;
  expect(cudaPointerGetAttributes(&attributes, p));
  failures += attributes.type != cudaMemoryTypeDevice;
  expect(cudaFree(v));
  expect(cudaFree(p));

  expect(cudaMallocPitch(&p, &pitch, 64, 4));
  expect(cudaMemcpy2D(p, pitch, host, 64, 64, 4, cudaMemcpyHostToDevice));
  expect(cudaMemcpy2DAsync(host, 64, p, pitch, 64, 4, cudaMemcpyDeviceToHost, stream));
  expect(cudaMemset2D(p, pitch, 0, 64, 4));
  expect(cudaMemset2DAsync(p, pitch, 0, 64, 4, stream));
  expect(cudaFree(p));
  cudaPitchedPtr volume;
  const cudaExtent extent = make_cudaExtent(16, 2, 2);
  expect(cudaMalloc3D(&volume, extent));
  expect(cudaMemset3D(volume, 0, extent));
  expect(cudaMemset3DAsync(volume, 0, extent, stream));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 16, 16, 2);
  copy.srcPos = make_cudaPos(0, 0, 0);
  copy.dstPtr = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  expect(cudaMemcpy3D(&copy));
  expect(cudaMemcpy3DAsync(&copy, stream));
  expect(cudaFree(volume.ptr));

  const cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0};
  expect(cudaMallocManaged(&p, 256));
  expect(cudaMemPrefetchAsync(p, 256, gpu, 0));
  expect(cudaMemPrefetchAsync(p, 256, gpu, 0, stream));
  expect(cudaMemAdvise(p, 256, cudaMemAdviseSetReadMostly, gpu));
  OLDER(expect(cudaMemPrefetchAsync(p, 256, 0)); expect(cudaMemPrefetchAsync(p, 256, 0, stream));
        expect(cudaMemAdvise(p, 256, cudaMemAdviseUnsetReadMostly, 0));)
  expect(cudaStreamAttachMemAsync(stream, p));
  expect(cudaFree(p));

  expect(cudaMallocHost(&p, 256));
  expect(cudaFreeHost(p));
  expect(cudaMallocHost((void**)&p, 256));
  expect(cudaFreeHost(p));
  expect(cudaHostAlloc(&p, 256, cudaHostAllocMapped | cudaHostAllocPortable));
  expect(cudaHostGetDevicePointer(&v, p, 0));
  expect(cudaHostGetFlags(&flags, p));
  expect(cudaFreeHost(p));
  expect(cudaHostRegister(host, sizeof(host), cudaHostRegisterDefault));
  expect(cudaHostUnregister(host));

  cudaMemPool_t pool;
  unsigned long long threshold = 0;
  expect(cudaDeviceGetDefaultMemPool(&pool, 0));
  expect(cudaDeviceSetMemPool(0, pool));
  expect(cudaDeviceGetMemPool(&pool, 0));
  expect(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  expect(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  expect(cudaMallocAsync(&p, 256, stream));
  expect(cudaFreeAsync(p, stream));
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = gpu;
  expect(cudaMemPoolCreate(&pool, &properties));
  expect(cudaMallocFromPoolAsync(&p, 256, pool, stream));
  expect(cudaFreeAsync(p, stream));
  expect(cudaMemPoolTrimTo(pool, 0));
  expect(cudaMemPoolDestroy(pool));

  expect(cudaMemcpyToSymbol(surface_constant, host, 16));
  expect(cudaMemcpyToSymbolAsync(surface_constant, host, 8, 8, cudaMemcpyHostToDevice, stream));
  expect(cudaMemcpyFromSymbol(host, surface_constant, 16));
  expect(cudaMemcpyFromSymbolAsync(host, surface_constant, 8, 8, cudaMemcpyDeviceToHost, stream));
  expect(cudaGetSymbolAddress(&v, surface_variable));
  expect(cudaGetSymbolAddress((void**)&p, surface_constant));
  expect(cudaGetSymbolSize(&total, surface_constant));
  expect(cudaStreamDestroy(stream));
}

static void CUDART_CB surface_callback(cudaStream_t, cudaError_t, void*) {}
static void CUDART_CB surface_host_function(void*) {}

static void surface_of_streams() {
  cudaStream_t stream;
  cudaStream_t other;
  cudaEvent_t start;
  cudaEvent_t end;
  unsigned flags = 0;
  int priority = 0;
  int device = 0;
  unsigned long long id = 0;
  float milliseconds = 0;
  expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  expect(cudaStreamCreateWithPriority(&other, cudaStreamDefault, -1));
  expect(cudaStreamGetFlags(stream, &flags));
  expect(cudaStreamGetPriority(other, &priority));
  expect(cudaStreamGetId(other, &id));
  expect(cudaStreamGetDevice(other, &device));
  expect(cudaEventCreate(&start));
  expect(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
  expect(cudaEventRecord(start));
  expect(cudaEventRecord(start, stream));
  expect(cudaEventRecordWithFlags(end, stream, cudaEventRecordDefault));
  expect(cudaStreamWaitEvent(other, end, 0));
  expect(cudaStreamWaitEvent(other, end));
  expect(cudaStreamAddCallback(stream, surface_callback, nullptr, 0));
  expect(cudaLaunchHostFunc(stream, surface_host_function, nullptr));
  expect(cudaStreamSynchronize(stream));
  expect(cudaStreamSynchronize(0));
  expect(cudaStreamSynchronize(cudaStreamLegacy));
  expect(cudaStreamSynchronize(cudaStreamPerThread));
  expect(cudaStreamQuery(stream));
  expect(cudaEventSynchronize(end));
  expect(cudaEventQuery(end));
  expect(cudaEventElapsedTime(&milliseconds, start, end));
  expect(cudaEventDestroy(start));
  expect(cudaEventDestroy(end));
  expect(cudaStreamDestroy(stream));
  expect(cudaStreamDestroy(other));
}

struct SurfaceSharedBytes {
  __host__ __device__ std::size_t operator()(int threads) const { return threads * sizeof(float); }
};

static void surface_of_kernels() {
  float* p = nullptr;
  int n = 3;
  int blocks = 0;
  int block_size = 0;
  std::size_t bytes = 0;
  const char* name = nullptr;
  expect(cudaMalloc(&p, 256));
  void* arguments[] = {&p, &n};
  expect(cudaLaunchKernel(surface_kernel, dim3(1), dim3(1), arguments));
  expect(cudaLaunchKernel((void*)surface_kernel, 1, 1, arguments, 0, 0));
  expect(cudaLaunchKernel((const void*)surface_template<int>, dim3(1), dim3(1), arguments, 0,
                          nullptr));
  expect(cudaLaunchCooperativeKernel(surface_kernel, dim3(1), dim3(1), arguments));
  expect(cudaLaunchCooperativeKernel((void*)surface_kernel, dim3(1), dim3(1), arguments, 0, 0));
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = 0;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(1);
  configuration.blockDim = dim3(1);
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  expect(cudaLaunchKernelEx(&configuration, surface_kernel, p, 3));
  expect(cudaLaunchKernelExC(&configuration, (const void*)surface_kernel, arguments));
  cudaFuncAttributes attributes;
  expect(cudaFuncGetAttributes(&attributes, surface_kernel));
  expect(cudaFuncGetAttributes(&attributes, (const void*)surface_template<float>));
  expect(cudaFuncGetName(&name, (const void*)surface_kernel));
  expect(cudaFuncSetAttribute(surface_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  expect(cudaFuncSetAttribute(surface_template<float>,
                              cudaFuncAttributePreferredSharedMemoryCarveout,
                              cudaSharedmemCarveoutMaxShared));
  expect(cudaFuncSetCacheConfig(surface_kernel, cudaFuncCachePreferShared));
  OLDER(expect(cudaFuncSetSharedMemConfig(surface_kernel, cudaSharedMemBankSizeEightByte));)
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, surface_kernel, 128, 0));
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, surface_kernel, 128, 0,
                                                                cudaOccupancyDefault));
  expect(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, surface_kernel, 2, 128));
  expect(cudaOccupancyMaxPotentialBlockSize(&blocks, &block_size, surface_kernel));
  expect(cudaOccupancyMaxPotentialBlockSize(&blocks, &block_size, surface_template<float>, 0, 512));
  expect(cudaOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &block_size, surface_kernel, 0, 0,
                                                     cudaOccupancyDefault));
  const SurfaceSharedBytes shared_bytes;
  expect(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &block_size, surface_kernel,
                                                        shared_bytes));
  expect(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      &blocks, &block_size, surface_kernel, shared_bytes, 0, cudaOccupancyDefault));
  expect(cudaDeviceSynchronize());
  expect(cudaFree(p));
}

static void surface_of_graphs() {
  float* p = nullptr;
  float host[4] = {};
  int n = 3;
  std::size_t count = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraph_t clone;
  cudaGraphExec_t executable;
  cudaGraphNode_t nodes[7];
  expect(cudaMalloc(&p, 256));
  expect(cudaStreamCreate(&stream));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  expect(cudaThreadExchangeStreamCaptureMode(&mode));
  expect(cudaThreadExchangeStreamCaptureMode(&mode));
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  expect(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  expect(cudaStreamIsCapturing(stream, &status));
  expect(cudaStreamGetCaptureInfo(stream, &status, &id));
  expect(cudaMemsetAsync(p, 0, 16, stream));
  expect(cudaStreamEndCapture(stream, &graph));
  expect(cudaGraphDestroy(graph));

  expect(cudaGraphCreate(&graph, 0));
  expect(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0));
  void* arguments[] = {&p, &n};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)surface_kernel;
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  expect(cudaGraphAddKernelNode(&nodes[1], graph, nodes, 1, &kernel));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(p, 16, 4, 1);
  copy.dstPtr = make_cudaPitchedPtr(host, 16, 4, 1);
  copy.extent = make_cudaExtent(16, 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  expect(cudaGraphAddMemcpyNode(&nodes[2], graph, nullptr, 0, &copy));
  expect(
      cudaGraphAddMemcpyNode1D(&nodes[3], graph, nullptr, 0, host, p, 16, cudaMemcpyDeviceToHost));
  cudaMemsetParams fill = {};
  fill.dst = p;
  fill.elementSize = 4;
  fill.width = 4;
  fill.height = 1;
  expect(cudaGraphAddMemsetNode(&nodes[4], graph, nullptr, 0, &fill));
  cudaHostNodeParams host_node = {};
  host_node.fn = surface_host_function;
  expect(cudaGraphAddHostNode(&nodes[5], graph, nullptr, 0, &host_node));
  expect(cudaGraphClone(&clone, graph));
  expect(cudaGraphAddChildGraphNode(&nodes[6], graph, nullptr, 0, clone));
  expect(cudaGraphAddDependencies(graph, &nodes[1], &nodes[2], nullptr, 1));
  OLDER(expect(cudaGraphAddDependencies(graph, &nodes[1], &nodes[3], 1));
        expect(cudaGraphGetEdges(graph, nullptr, nullptr, &count));)
  cudaGraphNodeType type;
  expect(cudaGraphNodeGetType(nodes[1], &type));
  expect(cudaGraphGetNodes(graph, nullptr, &count));
  expect(cudaGraphGetRootNodes(graph, nullptr, &count));
  expect(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  expect(cudaGraphInstantiate(&executable, graph));
  expect(cudaGraphExecDestroy(executable));
  expect(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  OLDER(expect(cudaGraphExecDestroy(executable));
        expect(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));)
  expect(cudaGraphExecKernelNodeSetParams(executable, nodes[1], &kernel));
  expect(
      cudaGraphExecMemcpyNodeSetParams1D(executable, nodes[3], host, p, 8, cudaMemcpyDeviceToHost));
  expect(cudaGraphExecMemsetNodeSetParams(executable, nodes[4], &fill));
  expect(cudaGraphUpload(executable, stream));
  expect(cudaGraphLaunch(executable, stream));
  cudaGraphExecUpdateResultInfo info;
  expect(cudaGraphExecUpdate(executable, graph, &info));
  OLDER(cudaGraphNode_t error_node; cudaGraphExecUpdateResult update_result;
        expect(cudaGraphExecUpdate(executable, graph, &error_node, &update_result));)
  expect(cudaStreamSynchronize(stream));
  expect(cudaGraphExecDestroy(executable));
  expect(cudaGraphDestroy(clone));
  expect(cudaGraphDestroy(graph));
  expect(cudaStreamDestroy(stream));
  expect(cudaFree(p));
  expect(cudaDeviceReset());
}

// Returns how many calls failed.
int surface_of_the_host_api() {
  surface_of_devices();
  surface_of_memory();
  surface_of_streams();
  surface_of_kernels();
  surface_of_graphs();
  return failures;
}
