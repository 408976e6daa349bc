// __shared__ where it cannot be, and with what it cannot have.

struct Pair {
  int a, b;
};

__global__ void kernel(int* p) {
  __shared__ int sum = 0;                // finding: cannot have an initialiser
  __shared__ float tile[2] = {1, 2};     // finding: cannot have an initialiser
  static __shared__ int braces{};        // finding: cannot have an initialiser
  __shared__ Pair pair = {1, 2};         // finding: cannot have an initialiser
  p[0] = sum + static_cast<int>(tile[0]) + braces + pair.a;
}

template <typename T>
__global__ void templated(T* p) {
  __shared__ T sum = T(0);  // finding: cannot have an initialiser
  *p = sum;
}

void host(int* p) {
  __shared__ int buffer[32];  // finding: there is none in host
  p[0] = buffer[0];
  templated<<<1, 1>>>(p);
}

__host__ __device__ int of_both(int a) {
  __shared__ int buffer[32];  // finding: there is none in of_both, which the host may call
  return buffer[a];
}
