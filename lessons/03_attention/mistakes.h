// File: mistakes.h
//
// Attention as it is often got wrong, for the tests to recognise: the formulas of kernel.h over
// numbers that are looked up one by one, so that a wrong version differs from the right one where
// the mistake is, and nowhere else.

#ifndef ANDREA_LESSONS_03_ATTENTION_MISTAKES_H_
#define ANDREA_LESSONS_03_ATTENTION_MISTAKES_H_

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/attention.h"
#include "lessons/reference_types.h"

namespace andrea::mistakes03 {

using reference::Matrix;

inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The numbers of an attention, by their indices: (b, t, h, d) of a [B, T, C] part of rows of
// `width` numbers, and (b, h, i, j) of a [B, H, T, T] tensor.
class Heads {
 public:
  Heads(const std::vector<float>& values, const AttentionShape& shape, int width, int first = 0)
      : values_(values), shape_(shape), width_(width), first_(first) {}

  double operator()(int b, int t, int h, int d) const {
    const int sequence = shape_.T * (sequence_width_ == 0 ? width_ : sequence_width_);
    return at(b * sequence + t * width_ + first_ + h * shape_.head_size() + d);
  }

  // The same where a sequence begins behind rows of another width.
  Heads with_sequences_of(int width) const {
    Heads result = *this;
    result.sequence_width_ = width;
    return result;
  }

 private:
  double at(int index) const {
    return static_cast<double>(values_[static_cast<std::size_t>(index)]);
  }

  const std::vector<float>& values_;
  const AttentionShape& shape_;
  int width_, first_;
  int sequence_width_ = 0;  // 0: the same
};

// A third of qkv as it is read where a row is taken to have C numbers: also from the place where
// the sequence begins, or only from row to row within it.
inline std::vector<Heads> in_rows_of_C(const std::vector<float>& qkv, const AttentionShape& shape,
                                       int third) {
  const Heads all(qkv, shape, shape.C, third * shape.C);
  return {all, all.with_sequences_of(3 * shape.C)};
}

class Squares {
 public:
  Squares(const std::vector<float>& values, const AttentionShape& shape)
      : values_(values), shape_(shape) {}

  double operator()(int b, int h, int i, int j) const {
    const int index = ((b * shape_.H + h) * shape_.T + i) * shape_.T + j;
    return static_cast<double>(values_[static_cast<std::size_t>(index)]);
  }

 private:
  const std::vector<float>& values_;
  const AttentionShape& shape_;
};

// A [B, H, T, T] tensor of number(b, h, i, j).
template <typename Number>
Matrix<double> squares(const AttentionShape& shape, const Number& number) {
  Matrix<double> result(shape.B * shape.H * shape.T, shape.T);
  for (int b = 0; b < shape.B; ++b) {
    for (int h = 0; h < shape.H; ++h) {
      for (int i = 0; i < shape.T; ++i) {
        for (int j = 0; j < shape.T; ++j) {
          result((b * shape.H + h) * shape.T + i, j) = number(b, h, i, j);
        }
      }
    }
  }
  return result;
}

// A [B, T, C] tensor of number(b, t, h, d).
template <typename Number>
Matrix<double> rows(const AttentionShape& shape, const Number& number) {
  const int D = shape.head_size();
  Matrix<double> result(shape.B * shape.T, shape.C);
  for (int b = 0; b < shape.B; ++b) {
    for (int t = 0; t < shape.T; ++t) {
      for (int h = 0; h < shape.H; ++h) {
        for (int d = 0; d < D; ++d) result(b * shape.T + t, h * D + d) = number(b, t, h, d);
      }
    }
  }
  return result;
}

// dqkv with a third of it written, where it held `before` at first; and with the queries' and
// keys' thirds.
inline Matrix<double> only_third(const std::vector<float>& before, const Matrix<double>& part,
                                 int third) {
  const auto rows = static_cast<int>(part.rows()), columns = static_cast<int>(part.cols());
  Matrix<double> result = reference::load(before.data(), rows, 3 * columns).cast<double>();
  result.middleCols(third * columns, columns) = part;
  return result;
}
inline Matrix<double> queries_and_keys(const std::vector<float>& before,
                                       const Matrix<double>& dquery, const Matrix<double>& dkey) {
  Matrix<double> result = only_third(before, dquery, 0);
  result.middleCols(dquery.cols(), dquery.cols()) = dkey;
  return result;
}

// The same if the rows of dqkv, which have 3 C numbers, are taken to have C.
inline Matrix<double> part_in_rows_of_C(Matrix<double> held, const Matrix<double>& part,
                                        int third) {
  const Eigen::Index first = third * part.cols();
  for (Eigen::Index i = 0; i < part.size(); ++i) held.data()[first + i] = part.data()[i];
  return held;
}

// What a [B, T, H, ...] tensor holds when it is written as [B, H, T, ...]: blocks of `inner`
// numbers in the wrong order.
inline Matrix<double> heads_before_time(const Matrix<double>& right, const AttentionShape& shape) {
  const int T = shape.T, H = shape.H;
  const auto inner = static_cast<int>(right.size()) / (shape.B * T * H);
  Matrix<double> wrong(right.rows(), right.cols());
  for (int b = 0; b < shape.B; ++b) {
    for (int t = 0; t < T; ++t) {
      for (int h = 0; h < H; ++h) {
        for (int k = 0; k < inner; ++k) {
          wrong.data()[((b * H + h) * T + t) * inner + k] =
              right.data()[((b * T + t) * H + h) * inner + k];
        }
      }
    }
  }
  return wrong;
}

// The other way round.
inline Matrix<double> time_before_heads(const Matrix<double>& right, const AttentionShape& shape) {
  AttentionShape exchanged = shape;
  std::swap(exchanged.T, exchanged.H);
  return heads_before_time(right, exchanged);
}

// The sum of term(k) for k = from .. to - 1.
template <typename Term>
double sum(int from, int to, const Term& term) {
  double total = 0;
  for (int k = from; k < to; ++k) total += term(k);
  return total;
}

}  // namespace andrea::mistakes03

#endif  // ANDREA_LESSONS_03_ATTENTION_MISTAKES_H_
