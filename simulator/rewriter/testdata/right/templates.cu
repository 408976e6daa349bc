// Templates over sizes and types, with device functions that depend on them.

template <typename T>
struct Traits {
  static constexpr int width = 4;
  __device__ static T zero() { return T(0); }
};
template <>
struct Traits<double> {
  static constexpr int width = 2;
  __device__ static double zero() { return 0; }
};

template <typename T, int N>
struct Vector {
  T values[N];
  __host__ __device__ T& operator[](int i) { return values[i]; }
  __host__ __device__ constexpr int size() const { return N; }
};

template <typename T, int N = Traits<T>::width>
__global__ void __launch_bounds__(128, 2) load(const T* __restrict__ x, T* y) {
  Vector<T, N> v;
#pragma unroll
  for (int i = 0; i < N; ++i) v[i] = x[threadIdx.x * N + i];
  T sum = Traits<T>::zero();
  for (int i = 0; i < v.size(); ++i) sum += v[i];
  y[threadIdx.x] = sum;
}

template <typename T>
class Layer {
 public:
  explicit Layer(int n) : n_(n) { cudaMalloc(&x_, n * sizeof(T)); }
  ~Layer() { cudaFree(x_); }
  void forward(T* y) const { load<T><<<1, n_ / Traits<T>::width>>>(x_, y); }
  template <int N>
  void forward_with(T* y) const {
    load<T, N><<<1, n_ / N>>>(x_, y);
  }

 private:
  int n_;
  T* x_;
};

void run(float* y, double* z) {
  Layer<float> layer(128);
  layer.forward(y);
  layer.forward_with<2>(y);
  Layer<double>(64).forward(z);
}
