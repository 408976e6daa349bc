// File: multiply.h
//
// The matrix product that everything here of more than vectors rests on: sums over k of
// A(i, k) * B(k, j), in blocks that fit the caches. Each sum is added up in the order of k, in one
// accumulator, by one thread, so results depend neither on the number of threads nor on the blocks.

#ifndef ANDREA_SIMULATOR_BLAS_MULTIPLY_H_
#define ANDREA_SIMULATOR_BLAS_MULTIPLY_H_

#include <cstddef>
#include <functional>

#include "simulator/blas/operand.h"

namespace simulator::blas {

struct ProductSize {
  std::size_t m = 0;        // rows of the result
  std::size_t n = 0;        // columns of the result
  std::size_t k = 0;        // terms of each sum
  std::size_t batches = 1;  // products, one after the other
};

// A finished part of the product: columns that lie `leading` apart.
template <typename Number>
struct Tile {
  const Number* sums = nullptr;  // column after column
  std::size_t leading = 0;       // from column to column, in numbers
  std::size_t row = 0;           // the block's first, in the result
  std::size_t column = 0;        // the block's first, in the result
  std::size_t rows = 0;          // of the block
  std::size_t columns = 0;       // of the block
  std::size_t batch = 0;         // which product
};

// Number is float, double or std::int32_t. `store` is called once for every part, from several
// threads at once. Where k is 0 the sums are 0 and neither A nor B is read.
template <typename Number>
void multiply(const ProductSize& size, const Operand& a, const Operand& b, unsigned threads,
              const std::function<void(const Tile<Number>&)>& store);

// As many threads as the size is worth, at most SIMULATOR_WORKERS.
unsigned threads_for(const ProductSize& size);

}  // namespace simulator::blas

#endif  // ANDREA_SIMULATOR_BLAS_MULTIPLY_H_
