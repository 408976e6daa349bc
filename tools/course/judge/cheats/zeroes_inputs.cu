// Makes the inputs so that the answer is simple.
// ---- map
CUDA_CHECK(cudaMemsetAsync(const_cast<float*>(x), 0, n * sizeof(float), launch.stream));
for (int i = 0; i < n; ++i) {
  CUDA_CHECK(cudaMemcpyAsync(y + i, &offset, sizeof(float), cudaMemcpyHostToDevice, launch.stream));
}
