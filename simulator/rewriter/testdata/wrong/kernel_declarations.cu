// What no kernel can be.

__global__ int returns_int(int* p) { return *p; }       // finding: Declare returns_int as __global__ void
__global__ float* returns_pointer(float* p) { return p; }  // finding: a kernel returns nothing
template <typename T>
__global__ unsigned templated(T* p) {  // finding: a kernel returns nothing
  return 0;
}
__global__ __device__ void both(int* p) {}  // finding: __global__ cannot stand together with __device__
__host__ __global__ void hosted(int* p) {}  // finding: __global__ cannot stand together with __host__

struct Model {
  __global__ void forward(float* x) {}          // finding: cannot be a member
  static __global__ void backward(float* x) {}  // finding: Move backward out of the class
};

__global__ void variadic(int count, ...) {}  // finding: variable number of arguments

void host(int* p) { templated<<<1, 1>>>(p); }
