// Shared memory in every form that is allowed.

struct Pair {
  float a;
  int b;
};
template <typename T>
struct SharedMemory {
  __device__ operator T*() const {
    extern __shared__ int raw_memory[];
    return (T*)raw_memory;
  }
};

__device__ float* scratch() {
  static __shared__ float values[32];
  return values;
}

template <typename T>
__global__ void kernel(T* x) {
  T* s = SharedMemory<T>();
  __shared__ Pair pair;
  __shared__ alignas(16) float tile[4][8];
  __shared__ volatile int flag;
  __align__(16) __shared__ float4 vectors[8];
  __shared__ T first, second[2];
  if (threadIdx.x == 0) {
    pair = {1, 2};
    flag = 0;
    first = second[0] = x[0];
    vectors[0] = make_float4(1, 2, 3, 4);
  }
  __syncthreads();
  s[threadIdx.x] = first + tile[0][0] + pair.a + flag + vectors[0].x;
  x[threadIdx.x] = s[threadIdx.x] + scratch()[threadIdx.x];
}

void host(float* x, double* y) {
  kernel<<<1, 32, 32 * sizeof(float)>>>(x);
  kernel<<<1, 32, 32 * sizeof(double)>>>(y);
}
