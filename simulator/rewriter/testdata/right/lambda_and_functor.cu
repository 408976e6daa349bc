// Kernels over functors and lambdas inside device code.

struct Square {
  __device__ float operator()(float x) const { return x * x; }
};
struct Add {
  float amount;
  __host__ __device__ float operator()(float x) const { return x + amount; }
};

template <typename F>
__global__ void transform(float* x, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = f(x[i]);
}

__global__ void inner_lambda(float* x) {
  const auto clamp = [](float v) { return v < 0 ? 0 : v; };
  auto at = [&](int i) -> float& { return x[i]; };
  at(threadIdx.x) = clamp(at(threadIdx.x));
}

float clamp(float v) { return v; }

void host(float* x, int n) {
  transform<<<n, 1>>>(x, n, Square());
  transform<<<n, 1>>>(x, n, Add{3});
  transform<Square><<<n, 1>>>(x, n, {});
  auto launch = [&](int blocks) { inner_lambda<<<blocks, 32>>>(x); };
  launch(static_cast<int>(clamp(3)));
}
