// File: callee.h
//
// Whoever runs the functions under test: this process, or a program of its own that the functions
// were linked into (tools/course/judge). What a test asks of CUDA and of the simulator about a call
// that it has made, it asks here.

#ifndef ANDREA_TESTS_HARNESS_CALLEE_H_
#define ANDREA_TESTS_HARNESS_CALLEE_H_

#include <cuda_runtime.h>
#include <simulator/counters.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace andrea {

// Thrown by a call that came to no answer: what() is for a learner.
class CallFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The functions of this class itself are for a callee in this process.
class Callee {
 public:
  virtual ~Callee() = default;

  // Whether every load and store is watched, so that no guard zones are needed.
  virtual bool watches() const;
  // Faults that the simulator has told.
  virtual std::size_t errors_reported() const;
  // Waits until all work is done. The first error since the last time, of a launch or of the work.
  virtual cudaError_t finish();

  // What kernels ask of memory in the calls between the two.
  virtual void start_counting();
  virtual simulator::Counters stop_counting();
};

Callee& callee();

// Before anything else is asked of a callee. It is not owned.
void set_callee(Callee& other);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_CALLEE_H_
