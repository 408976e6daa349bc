// File: simulator/rewriter/fuzz_rewriter.cc
//
// The properties of the rewriter under libFuzzer, which clang has and GCC has not; no Bazel target.
// In simulator/rewriter, with a folder of seeds:
//
//   clang++-14 -std=c++20 -O1 -g -fsanitize=fuzzer,address -I../.. -o /tmp/fuzz_rewriter \
//       $(ls *.cc | grep -v -e _test -e _main)
//   /tmp/fuzz_rewriter -max_len=4096 -timeout=5 seeds/
//
// rewriter_seeds_test does a fixed part of it in every build.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "simulator/rewriter/rewriter_properties.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(bytes), size);
  const std::string broken = simulator::broken_property(source);
  if (!broken.empty()) {
    std::fprintf(stderr, "broken: %s\n", broken.c_str());
    std::abort();
  }
  return 0;
}
