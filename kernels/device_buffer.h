// File: device_buffer.h
//
// The one owner of device memory.
//
//   DeviceBuffer<float> gradients(layout.size());   // zeroed
//   gradients.upload(host_vector);

#ifndef ANDREA_KERNELS_DEVICE_BUFFER_H_
#define ANDREA_KERNELS_DEVICE_BUFFER_H_

#include <cuda_runtime.h>

#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "kernels/cuda_check.h"

namespace andrea {

// Whether buffers are made of managed memory, which the CPU reaches too. It is so on a card where
// operations of the `cpu` set are linked in (kernels/cpu/managed_memory.cc), which read and write
// what kernels do. The driver then moves pages between the two, at the price of a copy.
inline bool buffers_are_managed = false;

// `size` numbers of device memory, zero at first. An empty buffer holds a null pointer.
template <typename T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;

  // Throws std::bad_alloc where there is not so much memory.
  explicit DeviceBuffer(std::int64_t size) : size_(size) {
    if (size == 0) return;
    void** const memory = reinterpret_cast<void**>(&data_);
    const cudaError_t error =
        buffers_are_managed ? cudaMallocManaged(memory, bytes()) : cudaMalloc(memory, bytes());
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();  // told by the exception, and no later call's
      throw std::bad_alloc();
    }
    CUDA_CHECK(error);
    clear();
  }

  // A copy of what the host has.
  explicit DeviceBuffer(std::span<const T> host)
      : DeviceBuffer(static_cast<std::int64_t>(host.size())) {
    upload(host);
  }

  ~DeviceBuffer() {
    // A destructor may run while an error is on its way: nothing to be done about a second one.
    if (data_ != nullptr) (void)cudaFree(data_);
  }

  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() { return data_; }                  // a device pointer
  const T* data() const { return data_; }      // a device pointer
  std::int64_t size() const { return size_; }  // in numbers
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }  // of all of it

  // Sets all to zero, complete on return.
  void clear() { CUDA_CHECK(cudaMemset(data_, 0, bytes())); }

  // Copies between host and device, complete on return. The sizes must be equal.
  void upload(std::span<const T> host) {
    CUDA_CHECK(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
  }
  void download(std::span<T> host) const {
    CUDA_CHECK(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
  }
  std::vector<T> to_host() const {
    std::vector<T> host(static_cast<std::size_t>(size_));
    download(host);
    return host;
  }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace andrea

#endif  // ANDREA_KERNELS_DEVICE_BUFFER_H_
