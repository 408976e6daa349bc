// File: pinned_buffer.h
//
// Memory of the host that the driver keeps in its place, so that a copy to or from the device goes
// on beside what the host does.

#ifndef ANDREA_TRAINER_MODEL_PINNED_BUFFER_H_
#define ANDREA_TRAINER_MODEL_PINNED_BUFFER_H_

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

#include "kernels/cuda_check.h"

namespace andrea {

// `size` numbers, at first zero.
template <typename T>
class PinnedBuffer {
 public:
  // Error of the runtime where there is not so much memory: it ends the program.
  explicit PinnedBuffer(std::int64_t size) : size_(static_cast<std::size_t>(size)) {
    CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&data_), bytes()));
    for (T& number : numbers()) number = T();
  }
  ~PinnedBuffer() { (void)cudaFreeHost(data_); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  // To be left alone while a copy is under way.
  std::span<T> numbers() { return {data_, size_}; }
  T* data() { return data_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_PINNED_BUFFER_H_
