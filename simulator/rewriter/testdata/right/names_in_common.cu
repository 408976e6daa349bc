// Local names that are also names of host functions and variables.

#include <cmath>

int size = 3;
float scale = 2;
int count(int a) { return a; }
float apply(float a) { return a; }
double place;

template <typename F>
__device__ float twice(F apply, float x) {
  return apply(apply(x));
}

__global__ void kernel(float* x, int size, float scale) {
  auto count = [](int a) { return a + 1; };
  int a = 1, place = threadIdx.x;
  for (int i = 0, n = size; i < n; ++i) x[i] = scale * x[place] + count(i) + a;
  x[0] = twice([](float v) { return v * 2; }, x[1]);
}

struct Point {
  int size;
  __device__ int get() const { return size; }
};

__global__ void members(Point* p, Point q) {
  p->size = q.size;
  p[1] = Point{.size = 3};
}

void host(float* x) { kernel<<<count(1), size>>>(x, size, scale); }
