// add_shared_gaps OBJECT...: what shared_gaps.h says, for tools/bazel/kernel.bzl.

#include <cstdio>

#include "simulator/tool/shared_gaps.h"

int main(int count, char** files) {
  for (int i = 1; i < count; ++i) {
    const std::string problem = simulator::add_shared_gaps(files[i]);
    if (problem.empty()) continue;
    std::fprintf(stderr, "add_shared_gaps: %s\n", problem.c_str());
    return 1;
  }
  return 0;
}
