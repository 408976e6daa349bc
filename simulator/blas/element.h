// File: element.h
//
// The types of elements that cuBLAS's calls take, by their number in cudaDataType.

#ifndef ANDREA_SIMULATOR_BLAS_ELEMENT_H_
#define ANDREA_SIMULATOR_BLAS_ELEMENT_H_

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include <cstddef>
#include <cstdint>

namespace simulator::blas {

template <typename T>
struct ElementType {
  using Type = T;  // the type of C++
};

// Calls the function with the ElementType; false where the type is none that is known here.
template <typename Function>
bool with_element_type(cudaDataType type, Function function) {
  switch (type) {
    case CUDA_R_32F:
      function(ElementType<float>{});
      return true;
    case CUDA_R_64F:
      function(ElementType<double>{});
      return true;
    case CUDA_R_16F:
      function(ElementType<__half>{});
      return true;
    case CUDA_R_16BF:
      function(ElementType<__nv_bfloat16>{});
      return true;
    case CUDA_R_8I:
      function(ElementType<std::int8_t>{});
      return true;
    case CUDA_R_32I:
      function(ElementType<std::int32_t>{});
      return true;
    default:
      return false;
  }
}

// The name that cuBLAS has for a type of elements.
template <typename T>
inline constexpr cudaDataType kDataType = CUDA_R_32F;
template <>
inline constexpr cudaDataType kDataType<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType kDataType<__half> = CUDA_R_16F;
template <>
inline constexpr cudaDataType kDataType<__nv_bfloat16> = CUDA_R_16BF;
template <>
inline constexpr cudaDataType kDataType<std::int8_t> = CUDA_R_8I;
template <>
inline constexpr cudaDataType kDataType<std::int32_t> = CUDA_R_32I;

// An element as a number to calculate with: exact.
template <typename Number, typename T>
Number number_of(T element) {
  if constexpr (sizeof(T) == 2) {
    return static_cast<Number>(static_cast<float>(element));
  } else {
    return static_cast<Number>(element);
  }
}

// Rounded once, to nearest even.
template <typename T, typename Number>
T element_of(Number number) {
  return static_cast<T>(number);
}

// 0 where the type is not known here.
std::size_t element_bytes(cudaDataType type);
// "CUDA_R_16F"
const char* type_name(cudaDataType type);
// The number at the address, as a double.
double read_element(cudaDataType type, const void* address);

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_ELEMENT_H_
