#include "trainer/commands/help_text.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace andrea {
namespace {

// An app with a flag of every kind.
class HelpTextTest : public testing::Test {
 protected:
  HelpTextTest()
      : app_("Counts the words of a text and tells how many there are.", "andrea count") {
    app_.option_defaults()->always_capture_default();
    app_.add_option("ids", ids_, "which to count");
    app_.add_option("--most", most_, "how many at most\n0: none\n1: one");
    app_.option_defaults()->group("Other flags");
    app_.add_option("--share", share_, "how much of the text is read before the count begins");
    app_.add_option("--out", out_, "where to")->type_name("PATH");
    app_.add_option("--words", words_, "which");
    app_.add_flag("--tied,!--untied", tied_, "whether they are tied")->default_str("--untied");
  }

  CLI::App app_;
  std::vector<int> ids_;
  int most_ = 7;
  double share_ = 0.5;
  std::string out_;
  std::vector<std::string> words_;
  bool tied_ = false;
};

TEST_F(HelpTextTest, HasALineForEachFlag) {
  EXPECT_EQ(help_text(app_, 80),
            "Counts the words of a text and tells how many there are.\n"
            "\n"
            "andrea count [FLAG...] [ids...]\n"
            "In [brackets]: what holds without the flag.\n"
            "\n"
            "  -h, --help        Print this help message and exit\n"
            "  ids...            which to count\n"
            "  --most N          how many at most [7]\n"
            "                    0: none\n"
            "                    1: one\n"
            "\n"
            "Other flags\n"
            "  --share X         how much of the text is read before the count begins [0.5]\n"
            "  --out PATH        where to\n"
            "  --words TEXT...   which\n"
            "  --tied, --untied  whether they are tied [--untied]\n");
}

TEST_F(HelpTextTest, FitsTheScreen) {
  for (const int columns : {50, 51, 60, 72, 80, 100, 300}) {
    std::istringstream lines(help_text(app_, columns));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(static_cast<int>(line.size()), std::min(columns, 100)) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST_F(HelpTextTest, LinesGoOnBelowTheirBeginning) {
  EXPECT_NE(help_text(app_, 50).find("  --share X         how much of the text is read\n"
                                     "                    before the count begins [0.5]\n"),
            std::string::npos)
      << help_text(app_, 50);
  EXPECT_EQ(help_text(app_, 10), help_text(app_, 50)) << "narrower than any text can be";
}

TEST_F(HelpTextTest, AHiddenFlagIsHidden) {
  app_.add_option("--secret", out_, "not for everyone")->group("");
  EXPECT_EQ(help_text(app_, 80).find("not for everyone"), std::string::npos);
}

}  // namespace
}  // namespace andrea
