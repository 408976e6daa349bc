// constexpr functions of the host in device code: nvcc wants --expt-relaxed-constexpr.

#include <algorithm>
#include <limits>

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

__global__ void kernel(int* p, float* q) {
  p[0] = ceil_div(p[0], 32);                      // finding: --expt-relaxed-constexpr
  __shared__ int s[ceil_div(100, 32)];            // finding: --expt-relaxed-constexpr
  s[0] = std::max(p[0], p[1]);                    // finding: Use max without std::
  p[1] = std::min<int>(p[0], s[0]);               // finding: Use min without std::
  std::swap(p[0], p[1]);                          // finding: std::swap is a constexpr function
  q[0] = -std::numeric_limits<float>::infinity();  // finding: std::numeric_limits has constexpr
}
