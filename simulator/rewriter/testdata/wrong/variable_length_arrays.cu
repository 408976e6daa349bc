// Arrays whose size only the launch tells.

__global__ void sum(const float* in, float* out, int n) {
  float values[n];  // finding: the size of values is known only when the kernel runs
  for (int i = 0; i < n; ++i) values[i] = in[i];
  out[0] = values[n - 1];
}

__global__ void of_block(float* out) {
  float values[2 * blockDim.x];  // finding: the size of values is known only when the kernel runs
  values[0] = 1.0f;
  out[0] = values[0];
}

__device__ float by_local(const float* in, unsigned n) {
  const int rows = n / 4;
  int columns = 4;
  double matrix[3][rows];  // finding: the size of matrix is known only when the kernel runs
  float row[columns + 1];  // finding: the size of row is known only when the kernel runs
  matrix[0][0] = row[0] = in[0];
  return matrix[0][0];
}
