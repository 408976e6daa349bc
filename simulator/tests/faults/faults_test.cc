// Runs every planted fault in a process of its own and compares what the simulator reports with
// what the fault's source says that it must.

#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/tests/faults/fault.h"
#include "simulator/tests/harness/child.h"

namespace simulator_test {
namespace {

constexpr int kReported = 86;

std::vector<Fault>& faults() {
  static std::vector<Fault> list;
  return list;
}

// The lines of a source that carry the fault's mark.
std::set<std::string> marked_lines(const Fault& fault) {
  std::ifstream file(fault.file);
  EXPECT_TRUE(file) << "cannot read " << fault.file;
  std::set<std::string> lines;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    const std::string mark = "// fault: ";
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) continue;
    std::istringstream names(text.substr(at + mark.size()));
    for (std::string name; std::getline(names >> std::ws, name, ',');) {
      if (name == fault.name) lines.insert(fault.file + (":" + std::to_string(number)));
    }
  }
  return lines;
}

// The innermost line of each party.
std::set<std::string> reported_lines(const Json& report) {
  std::set<std::string> lines;
  for (const Json& party : report["parties"].items) {
    const std::vector<Json>& stack = party["lines"].items;
    lines.insert(stack.empty() ? "no line"
                               : stack.front()["file"].text + ":" + stack.front()["line"].text);
  }
  return lines;
}

bool in_kernel(const Json& report) {
  for (const Json& party : report["parties"].items) {
    if (party.members.count("thread") != 0) return true;
  }
  return false;
}

std::string name_of_variable(const Json& report) {
  const std::string& variable = report["variable"].text;
  return variable.substr(0, variable.find(','));
}

class FaultTest : public testing::Test {
 public:
  explicit FaultTest(const Fault& fault) : fault_(fault) {}

  void TestBody() override {
    const Expected& expected = fault_.expected;
    // Those that get nowhere are stopped soon; the others may be slow.
    const char* const timeout = std::string_view(expected.kind) == "no-progress" ? "1" : "60";
    const Ending ending =
        run_again(fault_.name, {{"SIMULATOR_TIMEOUT", timeout}, {"NO_COLOR", "1"}});
    SCOPED_TRACE("the program wrote:\n" + ending.text);
    ASSERT_EQ(ending.reports.size(), 1u);
    const Json& report = ending.reports.front();
    EXPECT_EQ(report["kind"].text, expected.kind);
    EXPECT_EQ(report["level"].text, expected.level == Level::error ? "error" : "note");
    EXPECT_EQ(name_of_variable(report), expected.variable);
    EXPECT_EQ(reported_lines(report), marked_lines(fault_));
    EXPECT_FALSE(report["sentence"].text.empty());
    EXPECT_FALSE(report["cause"].text.empty());
    EXPECT_NE(report["cause"].text.find(expected.says), std::string::npos);
    EXPECT_TRUE(!in_kernel(report) || !report["kernel"].text.empty());
    EXPECT_EQ(ending.status, expected.level == Level::error ? kReported : 0);
  }

 private:
  Fault fault_;
};

// "simulator/tests/faults/bounds.cu" -> "bounds"
std::string group(const Fault& fault) {
  const std::string path = fault.file;
  const std::size_t begin = path.rfind('/') + 1;
  return path.substr(begin, path.rfind('.') - begin);
}

int run_fault(const std::string& name) {
  for (const Fault& fault : faults()) {
    if (name != fault.name) continue;
    fault.program();
    return 0;
  }
  std::fprintf(stderr, "there is no fault of the name %s\n", name.c_str());
  return 1;
}

}  // namespace

bool add_fault(const Fault& fault) {
  faults().push_back(fault);
  return true;
}

}  // namespace simulator_test

// With the name of a fault: runs it. Otherwise the tests.
int main(int count, char** arguments) {
  using simulator_test::Fault;
  testing::InitGoogleTest(&count, arguments);
  if (count == 2) return simulator_test::run_fault(arguments[1]);
  for (const Fault& fault : simulator_test::faults()) {
    if (!fault.check_build && fault.expected.builds == simulator_test::Builds::check) continue;
    testing::RegisterTest(simulator_test::group(fault).c_str(), fault.name, nullptr, nullptr,
                          fault.file, 1, [&fault] { return new simulator_test::FaultTest(fault); });
  }
  return RUN_ALL_TESTS();
}
