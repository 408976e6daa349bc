#include "trainer/commands/command_line.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

using Words = std::vector<std::string>;

TEST(NearestTest, IsTheKnownWordWithTheFewestLettersToChange) {
  const Words commands = {"train", "sample", "eval", "tokenizer"};
  EXPECT_EQ(nearest("train", commands), "train");
  EXPECT_EQ(nearest("trian", commands), "train");
  EXPECT_EQ(nearest("rain", commands), "train");
  EXPECT_EQ(nearest("trains", commands), "train");
  EXPECT_EQ(nearest("smaple", commands), "sample");
  EXPECT_EQ(nearest("tokeniser", commands), "tokenizer");
}

TEST(NearestTest, IsEmptyWhenNoneIsNear) {
  EXPECT_EQ(nearest("xyzzy", {"train", "sample", "eval"}), "");
  EXPECT_EQ(nearest("train", {}), "");
  // A long word may have more letters wrong than a short one.
  EXPECT_EQ(nearest("--lerning-raet", {"--learning-rate"}), "--learning-rate");
  EXPECT_EQ(nearest("abcd", {"efgh"}), "");
}

// An app with a flag of its own and one in a group.
class ParseTest : public testing::Test {
 protected:
  ParseTest() : app_("Tells how many.", "andrea count") {
    app_.add_option("--number", number_, "how many");
    app_.add_option("--other-words", words_, "which")->group("Others");
  }

  std::string refusal(const Words& arguments) {
    return message_of<Error>([&] { parse(app_, arguments); });
  }

  CLI::App app_;
  int number_ = 0;
  Words words_;
};

TEST_F(ParseTest, TakesFlagsInOrder) {
  EXPECT_TRUE(parse(app_, {"--number", "3", "--other-words", "a", "b c"}));
  EXPECT_EQ(number_, 3);
  EXPECT_EQ(words_, (Words{"a", "b c"}));
}

TEST_F(ParseTest, AnUnknownFlagIsToldTheNearestOne) {
  EXPECT_EQ(refusal({"--numbre", "3"}),
            "andrea count does not know --numbre; did you mean --number?  (andrea count --help "
            "lists all flags)");
  EXPECT_EQ(refusal({"--numbr=3"}),
            "andrea count does not know --numbr; did you mean --number?  (andrea count --help "
            "lists all flags)");
  EXPECT_NE(refusal({"--other-wrods", "x"}).find("did you mean --other-words?"), std::string::npos);
  EXPECT_EQ(refusal({"--zzzzzzzzzzz"}),
            "andrea count does not know --zzzzzzzzzzz  (andrea count --help lists all flags)");
}

TEST_F(ParseTest, WhatIsNoNumberIsNamed) {
  for (const char* number : {"three", "3x", "1e3", "99999999999", "0.5"}) {
    const std::string message = refusal({"--number", number});
    EXPECT_NE(message.find("--number"), std::string::npos) << number << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  EXPECT_NE(refusal({"--number"}).find("--number"), std::string::npos);
}

TEST_F(ParseTest, HelpIsPrintedAndNothingRuns) {
  testing::internal::CaptureStdout();
  EXPECT_FALSE(parse(app_, {"--help"}));
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_NE(help.find("Tells how many."), std::string::npos) << help;
  EXPECT_NE(help.find("--other-words"), std::string::npos) << help;
}

TEST(ThreadsFlagTest, SetsTheThreads) {
  const int usual = omp_get_max_threads();
  CLI::App app("", "andrea count");
  add_threads_flag(app);
  EXPECT_TRUE(parse(app, {"--threads", "3"}));
  EXPECT_EQ(omp_get_max_threads(), 3);
  for (const char* threads : {"0", "-1", "1025"}) {
    EXPECT_EQ(message_of<Error>([&] {
                parse(app, {"--threads", threads});
              }),
              std::string("--threads is ") + threads + "; it must be between 1 and 1024");
  }
  omp_set_num_threads(usual);
}

}  // namespace
}  // namespace andrea
