// File: simulator/rewriter/dynamic_shared.h
//
// Where a file declares dynamic shared memory: extern __shared__ T s[];
//
// In a template GCC forgets the name for the assembler that __SIMULATOR_DYNAMIC_NAME gives a local
// extern declaration: the program would not link, for want of `s`. Such a declaration is therefore
// followed, on its line, by a statement that makes `s` another name of the memory. The same goes
// for a macro's body, which may be used in a template; one used in a template in a namespace does
// not link, since the macro does not know the namespace.

#ifndef ANDREA_SIMULATOR_REWRITER_DYNAMIC_SHARED_H_
#define ANDREA_SIMULATOR_REWRITER_DYNAMIC_SHARED_H_

#include <cstddef>
#include <string>
#include <vector>

#include "simulator/rewriter/regions.h"

namespace simulator {

// Positions in the region.
struct DynamicShared {
  std::size_t shared;                        // The word __shared__.
  std::vector<std::size_t> declarator_ends;  // The last token of each, but for attributes.
  std::size_t end;                           // The ; or the last token of a macro.
  std::string alias;                         // What is to follow the end; may be empty.
};

// All `extern __shared__` arrays of the region.
std::vector<DynamicShared> find_dynamic_shared(const Region& region);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_DYNAMIC_SHARED_H_
