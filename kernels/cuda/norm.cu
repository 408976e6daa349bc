// Layer norm over rows.
//
// The ladder, from lesson 04's kernels, as passes over memory of the N C numbers of a row's matrix:
//
//                                                      forward          backward
//   04.1-04.4  a warp a row, one number a load         3 reads, 1 write   6 reads, 1 write
//   04.5       16 bytes a load, the row in registers   1, 1               -
//   04.7       the residual sum fused with forward     2, 2               -
//   here       dx, the residual's gradient and both sums over rows from one read of each matrix
//                                                      1, 1 or 2, 2       2 or 3, 1
//
// which is the least there is: N C (1 + 1) numbers forward, N C (2 + 2) with the residual, N C (3 +
// 1) backward; some 8 FLOPs a number forward and 16 backward, so that memory alone decides. At N =
// 16,384 and C = 768 in bf16 these are 50, 101 and 101 MB. The partial sums of dgain and dbias add
// 256 blocks x 2 C floats, written and read once: 3 MB.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "kernels/cuda/norm.h"
#include "kernels/cuda/number.cuh"
#include "kernels/cuda/sums.cuh"
#include "kernels/cuda/vector.cuh"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "kernels/model_config.h"

namespace andrea::cuda {
namespace {

// A row belongs to 1, 2, 4 or 8 warps of a block, so many that a lane holds at most so many of its
// numbers. More would leave too few warps on a multiprocessor, or spill; single numbers, each with
// an address of its own, take more registers.
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
template <int kWidth>
inline constexpr int kMostHeld = kWidth > 1 ? 32 : 16;

// The partial sums that backward leaves: enough blocks to fill a card, a number of its own, so that
// the sums do not depend on the card.
constexpr int kMostBlocks = 256;

template <int kWidth>
int warps_a_row(int C) {
  constexpr int kColumns = kWarps * kWarp * kMostHeld<kWidth>;
  if (C > kColumns) {
    std::fprintf(stderr, "kernels/cuda/norm.cu: rows of %d numbers at most, not %d\n", kColumns, C);
    std::abort();
  }
  int warps = 1;
  while (warps * kWarp * kMostHeld<kWidth> < C) warps *= 2;
  return warps;
}

// Where a thread stands: which row of those that its block has at once, and where in it.
struct Place {
  int first_warp;  // of those that share the row
  int row;
  int lane;   // of all lanes that share the row
  int lanes;  // there are
};

// kAlone: a warp has its row alone, so that distances in a row are known to the compiler.
template <bool kAlone>
__device__ Place place_of_thread(int warps) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  if (kAlone) return {warp, warp, lane, kWarp};
  const int row = warp / warps;
  return {row * warps, row, (warp - row * warps) * kWarp + lane, warps * kWarp};
}

template <bool kAlone>
__device__ float row_sum(float value, const Place& place) {
  return kAlone ? warp_sum(value) : group_sum(value, place.first_warp, place.lanes / kWarp);
}

// ---- Forward. A lane has the vectors lane, lane + lanes, ... of its row, kVectors at most.

template <typename Number>
struct Forward {
  const Number* stream;      // [N, C]
  const Number* correction;  // [N, C], or null
  const Number* gain;        // [C], or null: 1
  const Number* bias;        // [C], or null: 0
  Number* sum;               // [N, C], where there is a correction
  Number* y;                 // [N, C]
  float* mean;               // [N], or null
  float* rstd;               // [N], or null
  int N, C;
};

template <typename Number, int kWidth, int kVectors>
__device__ void store_row(Number* to, const float (&row)[kVectors * kWidth], const Place& place,
                          int vectors) {
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const int vector = place.lane + i * place.lanes;
    if (vector >= vectors) break;
    Vector<Number, kWidth> numbers;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) numbers.values[k] = from_float<Number>(row[i * kWidth + k]);
    store_vector(to, vector, numbers);
  }
}

template <typename Number, int kWidth, int kVectors, bool kAlone>
__global__ void __launch_bounds__(kThreads, kWidth > 1 ? 3 : 1)
    norm_forward_kernel(Forward<Number> work, int warps) {
  const Place place = place_of_thread<kAlone>(warps);
  const int n = static_cast<int>(blockIdx.x) * (kAlone ? kWarps : kWarps / warps) + place.row;
  const int C = work.C;
  // A lane without a row goes along, for the sums' barriers.
  const int vectors = n < work.N ? C / kWidth : 0;
  float row[kVectors * kWidth];

  // All loads before the first store, which the compiler may not move a load across.
  const Number* stream_row = row_at(work.stream, n, C);
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const int vector = place.lane + i * place.lanes;
    Vector<Number, kWidth> x = {};
    if (vector < vectors) x = load_vector<kWidth>(stream_row, vector);
#pragma unroll
    for (int k = 0; k < kWidth; ++k) row[i * kWidth + k] = to_float(x.values[k]);
  }
  if (work.correction != nullptr) {
    const Number* correction_row = row_at(work.correction, n, C);
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      const int vector = place.lane + i * place.lanes;
      Vector<Number, kWidth> x = {};
      if (vector < vectors) x = load_vector<kWidth>(correction_row, vector);
#pragma unroll
      for (int k = 0; k < kWidth; ++k) {
        float& number = row[i * kWidth + k];
        // As backward will find it: rounded.
        number = to_float(from_float<Number>(number + to_float(x.values[k])));
      }
    }
    store_row<Number, kWidth, kVectors>(row_at(work.sum, n, C), row, place, vectors);
  }

  float total = 0;
#pragma unroll
  for (int j = 0; j < kVectors * kWidth; ++j) total += row[j];
  const float mean = row_sum<kAlone>(total, place) / static_cast<float>(C);
  // A second sum over the same registers: from the mean of the squares the variance of a row far
  // from 0 would lose its digits.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    if (place.lane + i * place.lanes >= vectors) break;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const float off = row[i * kWidth + k] - mean;
      squares += off * off;
    }
  }
  const float variance = row_sum<kAlone>(squares, place) / static_cast<float>(C);
  const float rstd = 1 / sqrtf(variance + kLayerNormEpsilon);

  // Once more all loads before the first store.
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const int vector = place.lane + i * place.lanes;
    if (vector >= vectors) break;
    Vector<Number, kWidth> gain, bias;
    if (work.gain != nullptr) gain = load_vector<kWidth>(work.gain, vector);
    if (work.bias != nullptr) bias = load_vector<kWidth>(work.bias, vector);
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      float& number = row[i * kWidth + k];
      number = (number - mean) * rstd;
      if (work.gain != nullptr) number *= to_float(gain.values[k]);
      if (work.bias != nullptr) number += to_float(bias.values[k]);
    }
  }
  store_row<Number, kWidth, kVectors>(row_at(work.y, n, C), row, place, vectors);
  if (place.lane == 0 && vectors > 0 && work.mean != nullptr) {
    work.mean[n] = mean;
    work.rstd[n] = rstd;
  }
}

// ---- Backward. A block goes over rows blockIdx.x, blockIdx.x + gridDim.x, ... times
// rows_at_once, and keeps the sums over its rows in registers until the end.

template <typename Number>
struct Backward {
  const Number* dy;         // [N, C]
  const Number* x;          // [N, C]
  const Number* gain;       // [C], or null: 1
  const Number* dresidual;  // [N, C], or null: 0
  const float* mean;        // [N]
  const float* rstd;        // [N]
  Number* dx;               // [N, C]
  float* partial;           // [blocks, 2, C]: sums for dgain, and for dbias
  int N, C;
};

// Two blocks a multiprocessor where that leaves a thread registers enough: for two sums a number,
// and the two numbers themselves as they lie in memory.
template <typename Number, int kHeld>
inline constexpr int kBlocksAtLeast = kHeld*(2 + 2 * sizeof(Number) / sizeof(float)) <= 72 ? 2 : 1;

// Adds up what the rows of a block have come to, one row after the other, and leaves it in memory:
// 16 bytes an access in shared memory, where else lanes would meet in the same banks.
template <int kWidth, int kVectors>
__device__ void leave_sums(const float (&sums)[kVectors * kWidth], const Place& place, int rows,
                           int C, float* shared, float* to) {
  constexpr int kPart = kWidth > 1 ? 4 : 1;
  for (int row = 0; row < rows; ++row) {
    if (place.row == row) {
#pragma unroll
      for (int i = 0; i < kVectors; ++i) {
        const int vector = place.lane + i * place.lanes;
        if (vector * kWidth >= C) break;
#pragma unroll
        for (int first = 0; first < kWidth; first += kPart) {
          float* const place_of_part = shared + vector * kWidth + first;
          Vector<float, kPart> sum = {};
          if (row > 0) sum = load_vector<kPart>(place_of_part, 0);
#pragma unroll
          for (int k = 0; k < kPart; ++k) sum.values[k] += sums[i * kWidth + first + k];
          store_vector(place_of_part, 0, sum);
        }
      }
    }
    __syncthreads();
  }
  for (int c = static_cast<int>(threadIdx.x); c < C; c += kThreads) to[c] = shared[c];
  __syncthreads();
}

template <typename Number, int kWidth, int kVectors, bool kAlone>
__global__ void __launch_bounds__(kThreads,
                                  kWidth > 1 ? kBlocksAtLeast<Number, kWidth * kVectors> : 1)
    norm_backward_kernel(Backward<Number> work, int warps) {
  extern __shared__ float4 shared_vectors[];  // [C] floats
  float* const shared = reinterpret_cast<float*>(shared_vectors);
  const Place place = place_of_thread<kAlone>(warps);
  const int rows = kAlone ? kWarps : kWarps / warps;
  const int C = work.C;
  const auto step = static_cast<int>(gridDim.x) * rows;
  float gain_sums[kVectors * kWidth] = {}, bias_sums[kVectors * kWidth] = {};

  // All warps of a block take the same number of rounds, for the sums' barriers.
  for (int first = static_cast<int>(blockIdx.x) * rows; first < work.N; first += step) {
    const int n = first + place.row;
    const int vectors = n < work.N ? C / kWidth : 0;
    const float mean = n < work.N ? work.mean[n] : 0;
    const float rstd = n < work.N ? work.rstd[n] : 0;
    const Number* dy_row = row_at(work.dy, n, C);
    const Number* x_row = row_at(work.x, n, C);
    // As they come, since two bf16 take one register and their floats two.
    Vector<Number, kWidth> dy[kVectors], x[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      const int vector = place.lane + i * place.lanes;
      dy[i] = x[i] = {};
      if (vector >= vectors) continue;
      dy[i] = load_vector<kWidth>(dy_row, vector);
      x[i] = load_vector<kWidth>(x_row, vector);
    }

    float g_sum = 0, product_sum = 0;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      const int vector = place.lane + i * place.lanes;
      if (vector >= vectors) break;
      Vector<Number, kWidth> gain;
      if (work.gain != nullptr) gain = load_vector<kWidth>(work.gain, vector);
#pragma unroll
      for (int k = 0; k < kWidth; ++k) {
        const float d = to_float(dy[i].values[k]);
        const float x_hat = (to_float(x[i].values[k]) - mean) * rstd;
        const float g = work.gain != nullptr ? to_float(gain.values[k]) * d : d;
        g_sum += g;
        product_sum += g * x_hat;
        gain_sums[i * kWidth + k] += d * x_hat;
        bias_sums[i * kWidth + k] += d;
      }
    }
    const float g_mean = row_sum<kAlone>(g_sum, place) / static_cast<float>(C);
    const float product_mean = row_sum<kAlone>(product_sum, place) / static_cast<float>(C);

    // dx takes the place of x, so that here too all loads come before the first store.
    const Number* dresidual_row = row_at(work.dresidual, n, C);
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      const int vector = place.lane + i * place.lanes;
      if (vector >= vectors) break;
      // Zeros where there is none: a condition at each number would spill on sm_120.
      Vector<Number, kWidth> gain, dresidual = {};
      if (work.gain != nullptr) gain = load_vector<kWidth>(work.gain, vector);
      if (work.dresidual != nullptr) dresidual = load_vector<kWidth>(dresidual_row, vector);
#pragma unroll
      for (int k = 0; k < kWidth; ++k) {
        const float d = to_float(dy[i].values[k]);
        const float x_hat = (to_float(x[i].values[k]) - mean) * rstd;
        const float g = work.gain != nullptr ? to_float(gain.values[k]) * d : d;
        float dx = rstd * (g - g_mean - x_hat * product_mean);
        dx += to_float(dresidual.values[k]);
        x[i].values[k] = from_float<Number>(dx);
      }
    }
    Number* dx_row = row_at(work.dx, n, C);
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      const int vector = place.lane + i * place.lanes;
      if (vector >= vectors) break;
      store_vector(dx_row, vector, x[i]);
    }
  }

  float* const partial = work.partial + static_cast<std::int64_t>(blockIdx.x) * 2 * C;
  leave_sums<kWidth, kVectors>(gain_sums, place, rows, C, shared, partial);
  leave_sums<kWidth, kVectors>(bias_sums, place, rows, C, shared, partial + C);
}

// The blocks' sums, in the order of the blocks: warp w of eight adds every eighth, then the first
// warp adds the eight. Columns C to 2C - 1 are those of dbias.
__global__ void partial_sums_kernel(const float* partial,  // [blocks, 2, C]
                                    float* dgain,          // [C], or null
                                    float* dbias,          // [C], or null
                                    int blocks, int C, bool add) {
  __shared__ float sums[kWarps][kWarp];
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kWarp + lane;
  float sum = 0;
  if (column < 2 * C) {
#pragma unroll 8
    for (int block = warp; block < blocks; block += kWarps) {
      sum += partial[static_cast<std::int64_t>(block) * 2 * C + column];
    }
  }
  sums[warp][lane] = sum;
  __syncthreads();
  float* const to = column < C ? dgain : dbias;
  if (warp > 0 || column >= 2 * C || to == nullptr) return;
  for (int other = 1; other < kWarps; ++other) sum += sums[other][lane];
  const int c = column < C ? column : column - C;
  to[c] = add ? to[c] + sum : sum;
}

// ---- The launches.

// These return how many blocks they launch.

template <int kWidth, int kVectors, bool kAlone, typename Number>
int launch_with(const Forward<Number>& work, const Launch& launch) {
  const int warps = warps_a_row<kWidth>(work.C);
  const int blocks = blocks_for(work.N, kWarps / warps);
  norm_forward_kernel<Number, kWidth, kVectors, kAlone>
      <<<blocks, kThreads, 0, launch.stream>>>(work, warps);
  return blocks;
}

template <int kWidth, int kVectors, bool kAlone, typename Number>
int launch_with(const Backward<Number>& work, const Launch& launch) {
  const int warps = warps_a_row<kWidth>(work.C);
  const int blocks = std::min(blocks_for(work.N, kWarps / warps), kMostBlocks);
  const std::size_t shared_bytes = static_cast<std::size_t>(work.C) * sizeof(float);
  norm_backward_kernel<Number, kWidth, kVectors, kAlone>
      <<<blocks, kThreads, shared_bytes, launch.stream>>>(work, warps);
  return blocks;
}

// Chooses the kernel by how many numbers a lane has to hold.
template <typename Number, template <typename> typename Work>
int launch_for_width(const Work<Number>& work, const Launch& launch) {
  constexpr int kWidth = kPacked<Number>;
  const auto blocks = [&] {
    if (!is_packed<Number>(work.C)) return launch_with<1, kMostHeld<1>, false>(work, launch);
    if (work.C <= 8 * kWarp) return launch_with<kWidth, 8 / kWidth, true>(work, launch);
    if (work.C <= 16 * kWarp) return launch_with<kWidth, 16 / kWidth, true>(work, launch);
    if (work.C <= 24 * kWarp) return launch_with<kWidth, 24 / kWidth, true>(work, launch);
    constexpr int kVectors = kMostHeld<kWidth> / kWidth;
    if (work.C <= kMostHeld<kWidth> * kWarp)
      return launch_with<kWidth, kVectors, true>(work, launch);
    return launch_with<kWidth, kVectors, false>(work, launch);
  }();
  CUDA_CHECK(cudaGetLastError());
  return blocks;
}

template <typename Number>
void backward(Backward<Number> work, float* dgain, float* dbias, Accumulate accumulate,
              const Launch& launch) {
  work.partial = static_cast<float*>(launch.scratch);
  const int blocks = launch_for_width(work, launch);
  if (dgain == nullptr && dbias == nullptr) return;
  partial_sums_kernel<<<blocks_for(2 * work.C, kWarp), dim3(kWarp, kWarps), 0, launch.stream>>>(
      work.partial, dgain, dbias, blocks, work.C, accumulate == Accumulate::add);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void norm_forward(const float* x, const float* gain, const float* bias, float* y,
                  const RowStatistics& statistics, int N, int C, const Launch& launch) {
  launch_for_width(
      Forward<float>{x, nullptr, gain, bias, nullptr, y, statistics.mean, statistics.rstd, N, C},
      launch);
}

void norm_forward(const __nv_bfloat16* x, const __nv_bfloat16* gain, const __nv_bfloat16* bias,
                  __nv_bfloat16* y, const RowStatistics& statistics, int N, int C,
                  const Launch& launch) {
  launch_for_width(Forward<__nv_bfloat16>{x, nullptr, gain, bias, nullptr, y, statistics.mean,
                                          statistics.rstd, N, C},
                   launch);
}

void residual_norm_forward(const float* stream, const float* correction, const float* gain,
                           const float* bias, float* sum, float* y, const RowStatistics& statistics,
                           int N, int C, const Launch& launch) {
  launch_for_width(Forward<float>{stream, correction, gain, bias, sum, y, statistics.mean,
                                  statistics.rstd, N, C},
                   launch);
}

void residual_norm_forward(const __nv_bfloat16* stream, const __nv_bfloat16* correction,
                           const __nv_bfloat16* gain, const __nv_bfloat16* bias, __nv_bfloat16* sum,
                           __nv_bfloat16* y, const RowStatistics& statistics, int N, int C,
                           const Launch& launch) {
  launch_for_width(Forward<__nv_bfloat16>{stream, correction, gain, bias, sum, y, statistics.mean,
                                          statistics.rstd, N, C},
                   launch);
}

std::size_t norm_backward_scratch_bytes(int N, int C) {
  const auto blocks = static_cast<std::size_t>(std::min(N, kMostBlocks));
  return align_up(blocks * 2 * static_cast<std::size_t>(C) * sizeof(float));
}

void norm_backward(const float* dy, const float* x, const float* gain, const float* dresidual,
                   const RowStatistics& statistics, float* dx, float* dgain, float* dbias, int N,
                   int C, Accumulate accumulate, const Launch& launch) {
  backward(
      Backward<float>{dy, x, gain, dresidual, statistics.mean, statistics.rstd, dx, nullptr, N, C},
      dgain, dbias, accumulate, launch);
}

void norm_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, const __nv_bfloat16* gain,
                   const __nv_bfloat16* dresidual, const RowStatistics& statistics,
                   __nv_bfloat16* dx, float* dgain, float* dbias, int N, int C,
                   Accumulate accumulate, const Launch& launch) {
  backward(Backward<__nv_bfloat16>{dy, x, gain, dresidual, statistics.mean, statistics.rstd, dx,
                                   nullptr, N, C},
           dgain, dbias, accumulate, launch);
}

}  // namespace andrea::cuda
