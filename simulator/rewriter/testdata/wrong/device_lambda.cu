// Lambdas for the device: nvcc wants --extended-lambda.

template <typename F>
__global__ void apply(float* x, F f) {
  x[threadIdx.x] = f(x[threadIdx.x]);
}

void host(float* x, float a) {
  apply<<<1, 32>>>(x, [=] __device__(float v) { return a * v; });  // finding: --extended-lambda
  auto f = [] __host__ __device__(float v) { return v; };          // finding: --extended-lambda
  apply<<<1, 32>>>(x, f);
}
