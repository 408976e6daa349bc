// Streams and events around kernels.

#include <array>
#include <chrono>
#include <cstdio>
#include <vector>

__global__ void work(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

static void CUDART_CB finished(void* data) { std::puts(static_cast<const char*>(data)); }

int main() {
  constexpr int kStreams = 4;
  std::array<cudaStream_t, kStreams> streams;
  std::vector<float*> buffers(kStreams);
  const int n = 1 << 16;
  float* host = nullptr;
  cudaMallocHost(&host, kStreams * n * sizeof(float));
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  for (int s = 0; s < kStreams; ++s) {
    cudaStreamCreate(&streams[s]);
    cudaMalloc(&buffers[s], n * sizeof(float));
    cudaMemcpyAsync(buffers[s], host + s * n, n * sizeof(float), cudaMemcpyHostToDevice, streams[s]);
    work<<<(n + 255) / 256, 256, 0, streams[s]>>>(buffers[s], n);
    static char text[] = "done";
    cudaLaunchHostFunc(streams[s], finished, text);
  }
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, stop);
  std::printf("%.3f ms\n", milliseconds);
  for (auto& stream : streams) cudaStreamDestroy(stream);
  return 0;
}
