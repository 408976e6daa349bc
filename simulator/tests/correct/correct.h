// File: correct.h
//
// A right program that may look wrong: the simulator must run it to the right values, in any order
// of blocks, warps and lanes, and report nothing. To add one:
//
//     CORRECT(same_value_by_all) {
//       ... launch, copy back ...
//       return equal(result, expected);
//     }

#ifndef ANDREA_SIMULATOR_TESTS_CORRECT_CORRECT_H_
#define ANDREA_SIMULATOR_TESTS_CORRECT_CORRECT_H_

#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "simulator/tests/harness/check_build.h"

namespace simulator_test {

struct Program {
  const char* name = "";
  const char* file = "";
  bool check_build = false;
  bool (*run)() = nullptr;  // whether the values are right
};

// Called before main. Not inline: all sources share one list.
bool add_program(const Program& program);

// Prints the first difference.
template <typename T>
bool equal(const std::vector<T>& actual, const std::vector<T>& expected) {
  if (actual.size() != expected.size()) return false;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    std::printf("element %zu is %g and should be %g\n", i, static_cast<double>(actual[i]),
                static_cast<double>(expected[i]));
    return false;
  }
  return true;
}

template <typename T>
bool equal(const T& actual, const T& expected) {
  return equal(std::vector<T>{actual}, std::vector<T>{expected});
}

// Device memory that is freed with the object.
template <typename T>
class DeviceArray {
 public:
  // Zeros.
  explicit DeviceArray(std::size_t size) : size_(size) {
    cudaMalloc(&data_, size * sizeof(T));
    cudaMemset(data_, 0, size * sizeof(T));
  }
  explicit DeviceArray(const std::vector<T>& values) : size_(values.size()) {
    cudaMalloc(&data_, size_ * sizeof(T));
    cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  operator T*() const { return data_; }

  std::vector<T> values() const {
    std::vector<T> result(size_);
    cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// 0, 1, 2, ... times the step.
template <typename T>
std::vector<T> counted(int size, T step = T(1)) {
  std::vector<T> values;
  for (int i = 0; i < size; ++i) values.push_back(static_cast<T>(i) * step);
  return values;
}

}  // namespace simulator_test

#define CORRECT(NAME)                                                                           \
  static bool NAME##_run();                                                                     \
  [[maybe_unused]] static const bool NAME##_added =                                             \
      simulator_test::add_program({#NAME, __FILE__, simulator_test::kCheckBuild, &NAME##_run}); \
  static bool NAME##_run()

#endif  // ANDREA_SIMULATOR_TESTS_CORRECT_CORRECT_H_
