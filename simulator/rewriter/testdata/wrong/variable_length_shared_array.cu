// An array in shared memory whose size only the launch tells.

__global__ void shared(float* out, int n) {
  __shared__ float values[n];  // finding: Declare it extern __shared__
  values[0] = 1.0f;
  out[0] = values[0];
}
