// Lambdas of the host around launches; device functions named in unevaluated places.

#include <algorithm>
#include <functional>
#include <vector>

__device__ float half_of(float a) { return a / 2; }
__device__ float weights[8];

__global__ void halve(float* x) { x[threadIdx.x] = half_of(x[threadIdx.x]) * weights[0]; }

template <typename F>
float time_of(F&& f) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  f();
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float time;
  cudaEventElapsedTime(&time, start, stop);
  return time;
}

template <typename T>
cudaError_t set(const T& symbol, const void* from, size_t bytes) {
  return cudaMemcpyToSymbol(symbol, from, bytes);
}

float host(float* x) {
  std::vector<std::function<void()>> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back([=] { halve<<<1, 32>>>(x + 32 * i); });
  std::sort(x, x, [](float a, float b) { return a < b; });
  using Result = decltype(half_of(1.0f));
  Result values[8] = {};
  set(weights, values, sizeof(weights));
  return time_of([&] { std::for_each(jobs.begin(), jobs.end(), [](auto& job) { job(); }); });
}
