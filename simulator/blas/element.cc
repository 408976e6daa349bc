#include "simulator/blas/element.h"

#include <cstring>

namespace simulator::blas {

std::size_t element_bytes(cudaDataType type) {
  std::size_t bytes = 0;
  with_element_type(type, [&](auto element) { bytes = sizeof(typename decltype(element)::Type); });
  return bytes;
}

const char* type_name(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F:
      return "CUDA_R_32F";
    case CUDA_R_64F:
      return "CUDA_R_64F";
    case CUDA_R_16F:
      return "CUDA_R_16F";
    case CUDA_R_16BF:
      return "CUDA_R_16BF";
    case CUDA_R_8I:
      return "CUDA_R_8I";
    case CUDA_R_32I:
      return "CUDA_R_32I";
    default:
      return "another type";
  }
}

double read_element(cudaDataType type, const void* address) {
  double value = 0;
  with_element_type(type, [&](auto element) {
    typename decltype(element)::Type read;
    std::memcpy(&read, address, sizeof(read));
    value = number_of<double>(read);
  });
  return value;
}

}  // namespace simulator::blas
