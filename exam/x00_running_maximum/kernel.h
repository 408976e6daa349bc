// File: kernel.h
//
// The exam of lesson 00. All pointers are device pointers; the sizes are positive.

#ifndef ANDREA_EXAM_X00_RUNNING_MAXIMUM_KERNEL_H_
#define ANDREA_EXAM_X00_RUNNING_MAXIMUM_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::exam00 {

// x00.1  y[i * stride] += factor * x[i] for every i < count; what lies between stays as it is
void add_scaled(float factor,
                const float* x,  // [count]
                float* y,        // [count, stride], of which column 0 is meant
                int count, int stride, const Launch& launch);

// How many numbers a running maximum goes over before it begins anew: threads of a block.
inline constexpr int kRun = 256;

// x00.2  out[i] = the largest of x[first] to x[i], where first is i rounded down to a multiple of
//        kRun
void running_maximum(const float* x,  // [count]
                     float* out,      // [count]
                     int count, const Launch& launch);

}  // namespace andrea::exam00

#endif  // ANDREA_EXAM_X00_RUNNING_MAXIMUM_KERNEL_H_
