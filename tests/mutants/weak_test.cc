// A campaign against tests that are weak on purpose finds the mutants that they let through.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/mutants/bench.h"
#include "tests/mutants/campaign.h"
#include "tests/mutants/score.h"
#include "trainer/base/file.h"

namespace andrea::mutants {
namespace {

namespace fs = std::filesystem;

constexpr char kWritten[] =
    "== 00.1 no_guard report\n"
    "- if (i >= n) return;\n"
    "== 00.1 not_doubled any\n"
    "- 2 * x[i]\n"
    "+ x[i]\n"
    "== 00.1 no_code any\n"
    "- 2 * x[i]\n"
    "+ 2 * x[i\n";

TEST(Campaign, FindsWhatWeakTestsLetThrough) {
  Campaign campaign;
  campaign.file = "tests/mutants/testdata/doubled.cu";
  campaign.solution = read_file(campaign.file);
  campaign.exercises = {"00.1"};
  campaign.written = read_mutants(kWritten, "kWritten");
  const fs::path folder = fs::path(::testing::TempDir()) / "weak";
  fs::create_directories(folder);
  const Bench bench("simulator/tool/cuda", "tests/mutants/weak_link.txt", folder);

  const std::vector<Result> results = results_of(campaign, bench);
  std::map<std::string, bool> killed;
  for (const Result& result : results) {
    killed[result.name] = result.compiled() && result.killed();
  }
  EXPECT_EQ(killed, (std::map<std::string, bool>{{"no_guard", false},
                                                 {"not_doubled", true},
                                                 {"no_code", false},
                                                 {"line 6: >= to >", false},
                                                 {"line 6: if (i >= n) return; removed", false},
                                                 {"line 7: 2 to 3", true}}));
  std::string faults;
  for (const std::string& fault : faults_of(campaign.exercises, results, {})) {
    faults += fault.substr(0, fault.find('\n')) + '\n';
  }
  EXPECT_EQ(faults,
            "00.1 no_guard: it survives.\n"
            "00.1 no_code: it does not compile.\n"
            "00.1 line 6: if (i >= n) return; removed: it survives.\n"
            "00.1 line 6: >= to >: it survives.\n"
            "00.1: it has 3 written mutants; at least 5 are asked for.\n"
            "00.1: less than two thirds of the written mutants are named.\n");
}

TEST(Campaign, ASolutionThatFailsIsNoSolution) {
  Campaign campaign;
  campaign.file = "tests/mutants/testdata/doubled.cu";
  campaign.solution = read_file(campaign.file);
  campaign.solution.replace(campaign.solution.find("2 * x[i]"), 1, "3");
  campaign.exercises = {"00.1"};
  const fs::path folder = fs::path(::testing::TempDir()) / "wrong";
  fs::create_directories(folder);
  const Bench bench("simulator/tool/cuda", "tests/mutants/weak_link.txt", folder);
  EXPECT_THROW(results_of(campaign, bench), std::runtime_error);
}

}  // namespace
}  // namespace andrea::mutants
