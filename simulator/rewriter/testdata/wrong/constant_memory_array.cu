// Writing arrays of __constant__ memory: nvcc warns.

__constant__ float table[4];

__global__ void kernel(float* x) {
  table[threadIdx.x] = x[0];  // finding (nvcc warns): table is __constant__
}
