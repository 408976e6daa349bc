// From float to bf16.
//
// The ladder starts at lesson 07's 07.8, where a step of AdamW writes a working copy of the
// weights in bf16, each number by itself. Here the copy is made once a step for the whole buffer, 8
// numbers a thread: 6 bytes a number, which is the least there is, 0.6 GB for ANDREA-120M.
//
// A number lies between two bf16, which are the upper half of its bits and the next; the lower half
// says in 65,536ths how far it is on the way to the upper one. So 16 random bits, added before the
// lower half is cut off, carry over into the upper half with just the probability wanted, and never
// where the lower half is zero.
//
// The random bits are those of Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): a function of a
// counter and a key, without a state, 128 bits for 8 numbers. Its 20 products of 32 bits a thread
// take half of the time that memory needs.

#include <cstdint>

#include "kernels/cuda/number.cuh"
#include "kernels/cuda/rounding.h"
#include "kernels/cuda/vector.cuh"
#include "kernels/cuda_check.h"

namespace andrea::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kAtOnce = 8;  // numbers of a thread

// ---- The dice.

struct Dice {
  std::uint32_t words[4];

  // The 16 bits for number k of the eight.
  __device__ std::uint32_t bits(int k) const { return words[k / 2] >> (k % 2 * 16) & 0xffffu; }
};

// Philox4x32-10 with the constants of its authors. The key is the seed, the counter the place and
// the step.
__device__ Dice throw_dice(std::uint64_t seed, std::uint64_t step, std::uint64_t place) {
  constexpr std::uint32_t kFactor0 = 0xD2511F53u, kFactor1 = 0xCD9E8D57u;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9u, kWeyl1 = 0xBB67AE85u;
  auto key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
  auto a = static_cast<std::uint32_t>(place), b = static_cast<std::uint32_t>(place >> 32);
  auto c = static_cast<std::uint32_t>(step), d = static_cast<std::uint32_t>(step >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{kFactor0} * a;
    const std::uint64_t product1 = std::uint64_t{kFactor1} * c;
    a = static_cast<std::uint32_t>(product1 >> 32) ^ b ^ key0;
    b = static_cast<std::uint32_t>(product1);
    c = static_cast<std::uint32_t>(product0 >> 32) ^ d ^ key1;
    d = static_cast<std::uint32_t>(product0);
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return {{a, b, c, d}};
}

// ---- One number.

__device__ __nv_bfloat16 rounded_at_random(float number, std::uint32_t bits) {
  constexpr std::uint32_t kSign = 0x80000000u, kInfinity = 0x7F800000u, kLargest = 0x7F7Fu;
  const std::uint32_t from = __float_as_uint(number), magnitude = from & ~kSign;
  if (magnitude >= kInfinity) return __float2bfloat16(number);
  const std::uint32_t to = min((magnitude + bits) >> 16, kLargest);
  return __ushort_as_bfloat16(static_cast<unsigned short>(to | (from & kSign) >> 16));
}

// ---- Whole buffers: a thread has numbers 8 i .. 8 i + 7, the last fewer.

template <bool kAtRandom>
__global__ void __launch_bounds__(kThreads)
    round_kernel(const float* from, __nv_bfloat16* to, std::int64_t count,
                 const StepScalars* scalars) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t first = thread * kAtOnce;
  if (first >= count) return;
  const bool whole = first + kAtOnce <= count;
  Vector<float, 4> numbers[2] = {};
  if (whole) {
    numbers[0] = load_vector<4>(from + first, 0);
    numbers[1] = load_vector<4>(from + first, 1);
  } else {
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (first + k < count) numbers[k / 4].values[k % 4] = from[first + k];
    }
  }
  Dice dice = {};
  if (kAtRandom) {
    dice = throw_dice(scalars->seed, static_cast<std::uint64_t>(scalars->step),
                      static_cast<std::uint64_t>(thread));
  }
  Vector<__nv_bfloat16, kAtOnce> rounded;
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) {
    const float number = numbers[k / 4].values[k % 4];
    rounded.values[k] =
        kAtRandom ? rounded_at_random(number, dice.bits(k)) : __float2bfloat16(number);
  }
  if (whole) {
    store_vector(to + first, 0, rounded);
  } else {
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (first + k < count) to[first + k] = rounded.values[k];
    }
  }
}

template <bool kAtRandom>
void round_all(const float* from, __nv_bfloat16* to, std::int64_t count, const StepScalars* scalars,
               const Launch& launch) {
  constexpr std::int64_t kShare = std::int64_t{kThreads} * kAtOnce;
  const auto blocks = static_cast<unsigned>((count + kShare - 1) / kShare);
  round_kernel<kAtRandom><<<blocks, kThreads, 0, launch.stream>>>(from, to, count, scalars);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void round_to_nearest(const float* from, __nv_bfloat16* to, std::int64_t count,
                      const Launch& launch) {
  round_all<false>(from, to, count, nullptr, launch);
}

void round_at_random(const float* from, __nv_bfloat16* to, std::int64_t count,
                     const StepScalars* scalars, const Launch& launch) {
  round_all<true>(from, to, count, scalars, launch);
}

}  // namespace andrea::cuda
