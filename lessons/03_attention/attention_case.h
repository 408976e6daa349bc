// File: attention_case.h
//
// What the tests of this lesson share: an attention of the trial's sizes, with its axes and inputs.

#ifndef ANDREA_LESSONS_03_ATTENTION_ATTENTION_CASE_H_
#define ANDREA_LESSONS_03_ATTENTION_ATTENTION_CASE_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "kernels/attention.h"
#include "lessons/03_attention/mistakes.h"
#include "lessons/03_attention/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/trial.h"
#include "tests/harness/marked_nan.h"

namespace andrea {

// C is H * D, so that every combination is a valid one.
inline const std::vector<std::string> kSizeNames = {"B", "T", "H", "D", "causal"};

// Beside and far from the sizes of warps and blocks, of T and of C = H * D; all but few causal.
inline const std::vector<std::vector<int>> kSizes = {
    {1, 1, 1, 1, 1},  {1, 2, 1, 2, 1},  {2, 3, 3, 2, 1},  {1, 33, 2, 2, 1},
    {2, 5, 3, 4, 0},  {3, 31, 1, 5, 1}, {2, 33, 3, 8, 1}, {1, 9, 3, 64, 1},
    {1, 2, 3, 43, 1}, {1, 97, 1, 3, 1}, {1, 129, 2, 2, 0}};

struct AttentionCase {
  explicit AttentionCase(const Trial& trial) {
    const auto [B, T, H, head_size, causal] = trial.sizes<5>();
    shape = {B, T, H * head_size, H, causal != 0};
    D = head_size;
    numbers = std::int64_t{B} * T * shape.C;
    row_axes = {{"b", B}, {"t", T}, {"h", H}, {"d", D}};
    qkv_axes = {{"b", B}, {"t", T}, {"third", 3}, {"h", H}, {"d", D}};
    square_axes = {{"b", B}, {"h", H}, {"i", T}, {"j", T}};
    vector_axes = {{"b", B}, {"h", H}, {"i", T}};
  }

  template <typename Scalar>
  reference::Matrix<Scalar> qkv_matrix(const std::vector<float>& values) const {
    return as_matrix<Scalar>(values, shape.B * shape.T, 3 * shape.C);
  }
  template <typename Scalar>
  reference::Matrix<Scalar> row_matrix(const std::vector<float>& values) const {
    return as_matrix<Scalar>(values, shape.B * shape.T, shape.C);
  }
  template <typename Scalar>
  reference::Matrix<Scalar> square_matrix(const std::vector<float>& values) const {
    return as_matrix<Scalar>(values, shape.B * shape.H * shape.T, shape.T);
  }

  // Of a matrix or a vector.
  template <typename M>
  static std::vector<float> floats(const M& values) {
    return {values.data(), values.data() + values.size()};
  }

  reference::Matrix<float> random_qkv(Trial& trial, float scale) const {
    return qkv_matrix<float>(trial.random().numbers(3 * numbers, scale));
  }
  // Rows that add up to 1, 0 where masked; other ones in each head and sequence.
  std::vector<float> random_weights(Trial& trial) const {
    return floats(reference::softmax(reference::attention_scores(random_qkv(trial, 2), shape)));
  }

  // What dqkv holds at first: numbers in the thirds that are to stay as they are.
  std::vector<float> stale_but(Trial& trial, const std::set<int>& staying) const {
    std::vector<float> before = trial.random().numbers(3 * numbers);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (staying.count(static_cast<int>(i) % (3 * shape.C) / shape.C) == 0) {
        before[i] = stale_number();
      }
    }
    return before;
  }

  // For mistakes.h: the thirds of qkv, and a [B, T, C] tensor.
  mistakes03::Heads queries(const std::vector<float>& qkv) const {
    return {qkv, shape, 3 * shape.C};
  }
  mistakes03::Heads keys(const std::vector<float>& qkv) const {
    return {qkv, shape, 3 * shape.C, shape.C};
  }
  mistakes03::Heads values(const std::vector<float>& qkv) const {
    return {qkv, shape, 3 * shape.C, 2 * shape.C};
  }
  mistakes03::Heads heads(const std::vector<float>& rows) const { return {rows, shape, shape.C}; }

  AttentionShape shape;
  int D;
  std::int64_t numbers;  // of a [B, T, C] tensor
  Axes row_axes, qkv_axes, square_axes, vector_axes;
};

}  // namespace andrea

#endif  // ANDREA_LESSONS_03_ATTENTION_ATTENTION_CASE_H_
