// Device code called from host functions.

__device__ float square(float a) { return a * a; }
__device__ __forceinline__ int lane() { return threadIdx.x % 32; }

float host(float a) {
  return square(a) + 1;  // finding: the host function host calls square, which is a __device__
}

void another(int* p) {
  p[0] = lane();  // finding: calls lane
  if (p[0]) {
    atomicAdd(p, 1);  // finding: calls atomicAdd, which only device code can call
  }
}

// Meant for the device, but not said so.
int warp_sum(int value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);  // finding: declare it __device__
  }
  __syncthreads();  // finding: declare it __device__
  return value;
}

int main() { return static_cast<int>(square(2)); }  // finding: calls square
