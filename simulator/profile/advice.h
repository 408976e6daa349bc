// File: advice.h
//
// What is wrong with a kernel, in a sentence each, only where its counters prove it, and what is
// usually done about it.

#ifndef ANDREA_SIMULATOR_PROFILE_ADVICE_H_
#define ANDREA_SIMULATOR_PROFILE_ADVICE_H_

#include <simulator/counters.h>

#include <cstdint>
#include <string>
#include <vector>

namespace simulator {

struct Advice {
  std::string sentence;     // what was seen, with its numbers
  std::string cure;         // what usually mends it
  std::uint64_t waste = 0;  // sectors, wavefronts or requests that need not be
  std::string line;         // "matmul.cu:31"; empty where it is the whole kernel
};

// What wastes most first. Empty where nothing stands out.
std::vector<Advice> advice(const KernelCounters& kernel);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_ADVICE_H_
