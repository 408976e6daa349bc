// Containers of the C++ library in device code. nvcc's errors are in the library's headers.

#include <functional>
#include <string>
#include <vector>

__global__ void kernel(int* p) {
  std::vector<int> v(3);    // finding (nvcc elsewhere): std::vector exists on the host only
  std::string s;            // finding (nvcc elsewhere): std::string exists on the host only
  std::function<int()> f;   // finding (nvcc elsewhere): std::function exists on the host only
  p[0] = 0;
}
