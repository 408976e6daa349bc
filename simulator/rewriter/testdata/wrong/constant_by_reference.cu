// A constant of the host has a value in device code, and no address.

constexpr int kSize = 5;
const float kScale = 2.0f;

template <typename T>
__device__ const T& larger(const T& a, const T& b) {
  return a < b ? b : a;
}
__device__ float twice(const float& x) { return 2.0f * x; }

__global__ void k(int* p, float* q, const int** address) {
  *p = larger(kSize, *p);  // finding: kSize is a constant of the host
  *p += larger(*p, kSize);  // finding: kSize is a constant of the host
  *q = twice(kScale);  // finding: kScale is a constant of the host
  const int& size = kSize;  // finding: kSize is a constant of the host
  *address = &kSize;  // finding: kSize is a constant of the host
  *p += size;
}
