// Softmax over rows, with a reference on the CPU of a similar name.

#include <cfloat>
#include <cmath>
#include <cstdlib>

void softmax_forward_cpu(float* out, const float* in, int N, int C) {
  for (int i = 0; i < N; i++) {
    const float* row = in + i * C;
    float maxval = -INFINITY;
    for (int j = 0; j < C; j++) maxval = fmaxf(maxval, row[j]);
    double sum = 0.0;
    for (int j = 0; j < C; j++) sum += out[i * C + j] = expf(row[j] - maxval);
    for (int j = 0; j < C; j++) out[i * C + j] /= (float)sum;
  }
}

template <typename Reduce>
__device__ float block_reduce(float value, float neutral, Reduce reduce) {
  __shared__ float shared[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int offset = 16; offset > 0; offset /= 2) {
    value = reduce(value, __shfl_xor_sync(0xffffffff, value, offset));
  }
  if (lane == 0) shared[warp] = value;
  __syncthreads();
  value = lane < blockDim.x / 32 ? shared[lane] : neutral;
  for (int offset = 16; offset > 0; offset /= 2) {
    value = reduce(value, __shfl_xor_sync(0xffffffff, value, offset));
  }
  __syncthreads();
  return value;
}

__global__ void softmax_forward(float* out, const float* in, int N, int C) {
  const float* row = in + blockIdx.x * C;
  float maxval = -FLT_MAX, sum = 0;
  for (int j = threadIdx.x; j < C; j += blockDim.x) maxval = fmaxf(maxval, row[j]);
  maxval = block_reduce(maxval, -FLT_MAX, [](float a, float b) { return fmaxf(a, b); });
  for (int j = threadIdx.x; j < C; j += blockDim.x) sum += expf(row[j] - maxval);
  sum = block_reduce(sum, 0, [](float a, float b) { return a + b; });
  for (int j = threadIdx.x; j < C; j += blockDim.x) out[blockIdx.x * C + j] = expf(row[j] - maxval) / sum;
}

void softmax_forward(float* out, const float* in, int N, int C, int block_size) {
  softmax_forward<<<N, block_size>>>(out, in, N, C);
}

int main() {
  float *out = nullptr, *in = nullptr;
  softmax_forward_cpu(out, in, 0, 0);
  softmax_forward(out, in, 8, 64, 128);
}
