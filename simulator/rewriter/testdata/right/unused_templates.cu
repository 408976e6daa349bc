// Templates that nobody uses and discarded branches: nvcc does not look into them.

int host_function(int a) { return a; }

template <typename T>
__global__ void never_launched(T* p) {
  *p = host_function(3);
}

template <bool on_host>
__host__ __device__ int choose(int a) {
  if constexpr (on_host) {
    return host_function(a);
  } else {
    return a;
  }
}

template <int N>
__global__ void chosen(int* p) {
  if constexpr (N > 3) *p = host_function(*p);
  *p = choose<false>(N) + sizeof(decltype(host_function(1)));
}

void host(int* p) { chosen<2><<<1, 1>>>(p); }
