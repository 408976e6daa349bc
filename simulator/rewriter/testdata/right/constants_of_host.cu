// Constants of the host in device code, by value; arrays whose size the compiler knows; and names
// that only look like CUDA's.

#include <cstddef>

constexpr int kSize = 5;
const float kScale = 2.0f;

__device__ float half_of(float x) { return 0.5f * x; }
__device__ int larger(const int& a, const int& b) { return a < b ? b : a; }

template <int kRows, std::size_t... kOthers>
__global__ void use(float* out, int n) {
  constexpr int columns = kRows * 2;
  const int rows = kSize;
  float matrix[rows][columns];
  float copy[sizeof(n) * kSize];
  __shared__ float tile[kSize][kRows + 1];
  constexpr int own = kSize;
  tile[0][0] = half_of(kScale) + max(kSize, n) + fmaxf(kScale, 1.0f);
  matrix[0][0] = copy[0] = n > 3 ? kScale : tile[0][0];
  const float scale = kScale;
  const float& reference = scale;
  float* const pointer = &tile[0][own % kSize];
  out[n] = matrix[0][0] + reference + *pointer + larger(kSize + 0, n) + kSize;
}

int larger_on_host(const int& a, const int& b) { return a < b ? b : a; }

// On the host sizes may be what they are, and references too.
float on_host(int n) {
  float values[n];
  const int& size = kSize;
  const int* const address = &kSize;
  values[0] = static_cast<float>(larger_on_host(size, *address));
  return values[0];
}

struct Shape {
  dim3 blockDim;
  unsigned threads() const { return blockDim.x * blockDim.y; }
};

unsigned of_shape(const Shape& shape, dim3 gridDim) {
  const dim3 threadIdx(1, 2, 3);
  return shape.blockDim.x + gridDim.x + threadIdx.y;
}

void run(float* out) { use<3><<<1, 1>>>(out, 4); }
