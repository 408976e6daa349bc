// Kernels called like functions.

__global__ void scale(float* x, float factor) { x[threadIdx.x] *= factor; }
template <typename T>
__global__ void fill(T* x, T value) {
  x[threadIdx.x] = value;
}

int main() {
  float* x = nullptr;
  cudaMalloc(&x, 4);
  scale(x, 2);         // finding: scale is a kernel and is launched, not called
  fill<float>(x, 2);   // finding: fill is a kernel
  scale<<<1, 1>>>(x, 2);
  return 0;
}

__global__ void outer(float* x) {
  scale(x, 3);  // finding: write scale<<<blocks, threads_per_block>>>(arguments)
}
