// File: matrices.h
//
// Products of one warp on the tensor cores, of matrices given by rows as floats: d = a b + 2 c.

#ifndef ANDREA_SIMULATOR_TESTS_GROUPS_MATRICES_H_
#define ANDREA_SIMULATOR_TESTS_GROUPS_MATRICES_H_

#include <vector>

namespace simulator_test {

struct Problem {
  int m = 0;
  int n = 0;
  int k = 0;
  std::vector<float> a, b, c;
};

// Of which type the inputs are, and how they lie in memory.
struct Form {
  const char* type = "half";  // bfloat16, tf32, half_sums (half accumulators), char, unsigned_char
  bool a_by_rows = true;
  bool b_by_rows = true;
};

// By nvcuda::wmma. Throws where the launch failed.
std::vector<float> by_wmma(const Problem& problem, const Form& form);

// 16 x 8 x 16, by tensor_core.h: cp_async, ldmatrix, mma. `type` is half or bfloat16.
std::vector<float> by_mma(const Problem& problem, const Form& form);

// What the 32 lanes get of `matrices` matrices of 8 x 8 whose elements are their own positions.
std::vector<unsigned> registers_of_ldmatrix(int matrices, bool transposed);

}  // namespace simulator_test

#endif  // ANDREA_SIMULATOR_TESTS_GROUPS_MATRICES_H_
