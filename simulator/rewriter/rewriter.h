// File: simulator/rewriter/rewriter.h
//
// CUDA C++ to C++, as little of it as possible: three things that no header can turn into C++.
//
//     scale<float><<<grid, block>>>(x, 2);
//     __SIMULATOR_LAUNCH((scale<float>), (grid, block), x, 2);
//
//     extern __shared__ float s[];
//     extern __SIMULATOR_DYNAMIC float s[] __SIMULATOR_DYNAMIC_NAME;      (see dynamic_shared.h)
//
//     __noinline__ float f();
//     __SIMULATOR_NOINLINE float f();
//
// The macros are those of simulator/include/simulator/language.h. The same holds inside #define.
// All other bytes stay, blanks and comments inside a launch too, so that every token is on the line
// it was on; columns of a line with a launch shift. The first line of the result is
// `#line 1 "path"`, behind the byte order mark if there is one.
//
// The rewriter knows no types. It takes for the kernel what C++ would take for the expression
// before a ( there: a.b->template c<int>[i], get<2>(x), (*pointer), prefix##_name. A launch may lie
// anywhere, also in a macro's arguments, and conditional compilation may cut it up (regions.h).

#ifndef ANDREA_SIMULATOR_REWRITER_REWRITER_H_
#define ANDREA_SIMULATOR_REWRITER_REWRITER_H_

#include <string>
#include <string_view>
#include <vector>

#include "simulator/rewriter/finding.h"

namespace simulator {

struct Rewritten {
  std::string text;               // of the rewritten file
  std::vector<Finding> findings;  // In the order of the file.
  bool is_changed = false;        // Whether `text` differs by more than the #line.
};

// `path` is what messages of the compiler will call the file. A launch that has a finding stays as
// it was.
Rewritten rewrite(std::string_view source, const std::string& path);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_REWRITER_H_
