// Kernels by pointer, and device functions by pointer.

typedef void (*Kernel)(float*, int);
using Operation = float (*)(float, float);

__global__ void twice(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= 2;
}
__global__ void negate(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= -1;
}
__device__ float add(float a, float b) { return a + b; }
__device__ Operation device_add = add;

__global__ void combine(float* x, Operation operation) { x[0] = operation(x[0], x[1]); }

static const Kernel kKernels[] = {twice, negate};

void run(Kernel kernel, float* x, int n) { kernel<<<1, n>>>(x, n); }

int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  for (Kernel kernel : kKernels) kernel<<<1, 32>>>(x, 32);
  run(twice, x, 32);
  run(&negate, x, 32);
  Operation operation;
  cudaMemcpyFromSymbol(&operation, device_add, sizeof(operation));
  combine<<<1, 1>>>(x, operation);
  void* arguments[] = {&x};
  cudaLaunchKernel((const void*)twice, dim3(1), dim3(32), arguments, 0, nullptr);
  cudaFuncSetAttribute(twice, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  return cudaDeviceSynchronize();
}
