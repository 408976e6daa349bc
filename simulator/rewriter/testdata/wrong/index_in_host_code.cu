// Where a thread is, asked by code that runs on no GPU.

#include <cstdio>

int first_element() { return blockIdx.x * blockDim.x; }  // finding (at link time): blockIdx exists in kernels only | blockDim exists in kernels only

template <typename T>
T own(const T* values) {
  return values[threadIdx.x];  // finding (at link time): threadIdx exists in kernels only
}

__global__ void k(int* p) { p[threadIdx.x] = 1; }

void barrier_on_host() {
  __syncthreads();  // finding: __syncthreads, which only device code can call
}

int main() {
  int* p = nullptr;
  k<<<1, 32>>>(p);
  const int values[1] = {3};
  std::printf("%u %d\n", gridDim.x, own(values));  // finding (at link time): gridDim exists in kernels only
  return first_element();
}
