// half, bfloat16 and vector loads.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void convert(const float* x, __half* h, __nv_bfloat16* b, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 >= n) return;
  float4 v = *reinterpret_cast<const float4*>(x + i);
  h[i] = __float2half(v.x);
  b[i] = __float2bfloat16(v.y);
  __half2 pair = __floats2half2_rn(v.z, v.w);
  *reinterpret_cast<__half2*>(h + i + 2) = __hadd2(pair, pair);
  float4* y = const_cast<float4*>(reinterpret_cast<const float4*>(x));
  y[0] = make_float4(__half2float(h[i]), __bfloat162float(b[i]), __low2float(pair), v.w);
}

float on_host(float a) { return __half2float(__float2half(a)) + __bfloat162float(__float2bfloat16(a)); }
