// File: simulator/groups/matrix_rows.h
//
// ldmatrix: each lane reads the row that it names, and the warp hands the elements round.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_MATRIX_ROWS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_MATRIX_ROWS_H_

#include <simulator/groups/warp_matrix.h>
#include <simulator/warp.h>
#include <vector_types.h>

namespace __simulator {

template <unsigned __matrices>
inline void __load_rows(unsigned* __result, const void* __row, bool __transposed, __Where __where) {
  __Rows __rows = {{}, {}, __matrices, __transposed};
  if (__lane() < __matrices * 8) {
    if (!__is_shared(__row)) {
      __refuse(
          "ldmatrix-address", "ldmatrix is given an address outside of shared memory",
          "Lanes 0 to 7 name the rows of the first matrix, the next 8 those of the second: each "
          "in shared memory, to which the tile has been copied before.",
          __where);
    }
    if (reinterpret_cast<unsigned long>(__row) % 16 != 0) {
      __refuse(
          "misaligned", "ldmatrix is given a row at an address that is no multiple of 16 bytes",
          "A row is 8 elements of 16 bits. Pad the rows of a tile by a multiple of 8 elements.",
          __where);
    }
    const uint4 __loaded = *static_cast<const uint4*>(__row);
    __rows.__row[0] = __loaded.x;
    __rows.__row[1] = __loaded.y;
    __rows.__row[2] = __loaded.z;
    __rows.__row[3] = __loaded.w;
  }
  __exchange_rows(__rows, __where);
  for (unsigned __i = 0; __i < __matrices; ++__i) __result[__i] = __rows.__result[__i];
}

}  // namespace __simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_MATRIX_ROWS_H_
