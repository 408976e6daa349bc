// File: mechanical.h
//
// Mechanical mutants: a solution with one small change that needs no thought, made from the text
// between SOLUTION and END of each exercise (tools/course/stub.h). A change that a lesson's tests
// do not notice is a mistake that they would let a student make.
//
//     < and <=, > and >=, == and !=, + and -, && and ||    exchanged, one place at a time
//     += to =                                              likewise -= and *=
//     if (...) return;                                     removed; of another `if` its condition
//     threadIdx.x to threadIdx.y                           likewise blockIdx, blockDim, gridDim
//     row * columns + column to column * columns + row
//     rows to columns, row to column; B, T, C, ...         to the other sizes of the region
//     tile[x][y] to tile[y][x]
//     7 to 8, 0xff to 0xfe                                 integers off by one
//     __syncthreads(), __syncwarp(), tile.sync()           removed
//     atomicAdd(&a, b) to a += b
//
// Template arguments, the configuration of a launch, comments and preprocessor lines stay. Of two
// meanings of one character the format decides: only binary operators have spaces on both sides.

#ifndef ANDREA_TESTS_MUTANTS_MECHANICAL_H_
#define ANDREA_TESTS_MUTANTS_MECHANICAL_H_

#include <string>
#include <vector>

namespace andrea::mutants {

struct MechanicalMutant {
  std::string exercise;
  std::string name;  // "line 31: < to <="; the second of that name on its line has " (2)" behind it
  std::string text;  // the whole source
};

// In the order of the file. Throws as regions_of in stub.h does; `file` is the name in messages.
std::vector<MechanicalMutant> mechanical_mutants(const std::string& solution,
                                                 const std::string& file);

}  // namespace andrea::mutants

#endif  // ANDREA_TESTS_MUTANTS_MECHANICAL_H_
