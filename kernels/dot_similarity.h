// File: dot_similarity.h
//
// All dot products between two sets of vectors. In the model it is the output projection: the
// logits of a position are the dot products of its stream with every row of the output table.
//
//   forward    out[n, m] = sum over c of x[n, c] * table[m, c]
//   backward   dx[n, c]     = sum over m of dout[n, m] * table[m, c]
//              dtable[m, c] = sum over n of dout[n, m] * x[n, c]

#ifndef ANDREA_KERNELS_DOT_SIMILARITY_H_
#define ANDREA_KERNELS_DOT_SIMILARITY_H_

#include "kernels/launch.h"

namespace andrea {

// The working memory of forward and backward, in bytes.
std::size_t dot_similarity_scratch_bytes(int N, int M, int C);

// Columns M .. stride-1 of a row of `out` are not touched. Precondition: stride >= M.
void dot_similarity_forward(const float* x,      // [N, C]
                            const float* table,  // [M, C]
                            float* out,          // [N, stride], of which M columns are written
                            int N, int M, int C, int stride, const Launch& launch);

// dx is overwritten and may be null where nobody asks for it; dtable follows `accumulate`.
void dot_similarity_backward(const float* dout,   // [N, stride], of which M columns are read
                             const float* x,      // [N, C]
                             const float* table,  // [M, C]
                             float* dx,           // [N, C], or null
                             float* dtable,       // [M, C]
                             int N, int M, int C, int stride, Accumulate accumulate,
                             const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_DOT_SIMILARITY_H_
