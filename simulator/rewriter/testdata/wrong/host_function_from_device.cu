// Host functions called from device code.

int plain(int a) { return a; }
template <typename T>
T plain_template(T a) {
  return a;
}
static inline float inline_helper(float a) { return a; }
namespace math {
float half_of(float a) { return a / 2; }
}  // namespace math

__device__ float on_device(float a) {
  return inline_helper(a);  // finding: calls inline_helper, which is a host function
}

__global__ void kernel(int* p) {
  int i = threadIdx.x;
  p[i] = plain(p[i]);                   // finding: the kernel kernel calls plain
  if (plain(1) > 2 || p[0]) p[0] += 1;  // finding: Declare plain as __device__
  p[0] = plain_template(p[0]);          // finding: calls plain_template
  p[1] = plain_template<int>(p[1]);     // finding: calls plain_template
}

template <typename T>
__global__ void used_template(T* p) {
  *p = plain(3);  // finding: calls plain
}

void host(int* p) {
  used_template<<<1, 1>>>(p);
  kernel<<<1, 1>>>(p);
}
