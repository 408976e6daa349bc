// File: sums_beside_copies.h
//
// What the test of 07.10 does with sums_of_batches. It stands apart from the test, since streams,
// events and graphs exist only in the program that has made them.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_SUMS_BESIDE_COPIES_H_
#define ANDREA_LESSONS_07_FULL_MODEL_SUMS_BESIDE_COPIES_H_

#include <cstdint>
#include <vector>

#include "kernels/launch.h"

namespace andrea::lesson07 {

// Calls sums_of_batches with two streams, two buffers of no numbers, and the batches in pinned
// memory.
void sums_beside_copies(const std::vector<float>& batches,  // [count_of_batches, count]
                        float* sums,                        // [count_of_batches], on the device
                        int count_of_batches, int count, const Launch& launch);

struct RecordedOrder {
  std::int64_t copies, kernels;
  // The kernels k, from 0, that copy k + 1 waits for.
  std::vector<std::int64_t> waited_for;
};

// The same recorded as a graph: which of its parts wait for which.
RecordedOrder order_of_sums(const std::vector<float>& batches, float* sums, int count_of_batches,
                            int count, const Launch& launch);

}  // namespace andrea::lesson07

#endif  // ANDREA_LESSONS_07_FULL_MODEL_SUMS_BESIDE_COPIES_H_
