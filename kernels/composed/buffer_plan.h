// File: buffer_plan.h
//
// Divides one buffer into parts. The same function that takes the parts also tells how many bytes
// they need, when it is given no buffer, so that sizes and uses cannot disagree:
//
//   struct Parts { float* a; void* b; };
//   Parts divide(BufferPlan& plan, int N) { return {plan.numbers(N), plan.bytes(100)}; }
//
//   BufferPlan sizing;  divide(sizing, N);  sizing.total();
//   BufferPlan plan(scratch);  Parts parts = divide(plan, N);

#ifndef ANDREA_KERNELS_COMPOSED_BUFFER_PLAN_H_
#define ANDREA_KERNELS_COMPOSED_BUFFER_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "kernels/launch.h"

namespace andrea {

class BufferPlan {
 public:
  BufferPlan() = default;
  // Hands out parts of `buffer`; null: only counts.
  explicit BufferPlan(void* buffer) : base_(static_cast<char*>(buffer)) {}

  // The next part, of so many bytes.
  void* bytes(std::size_t count) {
    char* part = base_ == nullptr ? nullptr : base_ + used_;
    used_ += align_up(count);
    return part;
  }

  // The next part, of so many floats.
  float* numbers(std::int64_t count) {
    return static_cast<float*>(bytes(static_cast<std::size_t>(count) * sizeof(float)));
  }

  // What has been taken so far, in bytes.
  std::size_t total() const { return used_; }

  // A launch whose scratch is what remains of this one's buffer.
  Launch remaining(const Launch& launch) const {
    Launch rest = launch;
    rest.scratch = base_ + used_;
    rest.scratch_bytes = launch.scratch_bytes - used_;
    return rest;
  }

 private:
  char* base_ = nullptr;
  std::size_t used_ = 0;
};

}  // namespace andrea

#endif  // ANDREA_KERNELS_COMPOSED_BUFFER_PLAN_H_
