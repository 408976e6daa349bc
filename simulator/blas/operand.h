// File: operand.h
//
// A matrix, or a batch of them, where it lies: how far apart its rows and columns are. One form for
// both orders and for transposes, which are the same memory with the two distances exchanged.

#ifndef ANDREA_SIMULATOR_BLAS_OPERAND_H_
#define ANDREA_SIMULATOR_BLAS_OPERAND_H_

#include <library_types.h>

#include <cstddef>

#include "simulator/blas/element.h"

namespace simulator::blas {

// Distances are in elements.
struct Operand {
  const void* data = nullptr;             // of the first matrix
  cudaDataType type = CUDA_R_32F;         // of an element
  std::ptrdiff_t row_stride = 1;          // from row to row, in elements
  std::ptrdiff_t column_stride = 0;       // from column to column, in elements
  std::ptrdiff_t batch_stride = 0;        // from matrix to matrix, in elements
  const void* const* pointers = nullptr;  // of the batch's matrices, instead of `data`

  // Where one matrix of the batch begins.
  template <typename T>
  T* matrix(std::size_t batch) const {
    const void* const start = pointers != nullptr ? pointers[batch] : data;
    return static_cast<T*>(const_cast<void*>(start)) +
           batch_stride * static_cast<std::ptrdiff_t>(batch);
  }

  // Of an element, from where its matrix begins.
  std::ptrdiff_t offset(std::size_t row, std::size_t column) const {
    return static_cast<std::ptrdiff_t>(row) * row_stride +
           static_cast<std::ptrdiff_t>(column) * column_stride;
  }

  // The same memory with rows and columns exchanged.
  Operand transposed() const {
    Operand other = *this;
    other.row_stride = column_stride;
    other.column_stride = row_stride;
    return other;
  }
};

// In columns, `leading` elements apart, as BLAS has it.
inline Operand in_columns(const void* data, cudaDataType type, std::ptrdiff_t leading) {
  return {data, type, 1, leading, 0, nullptr};
}

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_OPERAND_H_
