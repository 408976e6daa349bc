#include "simulator/check/index_advice.h"

#include <gtest/gtest.h>

namespace simulator {
namespace {

using Sizes = std::vector<std::size_t>;

TEST(SizesInName, AreThoseInTheLastBrackets) {
  EXPECT_EQ(sizes_in_name("table [3 x 2]"), (Sizes{3, 2}));
  EXPECT_EQ(sizes_in_name("scores [1 x 12 x 97 x 97]"), (Sizes{1, 12, 97, 97}));
  EXPECT_EQ(sizes_in_name("x [1]"), Sizes{1});
}

TEST(SizesInName, AreNoneWhereSomethingElseStands) {
  for (const char* const name : {"table", "", "[", "]", "a[i]", "a [3 x]", "a [3 x 2] b", "a [3x2]",
                                 "a []", "a [-1 x 2]", "a [99999999999999999999 x 2]"}) {
    EXPECT_TRUE(sizes_in_name(name).empty()) << name;
  }
}

TEST(AdviceOnIndex, TellsTheElementByTheSizes) {
  const std::string advice = advice_on_index("table [3 x 2]", 24, 24);
  EXPECT_NE(advice.find("the element [3, 0], and the last one is [2, 1]"), std::string::npos);
  EXPECT_NE(advice.find("[i, j] lies at i * 2 + j"), std::string::npos);
  const std::string further = advice_on_index("x [2 x 3 x 4]", 96, 4 * (24 + 13));
  EXPECT_NE(further.find("the element [3, 0, 1], and the last one is [1, 2, 3]"),
            std::string::npos);
  EXPECT_NE(further.find("[i, j, k] lies at (i * 3 + j) * 4 + k"), std::string::npos);
}

TEST(AdviceOnIndex, SpeaksOfNoRowsWhereThereAreNone) {
  EXPECT_EQ(advice_on_index("x [6]", 24, 24).find("row"), std::string::npos);
  EXPECT_NE(advice_on_index().find("row * length + column"), std::string::npos);
}

TEST(AdviceOnIndex, IsGeneralWhereTheSizesSayNothing) {
  EXPECT_EQ(advice_on_index("d_out", 24, 24), advice_on_index());
  EXPECT_EQ(advice_on_index("table [0 x 2]", 0, 0), advice_on_index());
  EXPECT_EQ(advice_on_index("table [5 x 2]", 24, 24), advice_on_index());
}

}  // namespace
}  // namespace simulator
