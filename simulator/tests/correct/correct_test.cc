// Runs every right program, each in a process of its own, in several orders of blocks, warps and
// lanes: its values must be right and nothing may be reported.
//
//   correct_test [--seeds=N] [GoogleTest's flags]    N orders instead of 4 (check build: 2)

#include "simulator/tests/correct/correct.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/tests/harness/child.h"

namespace simulator_test {
namespace {

std::vector<Program>& programs() {
  static std::vector<Program> list;
  return list;
}

class CorrectTest : public testing::Test {
 public:
  CorrectTest(const Program& program, int seeds) : program_(program), seeds_(seeds) {}

  void TestBody() override {
    for (int seed = 0; seed < seeds_; ++seed) {
      const Ending ending =
          run_again(program_.name, {{"SIMULATOR_SEED", std::to_string(seed)}, {"NO_COLOR", "1"}});
      EXPECT_EQ(ending.status, 0) << "seed " << seed << "\nthe program wrote:\n" << ending.text;
      EXPECT_EQ(ending.reports.size(), 0u) << "seed " << seed << "\nthe program wrote:\n"
                                           << ending.text;
      if (HasFailure()) return;
    }
  }

 private:
  Program program_;
  int seeds_;
};

// "simulator/tests/correct/barriers.cu" -> "barriers"
std::string group(const Program& program) {
  const std::string path = program.file;
  const std::size_t begin = path.rfind('/') + 1;
  return path.substr(begin, path.rfind('.') - begin);
}

int run_program(const std::string& name) {
  for (const Program& program : programs()) {
    if (name != program.name) continue;
    if (!program.run()) return 1;
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) return 0;
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::fprintf(stderr, "there is no program of the name %s\n", name.c_str());
  return 1;
}

}  // namespace

bool add_program(const Program& program) {
  programs().push_back(program);
  return true;
}

}  // namespace simulator_test

// With the name of a program: runs it. Otherwise the tests.
int main(int count, char** arguments) {
  using simulator_test::Program;
  testing::InitGoogleTest(&count, arguments);
  int seeds = 0;
  if (count == 2) {
    const std::string_view argument = arguments[1];
    const std::string_view flag = "--seeds=";
    if (!argument.starts_with(flag)) return simulator_test::run_program(arguments[1]);
    seeds = std::atoi(arguments[1] + flag.size());
  }
  for (const Program& program : simulator_test::programs()) {
    const int orders = seeds > 0 ? seeds : program.check_build ? 2 : 4;
    testing::RegisterTest(
        simulator_test::group(program).c_str(), program.name, nullptr, nullptr, program.file, 1,
        [&program, orders] { return new simulator_test::CorrectTest(program, orders); });
  }
  return RUN_ALL_TESTS();
}
