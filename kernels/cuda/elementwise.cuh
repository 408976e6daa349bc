// File: elementwise.cuh
//
// Functions of one or two numbers, applied to whole buffers: lessons 05.1 and 06.1, 16 bytes a
// thread. A function is a type with static members:
//
//   struct Twice {
//     __device__ static float value(float x) { return 2 * x; }
//   };
//   const Split split = split_of<float>(count, {x, y});
//   map_kernel<Twice><<<split.blocks(), kElementwiseThreads, 0, launch.stream>>>(
//       x, y, split.packs, count);
//
// Each buffer is read or written once, so `bytes of the numbers` * buffers move and nothing else.

#ifndef ANDREA_KERNELS_CUDA_ELEMENTWISE_CUH_
#define ANDREA_KERNELS_CUDA_ELEMENTWISE_CUH_

#include <cstdint>
#include <initializer_list>

#include "kernels/cuda/vector.cuh"

namespace andrea::cuda {

inline constexpr int kElementwiseThreads = 256;

// Threads 0 .. packs - 1 have 16 bytes each, the others a number each.
struct Split {
  std::int64_t packs;    // of 16 bytes
  std::int64_t threads;  // of the whole grid

  // Of kElementwiseThreads.
  unsigned blocks() const {
    return static_cast<unsigned>((threads + kElementwiseThreads - 1) / kElementwiseThreads);
  }
};

// All in packs but a rest, or none if one of the pointers is no multiple of 16.
template <typename Number>
Split split_of(std::int64_t count, std::initializer_list<const void*> pointers) {
  std::int64_t packs = count / kPacked<Number>;
  for (const void* const pointer : pointers) {
    if (!is_aligned(pointer)) packs = 0;
  }
  return {packs, packs + (count - packs * kPacked<Number>)};
}

// The thread's place among all of a one-dimensional grid.
__device__ inline std::int64_t thread_number() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// y = f(x). The buffers may be one.
template <typename Function, typename Number>
__global__ void map_kernel(const Number* x,  // [count]
                           Number* y,        // [count]
                           std::int64_t packs, std::int64_t count) {
  const std::int64_t thread = thread_number();
  if (thread < packs) {
    Packed<Number> numbers = load_packed(x + thread * kPacked<Number>);
    for (Number& number : numbers.values) {
      number = from_float<Number>(Function::value(to_float(number)));
    }
    store_packed(y + thread * kPacked<Number>, numbers);
    return;
  }
  const std::int64_t i = packs * kPacked<Number> + (thread - packs);
  if (i < count) y[i] = from_float<Number>(Function::value(to_float(x[i])));
}

// out = f(a, b). `out` may be either.
template <typename Function, typename Number>
__global__ void map_pairs_kernel(const Number* a,  // [count]
                                 const Number* b,  // [count]
                                 Number* out,      // [count]
                                 std::int64_t packs, std::int64_t count) {
  const std::int64_t thread = thread_number();
  if (thread < packs) {
    Packed<Number> numbers = load_packed(a + thread * kPacked<Number>);
    const Packed<Number> others = load_packed(b + thread * kPacked<Number>);
    for (int k = 0; k < kPacked<Number>; ++k) {
      numbers.values[k] = from_float<Number>(
          Function::value(to_float(numbers.values[k]), to_float(others.values[k])));
    }
    store_packed(out + thread * kPacked<Number>, numbers);
    return;
  }
  const std::int64_t i = packs * kPacked<Number> + (thread - packs);
  if (i < count) out[i] = from_float<Number>(Function::value(to_float(a[i]), to_float(b[i])));
}

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_ELEMENTWISE_CUH_
