// Variables of the device in host code: nvcc warns, and the program computes nonsense.

__device__ int counter;
__device__ float sums[4];
__constant__ float factor;

int read() {
  counter = 0;          // finding (nvcc warns): cudaMemcpyToSymbol(counter, &value, sizeof(counter))
  sums[0] += 1;         // finding (nvcc warns): sums is in the device's memory
  int n = counter + 1;  // finding (nvcc warns): cudaMemcpyFromSymbol(&value, counter, sizeof(counter))
  float f = 2 + factor;  // finding (nvcc warns): factor is in the device's memory
  return n + (int)f;
}
