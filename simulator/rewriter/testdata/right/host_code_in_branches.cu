// One function for both sides, with code of its own for each.

#include <cstdio>
#include <cstdlib>
#include <algorithm>

int host_only(int a) { return rand() + a; }
__device__ int device_only(int a) { return threadIdx.x + a; }

__host__ __device__ int both(int a) {
#ifdef __CUDA_ARCH__
  return device_only(a);
#else
  return host_only(a);
#endif
}

__global__ void kernel(int* p) {
#if __CUDA_ARCH__ >= 700
  __nanosleep(10);
  *p = both(1);
#elif !defined(__CUDA_ARCH__)
  *p = host_only(1);
#else
  *p = 0;
#endif
}

__host__ __device__ inline void fail(const char* text) {
#if defined(__CUDA_ARCH__)
  printf("%s\n", text);
  __trap();
#else
  fprintf(stderr, "%s\n", text);
  exit(1);
#endif
}
