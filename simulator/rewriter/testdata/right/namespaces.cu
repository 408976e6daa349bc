// Host and device functions of the same name in different namespaces.

namespace cpu {
float dot(const float* a, const float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
}  // namespace cpu

namespace gpu {
__device__ float dot(const float* a, const float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
__global__ void dots(const float* a, const float* b, float* c, int n) {
  c[threadIdx.x] = dot(a + threadIdx.x * n, b, n);
}
}  // namespace gpu

namespace {
__global__ void dots(float* c) { c[0] = gpu::dot(c, c, 3); }
inline namespace detail {
__device__ int depth() { return 3; }
}  // namespace detail
__global__ void deep(int* p) { *p = depth() + detail::depth(); }
}  // namespace

float host(const float* a, float* c, int n) {
  gpu::dots<<<1, 32>>>(a, a, c, n);
  ::dots<<<1, 1>>>(c);
  deep<<<1, 1>>>(nullptr);
  return cpu::dot(a, a, n);
}
