// File: guarded_tensor.h
//
// The device memory that a test hands to an operation. It starts as "never written"
// (marked_nan.h), lies between two guard zones, and complains by itself, as a failure of the test,
// if a guard zone has changed when it goes; an input also if its contents have.
//
//   GuardedTensor<const float> x("x", {N, C}, random.numbers(N * C));  // an input
//   GuardedTensor<float> y("y", {N, C});                               // an output, never written
//   Workspace workspace(layer_norm_scratch_bytes(N, C));
//   layer_norm_forward(x.data(), nullptr, nullptr, y.data(), nullptr, N, C, workspace.launch());

#ifndef ANDREA_TESTS_HARNESS_GUARDED_TENSOR_H_
#define ANDREA_TESTS_HARNESS_GUARDED_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/device_buffer.h"
#include "kernels/launch.h"

namespace andrea {

using Shape = std::vector<std::int64_t>;  // the outermost first

// The product of the sizes.
std::int64_t count_of(const Shape& shape);

// "dx [2, 97, 48]".
std::string title_of(const std::string& name, const Shape& shape);

// Fails the test that runs, unless the text is empty.
void complain_of(const std::string& damage);

// The bytes under a GuardedTensor. Where the simulator watches every access there are no guard
// zones: it sees each access that is out of bounds, and tells its line.
class GuardedMemory {
 public:
  // `initial` null: never written.
  GuardedMemory(std::string title, std::size_t bytes, const void* initial, bool read_only);
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::byte* data() { return memory_.data() + guard_bytes_; }  // between the guard zones
  std::size_t bytes() const { return bytes_; }                 // without them

  // Copies the contents to host memory.
  void read(void* to) const;

  // Empty, or what is wrong with the guard zones (and, where read-only, the contents).
  std::string damage() const;
  // Where it is read-only and its contents alone have changed: from which byte on, a float's first.
  std::optional<std::size_t> changed_from() const;

 private:
  // The first byte of a region that is not as at first, counted from the region's start, or the
  // region's size.
  std::size_t first_change(const std::vector<std::byte>& now, std::size_t start,
                           std::size_t size) const;

  std::string title_;
  std::size_t guard_bytes_;
  std::size_t bytes_;
  bool read_only_;
  std::vector<std::byte> image_;  // what the memory held at first, guard zones included
  DeviceBuffer<std::byte> memory_;
};

template <typename T>
class GuardedTensor {
 public:
  using Value = std::remove_const_t<T>;  // what it holds

  // An output, never written.
  GuardedTensor(std::string name, Shape shape)
      : GuardedTensor(std::move(name), std::move(shape), std::vector<Value>()) {
    static_assert(!std::is_const_v<T>, "an input needs contents");
  }

  // `values`, row-major; empty: never written.
  GuardedTensor(std::string name, Shape shape, std::vector<Value> values)
      : name_(std::move(name)),
        shape_(std::move(shape)),
        before_(std::move(values)),
        memory_(title_of(name_, shape_), static_cast<std::size_t>(count_of(shape_)) * sizeof(T),
                before_.empty() ? nullptr : before_.data(), std::is_const_v<T>) {}

  ~GuardedTensor() { complain_of(damage()); }

  const std::string& name() const { return name_; }  // as failures name it
  const Shape& shape() const { return shape_; }      // of the contents

  T* data() { return reinterpret_cast<T*>(memory_.data()); }  // a device pointer

  // What it held at first (empty: never written), and what it holds now.
  const std::vector<Value>& before() const { return before_; }
  std::vector<Value> contents() const {
    std::vector<Value> result(memory_.bytes() / sizeof(T));
    memory_.read(result.data());
    return result;
  }

  std::string damage() const { return memory_.damage(); }  // as GuardedMemory::damage

 private:
  std::string name_;
  Shape shape_;
  std::vector<Value> before_;
  GuardedMemory memory_;
};

// Scratch memory of exactly the size that an operation asks for, and the launch that names it.
class Workspace {
 public:
  // Exactly so many bytes.
  explicit Workspace(std::size_t scratch_bytes)
      : scratch_("scratch", {static_cast<std::int64_t>(scratch_bytes)}) {
    launch_.scratch = scratch_.data();
    launch_.scratch_bytes = scratch_bytes;
  }

  const Launch& launch() const { return launch_; }  // what the operation is called with

 private:
  GuardedTensor<std::byte> scratch_;
  Launch launch_;
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_GUARDED_TENSOR_H_
