// File: host_api.h
//
// What the tests of the host API share: a fixture that leaves no error and no report behind, and
// work that notes which operation it is.

#ifndef ANDREA_SIMULATOR_TESTS_HOST_API_HOST_API_H_
#define ANDREA_SIMULATOR_TESTS_HOST_API_HOST_API_H_

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <simulator/library_call.h>

#include <string>
#include <vector>

#include "simulator/runtime/report.h"
#include "simulator/runtime/stream.h"

// A launch as the rewriter writes it.
#define LAUNCH(...) __SIMULATOR_LAUNCH(__VA_ARGS__)

class HostApi : public ::testing::Test {
 protected:
  void SetUp() override {
    cudaDeviceReset();
    simulator::forget_published();
  }
  // Reports would make the program end with status 86.
  void TearDown() override {
    cudaDeviceReset();
    simulator::forget_published();
  }

  // Whether just this was reported since the last call: one report of the kind, an error, with the
  // words in its sentence, and the line (0: any).
  static ::testing::AssertionResult reported(const std::string& kind, const std::string& words,
                                             int line = 0) {
    const std::vector<simulator::Report> reports = simulator::published();
    simulator::forget_published();
    if (reports.size() != 1) {
      return ::testing::AssertionFailure() << reports.size() << " reports";
    }
    const simulator::Report& report = reports.front();
    if (report.kind != kind || !report.error || report.sentence.find(words) == std::string::npos) {
      return ::testing::AssertionFailure() << report.kind << ": " << report.sentence;
    }
    if (line == 0) return ::testing::AssertionSuccess();
    if (report.parties.size() != 1 || report.parties.front().lines.empty() ||
        report.parties.front().lines.front().line != line) {
      return ::testing::AssertionFailure() << "another line";
    }
    return ::testing::AssertionSuccess();
  }

  static bool nothing_reported() { return simulator::published().empty(); }
};

// Puts work into the stream that does nothing but note which operation it is.
inline void probe(cudaStream_t stream, simulator::Operation* operation) {
  EXPECT_EQ(simulator::library_call(stream, "probe", {},
                                    [operation] { *operation = *simulator::running_operation(); }),
            cudaSuccess);
}

#endif  // ANDREA_SIMULATOR_TESTS_HOST_API_HOST_API_H_
