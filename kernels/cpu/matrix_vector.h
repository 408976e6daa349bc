// File: matrix_vector.h
//
// A row vector times a matrix, for decoding one token at a time: every weight is read once and used
// once, so that memory bandwidth is all that counts. The bits of the result do not depend on the
// number of threads.

#ifndef ANDREA_KERNELS_CPU_MATRIX_VECTOR_H_
#define ANDREA_KERNELS_CPU_MATRIX_VECTOR_H_

#include <cstddef>

namespace andrea::cpu {

// Working memory that vector_times_matrix wants for matrices of up to `out` columns.
std::size_t vector_times_matrix_scratch_bytes(int out);

// y = x W + bias.
void vector_times_matrix(const float* x,       // [in]
                         const float* weight,  // [in, out]
                         const float* bias,    // [out], or null
                         float* y,             // [out]
                         int in, int out,
                         void* scratch);  // vector_times_matrix_scratch_bytes(out)

// y[m] = x . table[m, :] for all m.
void dot_with_rows(const float* x,      // [C]
                   const float* table,  // [M, C]
                   float* y,            // [M]
                   int M, int C);

}  // namespace andrea::cpu

#endif  // ANDREA_KERNELS_CPU_MATRIX_VECTOR_H_
