// File: reports.h
//
// What the checker has said during one test.

#ifndef ANDREA_TESTS_MIXED_SETS_REPORTS_H_
#define ANDREA_TESTS_MIXED_SETS_REPORTS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulator/runtime/report.h"

namespace andrea {

// A test that begins without reports, and after which none is held against the program.
class ReportsTest : public testing::Test {
 protected:
  ReportsTest() { simulator::forget_published(); }
  ~ReportsTest() override { simulator::forget_published(); }

  // One line a report: its kind, its sentence, and what its parties did.
  static std::vector<std::string> reports() {
    std::vector<std::string> lines;
    for (const simulator::Report& report : simulator::published()) {
      std::string line = report.kind + ": " + report.sentence;
      for (const simulator::Party& party : report.parties) line += "; " + party.did;
      lines.push_back(line);
    }
    return lines;
  }
};

}  // namespace andrea

#endif  // ANDREA_TESTS_MIXED_SETS_REPORTS_H_
