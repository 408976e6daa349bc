// File: arrivals.h
//
// A barrier object of a block (simulator/arrival.h).

#ifndef ANDREA_SIMULATOR_RUNTIME_ARRIVALS_H_
#define ANDREA_SIMULATOR_RUNTIME_ARRIVALS_H_

#include <cstdint>
#include <vector>

#include "simulator/runtime/async_copies.h"

namespace simulator {

struct Arrivals {
  std::int64_t expected = 0;           // in each phase
  std::int64_t pending = 0;            // still expected in this one
  std::uint64_t phase = 0;             // how many times all have arrived
  std::vector<std::uint16_t> waiting;  // threads that wait for the others
  std::vector<AsyncCopy> copies;       // that arrive with this phase
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_ARRIVALS_H_
