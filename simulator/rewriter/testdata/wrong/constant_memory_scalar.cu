// Writing __constant__ memory.

__constant__ float factor;

__global__ void kernel(float* x) {
  factor = x[0];  // finding: factor is __constant__
  ++factor;       // finding: factor is __constant__
}
