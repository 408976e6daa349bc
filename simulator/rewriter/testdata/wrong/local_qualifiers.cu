// Memory qualifiers on local variables.

__global__ void kernel(int* p) {
  __device__ int a;         // finding: cannot be local
  __constant__ float b[4];  // finding: a __constant__ variable exists once
  p[0] = a + static_cast<int>(b[0]);
}
