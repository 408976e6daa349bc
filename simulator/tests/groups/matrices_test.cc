// Tensor cores against plain loops, to the last bit: the simulator states the order of its sums.

#include "simulator/tests/groups/matrices.h"

#include <gtest/gtest.h>

#include <string>

namespace simulator_test {
namespace {

// Small multiples of 1/4 (of 1, for integers), which every type holds exactly.
Problem problem(int m, int n, int k, float step, int least) {
  Problem one{m, n, k, {}, {}, {}};
  unsigned state = 99;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return step * static_cast<float>(static_cast<int>(state >> 24) % 13 + least);
  };
  for (int i = 0; i < m * k; ++i) one.a.push_back(next());
  for (int i = 0; i < k * n; ++i) one.b.push_back(next());
  for (int i = 0; i < m * n; ++i) one.c.push_back(next());
  return one;
}

std::vector<float> plainly(const Problem& problem) {
  std::vector<float> d;
  for (int row = 0; row < problem.m; ++row) {
    for (int column = 0; column < problem.n; ++column) {
      float sum = 2 * problem.c[row * problem.n + column];
      for (int k = 0; k < problem.k; ++k) {
        sum += problem.a[row * problem.k + k] * problem.b[k * problem.n + column];
      }
      d.push_back(sum);
    }
  }
  return d;
}

struct Shape {
  int m, n;
};
constexpr Shape kShapes[] = {{16, 16}, {32, 8}, {8, 32}};

TEST(Wmma, MultipliesEveryShapeTypeAndLayout) {
  for (const char* const type : {"half", "half_sums", "bfloat16", "char", "unsigned_char"}) {
    const bool integers = std::string(type).find("char") != std::string::npos;
    const bool no_sign = std::string(type) == "unsigned_char";
    for (const Shape shape : kShapes) {
      for (const bool a_by_rows : {true, false}) {
        for (const bool b_by_rows : {true, false}) {
          SCOPED_TRACE(std::string(type) + ' ' + std::to_string(shape.m) + " x " +
                       std::to_string(shape.n) + (a_by_rows ? " rows" : " columns") +
                       (b_by_rows ? " rows" : " columns"));
          const Problem one =
              problem(shape.m, shape.n, 16, integers ? 1.0f : 0.25f, no_sign ? 0 : -6);
          EXPECT_EQ(by_wmma(one, {type, a_by_rows, b_by_rows}), plainly(one));
        }
      }
    }
  }
}

TEST(Wmma, RoundsInputsToTf32) {
  const Problem exact = problem(16, 16, 8, 0.25f, -6);
  EXPECT_EQ(by_wmma(exact, {"tf32", true, true}), plainly(exact));
  EXPECT_EQ(by_wmma(exact, {"tf32", true, false}), plainly(exact));

  Problem one = exact;
  for (float& value : one.a) value = 0;
  for (float& value : one.b) value = 0;
  for (float& value : one.c) value = 0;
  one.a[0] = 1 + 0x1p-11f;  // half way between two: away from zero
  one.a[8] = 1 + 0x1p-12f;  // row 1: nearer to 1
  one.b[0] = 1;
  const std::vector<float> d = by_wmma(one, {"tf32", true, true});
  EXPECT_EQ(d[0], 1 + 0x1p-10f);
  EXPECT_EQ(d[16], 1.0f);
}

TEST(Wmma, AddsInTheOrderThatItStates) {
  // 1 is lost beside 2^24 if it is added after it, and kept if the two large ones cancel first.
  Problem one = problem(16, 16, 16, 0, 0);
  for (int k = 0; k < 16; ++k) one.b[k * 16] = 1;
  one.a[0] = 4096;
  one.b[0] = 4096;
  one.a[1] = 1;
  one.a[2] = -4096;
  one.b[2 * 16] = 4096;
  one.a[3] = 1;
  EXPECT_EQ(by_wmma(one, {"half", true, true})[0], 1.0f);
}

TEST(Mma, MultipliesWhatLdmatrixLoads) {
  const Problem one = problem(16, 8, 16, 0.25f, -6);
  for (const char* const type : {"half", "bfloat16"}) {
    EXPECT_EQ(by_mma(one, {type, true, true}), plainly(one)) << type;
    EXPECT_EQ(by_mma(one, {type, true, false}), plainly(one)) << type;
  }
}

// PTX's table: lane, and which two elements of the matrix are in its register.
TEST(Ldmatrix, SpreadsAsPtxSays) {
  for (const int matrices : {1, 2, 4}) {
    for (const bool transposed : {false, true}) {
      const std::vector<unsigned> registers = registers_of_ldmatrix(matrices, transposed);
      for (unsigned lane = 0; lane < 32; ++lane) {
        for (unsigned j = 0; j < 4; ++j) {
          const unsigned group = lane >> 2;
          const unsigned pair = lane & 3;
          const unsigned first =
              64 * j + (transposed ? 2 * pair * 8 + group : group * 8 + 2 * pair);
          const unsigned second = first + (transposed ? 8 : 1);
          const unsigned expected = static_cast<int>(j) < matrices ? first | second << 16 : 0;
          ASSERT_EQ(registers[lane * 4 + j], expected) << "lane " << lane << " matrix " << j;
        }
      }
    }
  }
}

}  // namespace
}  // namespace simulator_test
