#include "simulator/blas/multiply.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "simulator/blas/micro_kernel.h"
#include "simulator/runtime/options.h"

namespace simulator::blas {
namespace {

// A block of A, packed, stays in the L2 cache while it meets all of a block of B.
constexpr std::size_t kBlockRows = 128;
constexpr std::size_t kBlockDepth = 256;
// A task: the part of the product that one thread does at a time, with its sums in a buffer.
constexpr std::size_t kTaskRows = 1024;
constexpr std::size_t kTaskColumns = 384;
// Starting a thread costs tens of microseconds.
constexpr double kProductsWorthAThread = 2e6;

std::size_t parts(std::size_t whole, std::size_t part) { return (whole + part - 1) / part; }
std::size_t rounded_up(std::size_t number, std::size_t to) { return parts(number, to) * to; }

// Panels of `width` rows, in each of which the rows' numbers at one depth lie side by side. Rows
// that are missing from the last panel are zeros.
template <typename T, typename Number>
void pack(const T* from, std::ptrdiff_t row_stride, std::ptrdiff_t depth_stride, std::size_t rows,
          std::size_t depth, std::size_t width, Number* to) {
  for (std::size_t row = 0; row < rows; row += width, to += width * depth) {
    const T* const panel = from + static_cast<std::ptrdiff_t>(row) * row_stride;
    const std::size_t present = std::min(width, rows - row);
    if (present < width) std::fill(to, to + width * depth, Number{0});
    if (row_stride == 1) {
      for (std::size_t p = 0; p < depth; ++p) {
        const T* const column = panel + static_cast<std::ptrdiff_t>(p) * depth_stride;
        for (std::size_t r = 0; r < present; ++r) {
          to[p * width + r] = number_of<Number>(column[r]);
        }
      }
      continue;
    }
    for (std::size_t r = 0; r < present; ++r) {
      const T* const line = panel + static_cast<std::ptrdiff_t>(r) * row_stride;
      for (std::size_t p = 0; p < depth; ++p) {
        to[p * width + r] = number_of<Number>(line[static_cast<std::ptrdiff_t>(p) * depth_stride]);
      }
    }
  }
}

template <typename Number>
void pack(const Operand& operand, std::size_t batch, std::size_t row, std::size_t column,
          std::size_t rows, std::size_t depth, std::size_t width, Number* to) {
  with_element_type(operand.type, [&](auto element) {
    using T = typename decltype(element)::Type;
    pack(operand.matrix<const T>(batch) + operand.offset(row, column), operand.row_stride,
         operand.column_stride, rows, depth, width, to);
  });
}

// What a thread needs for its tasks.
template <typename Number>
struct Buffers {
  std::vector<Number> a;
  std::vector<Number> b;
  std::vector<Number> sums;
};

// Adds up all of one task. `tile` says which; its sums are set here.
template <typename Number>
void compute_task(const ProductSize& size, const Operand& a, const Operand& b_transposed,
                  Buffers<Number>& buffers, Tile<Number>& tile) {
  const MicroKernel<Number>& kernel = micro_kernel<Number>();
  tile.leading = rounded_up(tile.rows, kernel.rows);
  const std::size_t columns = rounded_up(tile.columns, kernel.columns);
  buffers.sums.assign(tile.leading * columns, Number{0});
  tile.sums = buffers.sums.data();
  const std::size_t block_rows = rounded_up(kBlockRows, kernel.rows);
  const std::size_t depth_of_buffers = std::min(kBlockDepth, size.k);
  buffers.a.resize(std::min(block_rows, tile.leading) * depth_of_buffers);
  buffers.b.resize(columns * depth_of_buffers);

  for (std::size_t p = 0; p < size.k; p += kBlockDepth) {
    const std::size_t depth = std::min(kBlockDepth, size.k - p);
    pack(b_transposed, tile.batch, tile.column, p, tile.columns, depth, kernel.columns,
         buffers.b.data());
    for (std::size_t i = 0; i < tile.rows; i += block_rows) {
      const std::size_t rows = std::min(block_rows, tile.rows - i);
      pack(a, tile.batch, tile.row + i, p, rows, depth, kernel.rows, buffers.a.data());
      for (std::size_t j = 0; j < columns; j += kernel.columns) {
        for (std::size_t r = 0; r < rows; r += kernel.rows) {
          kernel.run(buffers.a.data() + r * depth, buffers.b.data() + j * depth, depth,
                     buffers.sums.data() + j * tile.leading + i + r, tile.leading);
        }
      }
    }
  }
}

}  // namespace

template <typename Number>
void multiply(const ProductSize& size, const Operand& a, const Operand& b, unsigned threads,
              const std::function<void(const Tile<Number>&)>& store) {
  if (size.m == 0 || size.n == 0 || size.batches == 0) return;
  const Operand b_transposed = b.transposed();
  const std::size_t row_parts = parts(size.m, kTaskRows);
  const std::size_t column_parts =
      std::max(parts(size.n, kTaskColumns), std::min<std::size_t>(threads, parts(size.n, 16)));
  const std::size_t rows = parts(size.m, row_parts);
  const std::size_t columns = parts(size.n, column_parts);
  const std::size_t tasks = size.batches * row_parts * column_parts;

  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    Buffers<Number> buffers;
    for (std::size_t task = next++; task < tasks; task = next++) {
      Tile<Number> tile;
      tile.batch = task / (row_parts * column_parts);
      tile.row = task % row_parts * rows;
      tile.column = task / row_parts % column_parts * columns;
      if (tile.row >= size.m || tile.column >= size.n) continue;
      tile.rows = std::min(rows, size.m - tile.row);
      tile.columns = std::min(columns, size.n - tile.column);
      compute_task(size, a, b_transposed, buffers, tile);
      store(tile);
    }
  };
  std::vector<std::thread> helpers;
  const std::size_t useful = std::min<std::size_t>(threads, tasks);
  try {
    while (helpers.size() + 1 < useful) helpers.emplace_back(work);
  } catch (const std::system_error&) {  // no thread to be had: those that run do all of it
  }
  work();
  for (std::thread& helper : helpers) helper.join();
}

template void multiply<float>(const ProductSize&, const Operand&, const Operand&, unsigned,
                              const std::function<void(const Tile<float>&)>&);
template void multiply<double>(const ProductSize&, const Operand&, const Operand&, unsigned,
                               const std::function<void(const Tile<double>&)>&);
template void multiply<std::int32_t>(const ProductSize&, const Operand&, const Operand&, unsigned,
                                     const std::function<void(const Tile<std::int32_t>&)>&);

unsigned threads_for(const ProductSize& size) {
  const double products = static_cast<double>(size.m) * static_cast<double>(size.n) *
                          static_cast<double>(size.k) * static_cast<double>(size.batches);
  return products < kProductsWorthAThread ? 1 : options().workers;
}

}  // namespace simulator::blas
