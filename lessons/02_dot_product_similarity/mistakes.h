// File: mistakes.h
//
// Known wrong versions of lesson 02's exercises, which its tests recognise: each makes of the same
// inputs what the mistake makes of them. The sentences are in messages.json.

#ifndef ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_MISTAKES_H_
#define ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_MISTAKES_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lessons/02_dot_product_similarity/reference.h"

namespace andrea::mistakes02 {

using Matrix = reference::Matrix<double>;
using Vector = reference::Vector<double>;

// Only the columns of lane 0: 0, 32, 64, ...; the others are 0.
inline Matrix of_lane_0(Matrix matrix) {
  for (int c = 0; c < matrix.cols(); ++c) {
    if (c % 32 != 0) matrix.col(c).setZero();
  }
  return matrix;
}

// The matrix read as though its numbers lay column after column.
inline Matrix by_columns(const Matrix& matrix) {
  Matrix result(matrix.rows(), matrix.cols());
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    result(i % matrix.rows(), i / matrix.rows()) = matrix.data()[i];
  }
  return result;
}

// Cosines whose dot products, lengths of a and lengths of b are of different numbers.
inline Vector quotients(const Vector& dots, const Vector& a_squares, const Vector& b_squares) {
  return dots.array() / (a_squares.array().sqrt() * b_squares.array().sqrt());
}

inline Vector squares(const Matrix& matrix) { return matrix.rowwise().squaredNorm(); }

// dot / sqrt(a_square * b_square), in float: the product of two squares may be 0 or infinite.
inline Vector with_root_of_product(const Matrix& a, const Matrix& b) {
  Vector cosines = reference::pair_dots(a, b);
  for (Eigen::Index n = 0; n < cosines.size(); ++n) {
    const float product =
        static_cast<float>(a.row(n).squaredNorm()) * static_cast<float>(b.row(n).squaredNorm());
    cosines[n] = product > 0 ? cosines[n] / std::sqrt(static_cast<double>(product)) : 0;
  }
  return cosines;
}

// dot / (|a| |b| + added)
inline Vector with_added_length(const Matrix& a, const Matrix& b, double added) {
  return reference::pair_dots(a, b).array() /
         (squares(a).array().sqrt() * squares(b).array().sqrt() + added);
}

// `out` [N, M] within a buffer of [N, stride] that held `before`, with the rows `stride` apart.
inline Matrix in_buffer(const Matrix& out, const std::vector<float>& before, int stride) {
  Matrix buffer =
      reference::load(before.data(), static_cast<int>(out.rows()), stride).cast<double>();
  buffer.leftCols(out.cols()) = out;
  return buffer;
}

// The same with the rows one behind the other, as if stride were M.
inline Matrix without_stride(const Matrix& out, const std::vector<float>& before, int stride) {
  Matrix buffer =
      reference::load(before.data(), static_cast<int>(out.rows()), stride).cast<double>();
  std::copy_n(out.data(), out.size(), buffer.data());
  return buffer;
}

// The same with each number at [m, n], as far as that lies in the buffer.
inline Matrix turned_in_buffer(const Matrix& out, const std::vector<float>& before, int stride) {
  Matrix buffer =
      reference::load(before.data(), static_cast<int>(out.rows()), stride).cast<double>();
  for (Eigen::Index n = 0; n < out.rows(); ++n) {
    for (Eigen::Index m = 0; m < out.cols(); ++m) {
      const Eigen::Index at = m * stride + n;
      if (at < buffer.size()) buffer.data()[at] = out(n, m);
    }
  }
  return buffer;
}

// A buffer of [N, stride] read at [m, n] in place of [n, m]; NaN behind its end.
inline Matrix read_turned(const std::vector<float>& buffer, int N, int M, int stride) {
  Matrix result = Matrix::Constant(N, M, std::numeric_limits<double>::quiet_NaN());
  for (int n = 0; n < N; ++n) {
    for (int m = 0; m < M; ++m) {
      const auto at = static_cast<std::size_t>(m * stride + n);
      if (at < buffer.size()) result(n, m) = static_cast<double>(buffer[at]);
    }
  }
  return result;
}

// The first N x M numbers of a buffer of [N, stride], read as if stride were M.
inline Matrix read_without_stride(const std::vector<float>& buffer, int N, int M) {
  return reference::load(buffer.data(), N, M).cast<double>();
}

// All pairs with each product stored over the one before: the last one is left, which is 0 where
// the last tile of `tile` columns has room behind column C.
inline Matrix last_product(const Matrix& x, const Matrix& table, int tile = 1) {
  if (x.cols() % tile != 0) return Matrix::Zero(x.rows(), table.rows());
  return x.rightCols(1) * table.rightCols(1).transpose();
}

// All pairs by tiles of `tile` columns, of which the last leaves its sum alone.
inline Matrix last_tile(const Matrix& x, const Matrix& table, int tile) {
  const Eigen::Index start = (x.cols() - 1) / tile * tile, columns = x.cols() - start;
  return x.rightCols(columns) * table.rightCols(columns).transpose();
}

// The matrix with zeros up to whole tiles.
inline Matrix padded(const Matrix& matrix, int tile) {
  const auto up = [&](Eigen::Index size) { return (size + tile - 1) / tile * tile; };
  Matrix result = Matrix::Zero(up(matrix.rows()), up(matrix.cols()));
  result.topLeftCorner(matrix.rows(), matrix.cols()) = matrix;
  return result;
}

// All pairs by tiles, with the table's tile read by [k][column] instead of [column][k].
inline Matrix tile_not_turned(const Matrix& x, const Matrix& table, int tile) {
  const Matrix x_padded = padded(x, tile), table_padded = padded(table, tile);
  Matrix out = Matrix::Zero(x_padded.rows(), table_padded.rows());
  for (Eigen::Index m = 0; m < out.cols(); m += tile) {
    for (Eigen::Index c = 0; c < x_padded.cols(); c += tile) {
      out.middleCols(m, tile) +=
          x_padded.middleCols(c, tile) * table_padded.block(m, c, tile, tile);
    }
  }
  return out.topLeftCorner(x.rows(), table.rows());
}

// The same with the tile of x, read by [k][row] instead of [row][k].
inline Matrix x_tile_turned(const Matrix& x, const Matrix& table, int tile) {
  return tile_not_turned(table, x, tile).transpose();
}

// The row of the table that a thread of out[n, m] takes by row_of(n, m), or zeros where there is
// none.
template <typename RowOf>
Matrix with_rows_of_table(const Matrix& x, const Matrix& table, const RowOf& row_of) {
  Matrix out = Matrix::Zero(x.rows(), table.rows());
  for (Eigen::Index n = 0; n < out.rows(); ++n) {
    for (Eigen::Index m = 0; m < out.cols(); ++m) {
      const Eigen::Index row = row_of(n, m);
      if (row < table.rows()) out(n, m) = x.row(n).dot(table.row(row));
    }
  }
  return out;
}

// All pairs by tiles, with both tiles read in the row of x, [row][k].
inline Matrix same_row_of_tiles(const Matrix& x, const Matrix& table, int tile) {
  return with_rows_of_table(
      x, table, [tile](Eigen::Index n, Eigen::Index m) { return m / tile * tile + n % tile; });
}

// All pairs by tiles, with the tile of the table loaded where that of x begins.
inline Matrix rows_of_same_tile(const Matrix& x, const Matrix& table, int tile) {
  return with_rows_of_table(
      x, table, [tile](Eigen::Index n, Eigen::Index m) { return n / tile * tile + m % tile; });
}

// All pairs by tiles, with each number of the table's tile loaded from the row of its column.
inline Matrix row_of_column(const Matrix& x, const Matrix& table, int tile) {
  Matrix out = Matrix::Zero(x.rows(), table.rows());
  for (Eigen::Index n = 0; n < out.rows(); ++n) {
    for (Eigen::Index m = 0; m < out.cols(); ++m) {
      for (Eigen::Index c = 0; c < x.cols(); ++c) {
        const Eigen::Index row = m / tile * tile + c % tile;
        if (row < table.rows()) out(n, m) += x(n, c) * table(row, c);
      }
    }
  }
  return out;
}

// All pairs by tiles whose columns past the last one repeat it.
inline Matrix last_column_repeated(const Matrix& x, const Matrix& table, int tile) {
  const Eigen::Index extra = (tile - x.cols() % tile) % tile, last = x.cols() - 1;
  return x * table.transpose() +
         static_cast<double>(extra) * x.col(last) * table.col(last).transpose();
}

// All pairs by patches whose rows lie 16 apart within 64, as 02.8 has them: every number of a patch
// is the sum of all its products.
inline Matrix one_sum_a_patch(const Matrix& x, const Matrix& table) {
  const Matrix right = x * table.transpose();
  Matrix out = Matrix::Zero(right.rows(), right.cols());
  for (Eigen::Index n = 0; n < out.rows(); ++n) {
    for (Eigen::Index m = 0; m < out.cols(); ++m) {
      for (Eigen::Index i = n / 64 * 64 + n % 16; i < std::min(out.rows(), n / 64 * 64 + 64);
           i += 16) {
        for (Eigen::Index j = m / 64 * 64 + m % 16; j < std::min(out.cols(), m / 64 * 64 + 64);
             j += 16) {
          out(n, m) += right(i, j);
        }
      }
    }
  }
  return out;
}

// The same patches, written with i and j exchanged; 0 where there is no number.
inline Matrix patches_turned(const Matrix& x, const Matrix& table) {
  const Matrix right = x * table.transpose();
  Matrix out(right.rows(), right.cols());
  for (Eigen::Index n = 0; n < out.rows(); ++n) {
    for (Eigen::Index m = 0; m < out.cols(); ++m) {
      const Eigen::Index from_n = n / 64 * 64 + m % 64 / 16 * 16 + n % 16;
      const Eigen::Index from_m = m / 64 * 64 + n % 64 / 16 * 16 + m % 16;
      const bool there = from_n < out.rows() && from_m < out.cols();
      out(n, m) = there ? right(from_n, from_m) : 0;
    }
  }
  return out;
}

// The sum of the patch's rows 16 apart, written as if they were neighbours; and the other way
// round.
template <typename RowOf>
Matrix patches_elsewhere(const Matrix& x, const Matrix& table, const RowOf& from) {
  const Matrix right = x * table.transpose();
  Matrix out = Matrix::Zero(right.rows(), right.cols());
  for (Eigen::Index n = 0; n < out.rows(); ++n) {
    for (Eigen::Index m = 0; m < out.cols(); ++m) {
      const Eigen::Index from_n = n / 64 * 64 + from(n % 64), from_m = m / 64 * 64 + from(m % 64);
      if (from_n < out.rows() && from_m < out.cols()) out(n, m) = right(from_n, from_m);
    }
  }
  return out;
}
inline Matrix written_as_neighbours(const Matrix& x, const Matrix& table) {
  return patches_elsewhere(x, table, [](Eigen::Index at) { return at / 4 + at % 4 * 16; });
}
inline Matrix read_as_neighbours(const Matrix& x, const Matrix& table) {
  return patches_elsewhere(x, table, [](Eigen::Index at) { return at % 16 * 4 + at / 16; });
}

}  // namespace andrea::mistakes02

#endif  // ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_MISTAKES_H_
