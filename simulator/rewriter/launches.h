// File: simulator/rewriter/launches.h
//
// Where a file launches kernels: kernel<<<grid, block[, shared[, stream]]>>>(arguments).

#ifndef ANDREA_SIMULATOR_REWRITER_LAUNCHES_H_
#define ANDREA_SIMULATOR_REWRITER_LAUNCHES_H_

#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "simulator/rewriter/finding.h"
#include "simulator/rewriter/regions.h"

namespace simulator {

// Positions in the region. `<<<` and `>>>` are one token or two.
struct Launch {
  std::size_t kernel;               // Where its expression begins; it ends before `open`.
  std::size_t open, open_tokens;    // of `<<<`, in bytes and in tokens
  std::size_t close, close_tokens;  // of `>>>`, in bytes and in tokens
  std::size_t arguments_open, arguments_close;  // of the parentheses behind it
};

// In the order of the region. What is not a complete launch goes to `findings` instead.
// `macro_names` are those that the file defines: `k<<<SHAPE>>>()` may be complete if SHAPE is one.
std::vector<Launch> find_launches(const Region& region,
                                  const std::set<std::string_view>& macro_names,
                                  std::vector<Finding>& findings);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_LAUNCHES_H_
