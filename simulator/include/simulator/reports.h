// File: simulator/reports.h
//
// What the simulator has told so far, for programs that test kernels:
//
//   const std::size_t before = simulator::errors_reported();
//   softmax<<<grid, block>>>(out, in, n);
//   cudaDeviceSynchronize();
//   if (simulator::errors_reported() > before) ...   // the report is on standard error

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_REPORTS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_REPORTS_H_

#include <cstddef>
#include <string>

namespace simulator {

// What reports call the allocation that begins at `pointer`, instead of the place in the program
// that made it. A name that ends with the sizes, as "table [3 x 2]", tells a report on an index
// which element that would be. Nothing happens where there is no such allocation.
void name_memory(const void* pointer, const std::string& name);

// Whether kernels run under the simulator at all. Under --config=cuda they run on a card, which
// neither reports nor counts anything: then the functions of this header and of counters.h are
// there, and do nothing.
bool simulated();

// Whether the program's kernels are of the check build, so that every load and store is watched.
bool watching();

// Faults told as errors since the program began; notes do not count.
std::size_t errors_reported();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_REPORTS_H_
