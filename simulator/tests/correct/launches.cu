// Kernels that are launched by something else than their own name.

#include "simulator/tests/correct/correct.h"

using simulator_test::counted;
using simulator_test::DeviceArray;
using simulator_test::equal;

__global__ void add_one(int* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] += 1;
}

__global__ void times_two(int* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] *= 2;
}

template <int kFactor>
__global__ void times(int* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] *= kFactor;
}

namespace {

using Kernel = void (*)(int*, int);

struct Variant {
  const char* name;
  Kernel kernel;
};

template <void (*kKernel)(int*, int)>
void launch_parameter(int* values, int n) {
  kKernel<<<1, 32>>>(values, n);
}

template <auto kKernel>
void launch_any(int* values, int n) {
  kKernel<<<dim3(1), dim3(32), 0, nullptr>>>(values, n);
}

template <typename K>
void launch_argument(K kernel, int* values, int n) {
  kernel<<<1, 32>>>(values, n);
}

std::vector<int> after(std::vector<int> values, int factor, int addend = 0) {
  for (int& value : values) value = value * factor + addend;
  return values;
}

}  // namespace

CORRECT(launch_by_pointer_variable) {
  const DeviceArray<int> values(counted<int>(20));
  void (*kernel)(int*, int) = add_one;
  kernel<<<1, 32>>>(values, 20);
  kernel = &times<3>;
  kernel<<<1, 32>>>(values, 20);
  Kernel const* const pointer = &kernel;
  (*pointer)<<<1, 32>>>(values, 20);
  return equal(values.values(), after(counted<int>(20), 9, 9));
}

CORRECT(launch_by_array_of_pointers) {
  const DeviceArray<int> values(counted<int>(20));
  const Kernel kernels[] = {add_one, times_two, times<5>};
  for (int i = 0; i < 3; ++i) kernels[i]<<<1, 32>>>(values, 20);
  for (const Kernel kernel : kernels) kernel<<<1, 32>>>(values, 20);
  static const Variant kVariants[] = {{"add_one", add_one}, {"times_two", times_two}};
  kVariants[1].kernel<<<1, 32>>>(values, 20);
  const Variant* const variant = kVariants;
  variant->kernel<<<1, 32>>>(values, 20);
  return equal(values.values(), after(counted<int>(20), 200, 221));
}

CORRECT(launch_by_choice) {
  bool right = true;
  for (const bool doubles : {false, true}) {
    const DeviceArray<int> values(counted<int>(20));
    const auto kernel = doubles ? times_two : add_one;
    kernel<<<1, 32>>>(values, 20);
    (doubles ? add_one : times_two)<<<1, 32>>>(values, 20);
    right = equal(values.values(), after(counted<int>(20), 2, doubles ? 1 : 2)) && right;
  }
  return right;
}

CORRECT(launch_by_template_parameter) {
  const DeviceArray<int> values(counted<int>(20));
  launch_parameter<add_one>(values, 20);
  launch_parameter<times<4>>(values, 20);
  launch_any<times_two>(values, 20);
  launch_any<&times<3>>(values, 20);
  launch_argument(add_one, values, 20);
  launch_argument(times<2>, values, 20);
  return equal(values.values(), after(counted<int>(20), 48, 50));
}
