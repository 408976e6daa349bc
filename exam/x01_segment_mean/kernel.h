// File: kernel.h
//
// The exam of lesson 01: N tokens lie in S segments, one behind the other, of any number of tokens,
// also of none. Segment s has the tokens starts[s] to starts[s + 1] - 1; starts[0] is 0 and
// starts[S] is N. All pointers are device pointers.

#ifndef ANDREA_EXAM_X01_SEGMENT_MEAN_KERNEL_H_
#define ANDREA_EXAM_X01_SEGMENT_MEAN_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::exam01 {

// x01.1  out[s, :] = mean of token_table[tokens[n], :] over the n of segment s; 0 where it has none
void segment_means(const int* starts,         // [S + 1], never falling
                   const int* tokens,         // [N], each a row of token_table
                   const float* token_table,  // [V, C]
                   float* out,                // [S, C]
                   int S, int C, const Launch& launch);

// x01.2  dtoken_table[tokens[n], :] += dout[s, :] / (number of tokens of segment s), for every n of
//        every s; ids repeat, within a segment and in several
void scatter_shares(const float* dout,    // [S, C]
                    const int* starts,    // [S + 1]
                    const int* tokens,    // [N]
                    float* dtoken_table,  // [V, C]
                    int S, int C, const Launch& launch);

}  // namespace andrea::exam01

#endif  // ANDREA_EXAM_X01_SEGMENT_MEAN_KERNEL_H_
