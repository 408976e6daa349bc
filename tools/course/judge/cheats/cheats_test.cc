// Submissions of lesson 00 that try to earn the points of 00.1 without the work: none does, with a
// look at them or without, and the other exercises of the same file keep what they deserve.
//
//   cheats_test JUDGE CHEAT...
//
// A CHEAT is a name of this folder, of which the programs and the looks' findings lie beside it.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "trainer/base/file.h"

namespace andrea::judge {
namespace {

const std::string kFolder = "tools/course/judge/cheats/";
constexpr std::size_t kExercises = 8;

struct Cheat {
  std::string name;
  std::string refused;     // what the look says of it; empty: it is let through
  std::string told;        // by the judge without a look; empty: nothing is judged without one
  bool costs_all = false;  // it ends the program before any function is called
};

const std::vector<Cheat> kCheats = {
    {"answers_of_one_seed", "", "is wrong"},
    {"calls_by_address", "", "ended before it had answered"},
    {"computes_on_host", "", "copied the numbers of its answer from the host's memory"},
    {"cut_words", "has a word that goes on in the next line", "ended before it had answered"},
    {"digraphs", "a bracket that is spelled as '<' and ':'", "is wrong"},
    {"endless_kernel", "", "no thread of the kernel has finished"},
    {"endless_loop", "", "had not returned after"},
    {"exit_in_constructor", "uses 'exit'", "ended before it had answered", true},
    {"exit_in_function", "uses 'exit'", "ended before it had answered"},
    {"exit_in_kernel", "uses '_exit'", "ended before it had answered"},
    {"forges_counts", "uses 'fopen'", "no answer: a count is larger than the file"},
    {"hides_reports", "uses 'simulator::forget_published'", "error: "},
    {"hooks_of_its_own", "has a 'simulator_tsan_read4' of its own", ""},
    {"host_stores", "", "host code reads device memory"},
    {"leaves_children", "uses 'fork'", "Nothing has been written to y"},
    {"links_a_device", "uses 'symlink'", "ended before it had answered"},
    {"main_of_its_own", "", ""},
    {"memory_of_before", "", "Every number of y is 0"},
    {"nothing", "", "Nothing has been written to y"},
    {"null_write", "", "Segmentation fault"},
    {"odd_bytes", "", "Nothing has been written to y"},
    {"open_of_its_own", "", ""},
    {"pasted_assembly", "inline assembly ('__asm__')", "ended before it had answered"},
    {"prints_much", "", "Nothing has been written to y"},
    {"raw_marker", "has a raw string of several lines", "ended before it had answered"},
    {"reads_the_judge", "uses 'getppid'", "Nothing has been written to y"},
    {"remembered_in_process", "", "Every number of y is 0"},
    {"remembered_output", "uses 'fopen'", "Every number of y is 0"},
    {"system_call", "inline assembly ('__asm__')", "ended before it had answered"},
    {"throws", "", "Aborted"},
    {"unwatched", "the attribute 'no_sanitize'", "is wrong"},
    {"writes_reply_itself", "uses 'fopen'", "Nothing has been written to y"},
    {"writes_results", "uses 'fopen'", "Nothing has been written to y"},
    {"zeroes_inputs", "", "an input was changed"},
};

struct Judged {
  std::set<std::string> passed, failed;  // names of tests
  std::string printed;
};

// The names of the tests that GoogleTest's XML has, by whether they failed.
Judged judged_by(const std::string& xml) {
  Judged result;
  std::size_t at = 0;
  while ((at = xml.find("<testcase ", at)) != std::string::npos) {
    const std::size_t next = xml.find("<testcase ", at + 1);
    const std::string one = xml.substr(at, next - at);
    const std::size_t name = one.find("name=\"") + 6;
    const std::string text = one.substr(name, one.find('"', name) - name);
    (one.find("<failure") == std::string::npos ? result.passed : result.failed).insert(text);
    at += 1;
  }
  return result;
}

Judged judge(const std::string& program, const std::string& student) {
  const std::string xml = std::string(std::getenv("TEST_TMPDIR")) + "/judged.xml";
  std::filesystem::remove(xml);
  // Long enough for an honest call on a busy machine; but an endless one takes all of it.
  const std::string seconds = student.find("endless") == std::string::npos ? "60" : "10";
  const std::string command = program + " --student " + student + " --seconds-a-call " + seconds +
                              " --gtest_output=xml:" + xml + " 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  std::string printed;
  std::array<char, 4096> part;
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) {
    printed.append(part.data(), size);
  }
  pclose(pipe);
  Judged result = judged_by(std::filesystem::exists(xml) ? read_file(xml) : "");
  result.printed = printed;
  return result;
}

const Cheat& cheat(const std::string& name) {
  for (const Cheat& one : kCheats) {
    if (one.name == name) return one;
  }
  throw std::runtime_error("the table has no " + name);
}

std::vector<std::string> words;  // of the command line

TEST(Cheats, EarnNothing) {
  std::printf("%-22s %-8s %-8s %s\n", "tried", "looked", "points", "others right");
  std::set<std::string> tried;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const Cheat& one = cheat(words[i]);
    SCOPED_TRACE(one.name);
    tried.insert(one.name);
    const std::string findings = read_file(kFolder + one.name + "_findings.txt");
    if (one.refused.empty()) {
      EXPECT_EQ(findings, "");
    } else {
      EXPECT_NE(findings.find(one.refused), std::string::npos) << findings;
    }
    if (!one.refused.empty() && one.told.empty()) {
      std::printf("%-22s %-8s %-8s none is judged\n", one.name.c_str(), "refused", "0");
      continue;
    }
    const Judged result = judge(words[0], kFolder + one.name);
    EXPECT_EQ(result.passed.size() + result.failed.size(), kExercises) << result.printed;
    EXPECT_EQ(result.failed.count("Exercise1"), 1u) << result.printed;
    EXPECT_EQ(result.failed.size(), one.costs_all ? kExercises : 1u) << result.printed;
    EXPECT_NE(result.printed.find(one.told), std::string::npos) << result.printed;
    EXPECT_LT(result.printed.size(), 200'000u);
    std::printf("%-22s %-8s %-8s %zu of %zu\n", one.name.c_str(),
                one.refused.empty() ? "let in" : "refused",
                result.failed.count("Exercise1") > 0 ? "0" : "ALL", result.passed.size(),
                kExercises - 1);
  }
  EXPECT_FALSE(tried.empty());
}

}  // namespace
}  // namespace andrea::judge

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  andrea::judge::words.assign(argv + 1, argv + argc);
  return RUN_ALL_TESTS();
}
