// File: simulator/groups/warp_matrix.h
//
// Matrices spread over the 32 lanes of a warp, for mma.h and tensor_core.h: where each element
// lies, the product, and the exchange that ldmatrix makes.
//
// A matrix is cut into cores of 8 x 8 elements. Of each core a lane holds two neighbours:
//
//   accumulator and matrix_a: core, row by row         matrix_b: core, column by column
//
//        column  0  1   2  3   4  5   6  7                column  0    1    2         7
//   row 0      lane 0  lane 1  lane 2  lane 3        row 0       |    |    |         |
//   row 1      lane 4  lane 5  lane 6  lane 7        row 1    lane 0 lane 4 lane 8 .. lane 28
//     ...                                            row 2       |    |    |         |
//   row 7      lane 28 lane 29 lane 30 lane 31       row 3    lane 1 lane 5 lane 9 .. lane 29
//                                                      ...
//
// that is, with group = lane / 4 and pair = lane % 4, elements 2 pair and 2 pair + 1 of row (of
// column, in matrix_b) `group`. Cores are numbered down the rows first, then across; elements 2 c
// and 2 c + 1 of a lane are those of core c. This is what PTX prescribes for mma.m16n8k16.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_WARP_MATRIX_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_WARP_MATRIX_H_

#include <simulator/synchronization.h>

namespace __simulator {

struct __Place {
  unsigned __row;
  unsigned __column;
};

// `__rows`: of the matrix. `__down`: neighbours lie in a column.
constexpr __Place __place(unsigned __lane, unsigned __element, unsigned __rows, bool __down) {
  const unsigned __core = __element / 2;
  const unsigned __first_row = __core % (__rows / 8) * 8;
  const unsigned __first_column = __core / (__rows / 8) * 8;
  const unsigned __group = __lane / 4;
  const unsigned __neighbour = __lane % 4 * 2 + __element % 2;
  return __down ? __Place{__first_row + __neighbour, __first_column + __group}
                : __Place{__first_row + __group, __first_column + __neighbour};
}

enum class __Number : unsigned char {
  __half,
  __bfloat16,
  __tf32,  // of a float, the upper 19 bits
  __float,
  __signed_char,
  __unsigned_char,
  __int,
};

// d (m x n) = a (m x k) b (k x n) + c. A product of two inputs is exact in float; each element of d
// begins with that of c and adds its k products in the order of k, rounding to nearest after each.
// A half accumulator is rounded once more at the end. Integers wrap, or saturate where asked.
struct __Product {
  const char* __name;  // of the function, for reports
  unsigned __m, __n, __k;
  __Number __inputs;
  __Number __from;  // of c
  __Number __to;    // of d
  bool __saturate;
};

// By all 32 lanes, each with its own elements.
void __multiply_fragments(const __Product& __product, const void* __a, const void* __b,
                          const void* __c, void* __d, __Where __where);

// A matrix in memory, of which all lanes must tell the same.
struct __Matrix_in_memory {
  const char* __name;  // of the function, for reports
  const void* __address;
  unsigned __stride;           // from one row (column) to the next, in elements
  unsigned __stride_multiple;  // of which it must be a multiple
};
void __check_matrix(const __Matrix_in_memory& __matrix, __Where __where);

// ldmatrix: lane i hands in row i % 8 of matrix i / 8, 8 elements of 16 bits, and gets two elements
// of each matrix, as matrix_a has them or, transposed, as matrix_b has them.
struct __Rows {
  unsigned __row[4];
  unsigned __result[4];
  unsigned __matrices;
  bool __transposed;
};
void __exchange_rows(__Rows& __rows, __Where __where);

}  // namespace __simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_WARP_MATRIX_H_
