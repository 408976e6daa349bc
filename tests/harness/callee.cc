#include "tests/harness/callee.h"

#include <simulator/reports.h>

namespace andrea {
namespace {

Callee in_this_process;
Callee* the_callee = &in_this_process;

}  // namespace

bool Callee::watches() const { return simulator::watching(); }

std::size_t Callee::errors_reported() const { return simulator::errors_reported(); }

cudaError_t Callee::finish() {
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t ended = cudaDeviceSynchronize();
  return launched != cudaSuccess ? launched : ended;
}

void Callee::start_counting() { simulator::start_counting(); }

simulator::Counters Callee::stop_counting() { return simulator::stop_counting(); }

Callee& callee() { return *the_callee; }

void set_callee(Callee& other) { the_callee = &other; }

}  // namespace andrea
