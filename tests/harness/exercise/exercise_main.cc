// Runs the tests of a lesson (printer.h).

#include <gtest/gtest.h>

#include <string>

#include "tests/harness/exercise/printer.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  andrea::print_as_exercises();
  const bool well = RUN_ALL_TESTS() == 0;
  if (argc < 2 || std::string(argv[1]) != "--all_must_fail") return well ? 0 : 1;
  return ::testing::UnitTest::GetInstance()->successful_test_count() == 0 ? 0 : 1;
}
