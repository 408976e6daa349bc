// File: further.h
//
// Further exercises of lesson 07: parameters of 16 bits, batches that do not fit into memory, and
// copies while kernels run.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_FURTHER_H_
#define ANDREA_LESSONS_07_FULL_MODEL_FURTHER_H_

#include <cuda_bf16.h>

#include <cstdint>

#include "kernels/adamw.h"
#include "kernels/launch.h"
#include "kernels/parameter_layout.h"
#include "kernels/step_scalars.h"
#include "lessons/07_full_model/training.h"

namespace andrea::lesson07 {

// 07.8  One step of AdamW with two copies of each parameter: `master` in float, which the steps add
//       up in, and `working` in bfloat16, which forward and backward read. The gradients are
//       bfloat16. After the step working[i] is master[i], rounded to the nearest.
void mixed_adamw(float* master,                   // [count]
                 __nv_bfloat16* working,          // [count]
                 const __nv_bfloat16* gradients,  // [count]
                 float* first_moments,            // [count]
                 float* second_moments,           // [count]
                 std::int64_t count, std::int64_t decayed, const AdamWOptions& options,
                 const StepScalars* scalars, const Launch& launch);

// 07.9  The gradients of a batch of micro_batches * B sequences in the memory of B: micro-batch by
//       micro-batch, into training.gradients, which are overwritten first. The loss is the mean
//       over the `counted` rows of the whole batch whose target is not -1. training.losses gets the
//       losses of all rows.
void accumulated_gradients(const ParameterLayout& layout, const Training& training,
                           const int* tokens,   // [micro_batches, B, T]
                           const int* targets,  // [micro_batches, B, T]
                           int counted, int micro_batches, int B, int T, const Launch& launch);

// A second stream, two buffers in device memory, and two events for each of them. Given.
struct CopyStream {
  cudaStream_t stream;    // the second one
  float* buffers[2];      // each [count]
  cudaEvent_t copied[2];  // recorded when buffer b has been filled
  cudaEvent_t used[2];    // recorded when the kernel that reads buffer b is done
};

// 07.10 sums[k] = sum over i of batches[k, i]^2. The batches lie in pinned host memory. Batch k is
//       copied to copies.buffers[k % 2] by copies.stream, and summed there by launch.stream, while
//       batch k + 1 is copied to the other buffer. Nothing waits on the host.
void sums_of_batches(const float* batches,  // [count_of_batches, count], pinned, on the host
                     float* sums,           // [count_of_batches], on the device
                     int count_of_batches, int count, const CopyStream& copies,
                     const Launch& launch);

}  // namespace andrea::lesson07

#endif  // ANDREA_LESSONS_07_FULL_MODEL_FURTHER_H_
