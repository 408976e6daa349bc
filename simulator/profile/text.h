// File: text.h
//
// Numbers and names as the profile shows them.

#ifndef ANDREA_SIMULATOR_PROFILE_TEXT_H_
#define ANDREA_SIMULATOR_PROFILE_TEXT_H_

#include <simulator/counters.h>

#include <cstdint>
#include <string>

namespace simulator::text {

std::string number(std::uint64_t value);                             // 1,048,576
std::string bytes(std::uint64_t value);                              // 1.50 MiB
std::string fixed(double value, int decimals);                       // 32.00
std::string percent(double share);                                   // 12.5 %
std::string size(const dim3& size);                                  // 32 x 8
std::string counted(std::uint64_t value, const std::string& thing);  // 1 block, 2 blocks

std::string name(AccessKind kind);  // "global load"
std::string unit(AccessKind kind);  // "sectors", "wavefronts", or nothing
// Sectors or wavefronts a request, and the least that there could be.
double per_request(AccessKind kind, const AccessCounters& counters);
double least_per_request(AccessKind kind, const AccessCounters& counters);
double lanes_per_request(const AccessCounters& counters);

std::string place(const std::string& file, int line);  // "matmul.cu:31"

}  // namespace simulator::text

#endif  // ANDREA_SIMULATOR_PROFILE_TEXT_H_
