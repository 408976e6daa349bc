// File: tensor_core.h
//
// The instructions that a competitive matrix product or attention is made of, as functions: mma,
// ldmatrix and cp.async of PTX (sm_80 and later). Under nvcc each is one line of inline PTX; under
// the simulator it does the same to the bit layout of every register, with the order of sums that
// simulator/groups/warp_matrix.h states.
//
// A register of 32 bits holds two neighbouring elements of 16 bits, the first in its lower half.
// Below, group = lane / 4 and pair = lane % 4.
//
//   a (16 x 16)                          b (16 x 8)               c and d (16 x 8, float)
//          columns 0-7     8-15                  column group            columns 2 pair, 2 pair + 1
//   row group      a[0]    a[2]          rows 2 pair, + 1:  b[0]  row group      c[0] c[1]
//   row group + 8  a[1]    a[3]          the same + 8:      b[1]  row group + 8  c[2] c[3]
//   (columns 2 pair and 2 pair + 1, in the right half + 8)
//
// ldmatrix reads matrices of 8 x 8 elements of 16 bits; lane 8 j + i names the address of row i of
// matrix j, 16 bytes, a multiple of 16, in shared memory (x1 uses lanes 0-7, x2 lanes 0-15).
// Register j then holds row `group`, columns 2 pair and 2 pair + 1 of matrix j; with _transposed
// row and column change places. So:
//   a, stored by rows:     x4 with matrices (top left, bottom left, top right, bottom right)
//   b, stored by columns (b's transpose by rows):   x2 with its columns as rows, k 0-7 and k 8-15
//   b, stored by rows:     x2_transposed with rows 0-7 and rows 8-15
//
// All 32 lanes of the warp must come to an mma or an ldmatrix together. None of these functions
// orders memory among threads.

#ifndef ANDREA_SIMULATOR_INCLUDE_NVCC_TENSOR_CORE_H_
#define ANDREA_SIMULATOR_INCLUDE_NVCC_TENSOR_CORE_H_

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifdef __NVCC__
#define ANDREA_TENSOR_CORE_ALSO_WHERE
#else
#include <simulator/async_copy.h>
#ifdef __CUDACC__
#include <simulator/groups/matrix_rows.h>
#endif
#define ANDREA_TENSOR_CORE_ALSO_WHERE , __SIMULATOR_WHERE
#endif

#ifdef __CUDACC__

namespace tensor_core {

// d = a b + c, of one warp; the type is __half or __nv_bfloat16. d and c may be the same.
template <typename __T>
__device__ inline void mma_m16n8k16(float (&__d)[4], const unsigned (&__a)[4],
                                    const unsigned (&__b)[2],
                                    const float (&__c)[4] ANDREA_TENSOR_CORE_ALSO_WHERE);

#ifdef __NVCC__

#define ANDREA_TENSOR_CORE_MMA(TYPE, NAME)                                                       \
  template <>                                                                                    \
  __device__ inline void mma_m16n8k16<TYPE>(float(&__d)[4], const unsigned(&__a)[4],             \
                                            const unsigned(&__b)[2], const float(&__c)[4]) {     \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." NAME "." NAME                          \
                 ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"      \
                 : "=f"(__d[0]), "=f"(__d[1]), "=f"(__d[2]), "=f"(__d[3])                        \
                 : "r"(__a[0]), "r"(__a[1]), "r"(__a[2]), "r"(__a[3]), "r"(__b[0]), "r"(__b[1]), \
                   "f"(__c[0]), "f"(__c[1]), "f"(__c[2]), "f"(__c[3]));                          \
  }
ANDREA_TENSOR_CORE_MMA(__half, "f16")
ANDREA_TENSOR_CORE_MMA(__nv_bfloat16, "bf16")
#undef ANDREA_TENSOR_CORE_MMA

#else

#define ANDREA_TENSOR_CORE_MMA(TYPE, NUMBER)                                                       \
  template <>                                                                                      \
  inline void mma_m16n8k16<TYPE>(float(&__d)[4], const unsigned(&__a)[4], const unsigned(&__b)[2], \
                                 const float(&__c)[4], const char* __file, int __line) {           \
    using __simulator::__Number;                                                                   \
    const __simulator::__Product __product = {                                                     \
        "mma_m16n8k16", 16, 8, 16, __Number::NUMBER, __Number::__float, __Number::__float, false}; \
    __simulator::__multiply_fragments(__product, __a, __b, __c, __d, {__file, __line});            \
  }
ANDREA_TENSOR_CORE_MMA(__half, __half)
ANDREA_TENSOR_CORE_MMA(__nv_bfloat16, __bfloat16)
#undef ANDREA_TENSOR_CORE_MMA

#endif

#ifdef __NVCC__

#define ANDREA_TENSOR_CORE_ROW "r"(static_cast<unsigned>(__cvta_generic_to_shared(__row)))
#define ANDREA_TENSOR_CORE_LDMATRIX(SUFFIX, TRANS)                                           \
  __device__ inline void ldmatrix_x1##SUFFIX(unsigned& __matrix, const void* __row) {        \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1" TRANS ".shared.b16 {%0}, [%1];"             \
                 : "=r"(__matrix)                                                            \
                 : ANDREA_TENSOR_CORE_ROW                                                    \
                 : "memory");                                                                \
  }                                                                                          \
  __device__ inline void ldmatrix_x2##SUFFIX(unsigned(&__matrices)[2], const void* __row) {  \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2" TRANS ".shared.b16 {%0, %1}, [%2];"         \
                 : "=r"(__matrices[0]), "=r"(__matrices[1])                                  \
                 : ANDREA_TENSOR_CORE_ROW                                                    \
                 : "memory");                                                                \
  }                                                                                          \
  __device__ inline void ldmatrix_x4##SUFFIX(unsigned(&__matrices)[4], const void* __row) {  \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" TRANS ".shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(__matrices[0]), "=r"(__matrices[1]), "=r"(__matrices[2]),            \
                   "=r"(__matrices[3])                                                       \
                 : ANDREA_TENSOR_CORE_ROW                                                    \
                 : "memory");                                                                \
  }
ANDREA_TENSOR_CORE_LDMATRIX(, "")
ANDREA_TENSOR_CORE_LDMATRIX(_transposed, ".trans")
#undef ANDREA_TENSOR_CORE_LDMATRIX
#undef ANDREA_TENSOR_CORE_ROW

#else

#define ANDREA_TENSOR_CORE_LDMATRIX(SUFFIX, TRANSPOSED)                                       \
  inline void ldmatrix_x1##SUFFIX(unsigned& __matrix, const void* __row, __SIMULATOR_WHERE) { \
    __simulator::__load_rows<1>(&__matrix, __row, TRANSPOSED, {__file, __line});              \
  }                                                                                           \
  inline void ldmatrix_x2##SUFFIX(unsigned(&__matrices)[2], const void* __row,                \
                                  __SIMULATOR_WHERE) {                                        \
    __simulator::__load_rows<2>(__matrices, __row, TRANSPOSED, {__file, __line});             \
  }                                                                                           \
  inline void ldmatrix_x4##SUFFIX(unsigned(&__matrices)[4], const void* __row,                \
                                  __SIMULATOR_WHERE) {                                        \
    __simulator::__load_rows<4>(__matrices, __row, TRANSPOSED, {__file, __line});             \
  }
ANDREA_TENSOR_CORE_LDMATRIX(, false)
ANDREA_TENSOR_CORE_LDMATRIX(_transposed, true)
#undef ANDREA_TENSOR_CORE_LDMATRIX

#endif

// Begins to copy 4, 8 or 16 bytes from global to shared memory; both addresses are multiples of
// that. 16 bytes pass the L1 cache by.
template <int __bytes>
__device__ inline void cp_async(void* __shared_to,
                                const void* __global_from ANDREA_TENSOR_CORE_ALSO_WHERE) {
  static_assert(__bytes == 4 || __bytes == 8 || __bytes == 16, "cp.async copies 4, 8 or 16 bytes");
#ifdef __NVCC__
  const unsigned __to = static_cast<unsigned>(__cvta_generic_to_shared(__shared_to));
  if constexpr (__bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(__to), "l"(__global_from)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(__to), "l"(__global_from),
                 "n"(__bytes)
                 : "memory");
  }
#else
  __simulator::__begin_small_copy(__shared_to, __global_from, __bytes, __bytes, {__file, __line});
#endif
}

// Ends the group of copies that the thread has begun since its last group.
__device__ inline void cp_async_commit_group() {
#ifdef __NVCC__
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  __simulator::__commit_copies();
#endif
}

// Waits for the thread's own copies, all groups but the last so many. Other threads see what was
// copied after a __syncthreads that follows.
template <int __groups>
__device__ inline void cp_async_wait_group() {
#ifdef __NVCC__
  asm volatile("cp.async.wait_group %0;" ::"n"(__groups) : "memory");
#else
  __simulator::__wait_for_copies(__groups);
#endif
}

}  // namespace tensor_core

#endif  // __CUDACC__

#undef ANDREA_TENSOR_CORE_ALSO_WHERE

#endif  // ANDREA_SIMULATOR_INCLUDE_NVCC_TENSOR_CORE_H_
