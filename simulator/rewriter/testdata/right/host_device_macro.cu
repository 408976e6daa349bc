// Functions for both sides by a macro.

#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
#define DEVICE_INLINE __device__ __forceinline__

struct Complex {
  float re, im;
  HD Complex(float r, float i) : re(r), im(i) {}
  HD float norm() const { return re * re + im * im; }
  HD friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

HD inline int mandelbrot(Complex c, int most) {
  Complex z(0, 0);
  int n = 0;
  while (n < most && z.norm() < 4) {
    z = z * z;
    z.re += c.re;
    z.im += c.im;
    ++n;
  }
  return n;
}

DEVICE_INLINE float coordinate(int i, int n) { return 4.0f * i / n - 2; }

__global__ void render(int* image, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) image[y * n + x] = mandelbrot({coordinate(x, n), coordinate(y, n)}, 100);
}

int on_host(int x, int y) { return mandelbrot(Complex(x, y), 100); }
