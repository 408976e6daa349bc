// What is seen in wrong numbers, and how they are drawn.

#include "tests/harness/exercise/pattern.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/picture.h"
#include "tests/harness/exercise/wrapped.h"
#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

// x[2, 40], right at first; `spoil` says what each number is instead.
Tensor spoilt(const std::function<float(int row, int column, float right)>& spoil) {
  Tensor tensor{"x", {{"row", 2}, {"column", 40}}, {}, {}, {}, 1e-5, true};
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 40; ++column) {
      const float right = 0.25f * static_cast<float>(column * column + row) - 7.3f;
      tensor.expected.push_back(static_cast<double>(right));
      tensor.actual.push_back(spoil(row, column, right));
    }
  }
  return tensor;
}

float never_written() { return std::bit_cast<float>(kNeverWritten); }

TEST(PatternTest, PartsOfAnAxis) {
  EXPECT_EQ(pattern_of(spoilt([](int, int column, float x) { return column >= 32 ? 0 : x; })),
            message("pattern.only_from", {{"axis", "column"}, {"from", "32"}, {"size", "40"}}));
  EXPECT_EQ(pattern_of(spoilt([](int, int column, float x) { return column < 3 ? 9 : x; })),
            message("pattern.only_below", {{"axis", "column"}, {"to", "3"}, {"size", "40"}}));
  EXPECT_EQ(pattern_of(spoilt([](int row, int column, float x) { return row == 1 ? column : x; })),
            message("pattern.only_at", {{"axis", "row"}, {"at", "1"}, {"last", "1"}}));
}

TEST(PatternTest, OneFactorOfAllThatIsWrong) {
  const std::map<std::string, std::string> three = {{"ratio", "3"}};
  EXPECT_EQ(pattern_of(spoilt([](int row, int, float x) { return row == 1 ? 3 * x : x; })),
            message("pattern.only_at", {{"axis", "row"}, {"at", "1"}, {"last", "1"}}) + " " +
                message("pattern.ratio_there", three));
  EXPECT_EQ(
      pattern_of(spoilt([](int, int column, float x) { return column % 5 == 2 ? 3 * x : x; })),
      message("pattern.ratio_of_wrong", three));
}

TEST(PatternTest, MinusInfinityWhereOtherPlacesHaveIt) {
  const auto masked_from = [](int first) {
    Tensor tensor =
        spoilt([&](int, int column, float x) { return column >= first ? -HUGE_VALF : x; });
    for (std::size_t i = 0; i < tensor.expected.size(); ++i) {
      if (i % 40 >= 30) tensor.expected[i] = -HUGE_VAL;
    }
    return tensor;
  };
  // A place of its own is told first.
  Tensor tensor = masked_from(30);
  for (const std::size_t i : {std::size_t{3}, std::size_t{57}}) tensor.actual[i] = -HUGE_VALF;
  EXPECT_EQ(pattern_of(tensor), message("pattern.masked"));
  tensor.actual[4] = HUGE_VALF;
  EXPECT_EQ(pattern_of(tensor), message("pattern.not_finite"));
}

TEST(PatternTest, ALowerBoundOfAFewIsNoPattern) {
  EXPECT_EQ(pattern_of(spoilt([](int, int column, float x) { return column % 5 == 2 ? 9 : x; })),
            "");
}

TEST(PatternTest, WhatWasNeverWritten) {
  EXPECT_EQ(pattern_of(spoilt(
                [](int, int column, float x) { return column >= 33 ? never_written() : x; })),
            message("pattern.never_from", {{"axis", "column"}, {"from", "33"}, {"size", "40"}}));
  EXPECT_EQ(pattern_of(spoilt(
                [](int, int column, float x) { return column % 2 == 0 ? never_written() : x; })),
            message("pattern.never_some", {{"count", "40"}}));
  EXPECT_EQ(
      pattern_of(spoilt([](int row, int, float x) { return row == 0 ? never_written() : x; })),
      message("pattern.never_at", {{"axis", "row"}, {"at", "0"}, {"last", "1"}}));
  EXPECT_EQ(pattern_of(spoilt([](int row, int column, float x) {
              return row == 1 && column == 39 ? never_written() : x;
            })),
            message("pattern.never_some", {{"count", "1"}}));
  const float computed = std::bit_cast<float>(kNeverWritten | kQuietBit);
  EXPECT_EQ(pattern_of(spoilt([&](int, int, float) { return computed; })),
            message("pattern.nan_unwritten"));
}

TEST(PatternTest, WhatStaysIsNoPartOfAPattern) {
  // A matrix of 30 columns in a buffer of 40.
  const auto wide = [](const std::function<float(int column, float right)>& spoil) {
    Tensor tensor =
        spoilt([&](int, int column, float x) { return column < 30 ? spoil(column, x) : x; });
    for (std::size_t i = 0; i < tensor.expected.size(); ++i) {
      tensor.before.push_back(i % 40 < 30 ? 0.5f : static_cast<float>(tensor.expected[i]));
    }
    return tensor;
  };
  EXPECT_EQ(pattern_of(wide([](int, float x) { return 8 * x; })),
            message("pattern.ratio", {{"ratio", "8"}}));
  EXPECT_EQ(pattern_of(wide([](int column, float x) { return x + (column + 1) * (0.1f * x); })),
            "");
  EXPECT_EQ(pattern_of(wide([](int column, float x) { return column >= 16 ? 0 : x; })),
            message("pattern.only_from", {{"axis", "column"}, {"from", "16"}, {"size", "30"}}));
}

TEST(PatternTest, OneErrorForAll) {
  EXPECT_EQ(pattern_of(spoilt([](int, int, float x) { return 8 * x; })),
            message("pattern.ratio", {{"ratio", "8"}}));
  EXPECT_EQ(pattern_of(spoilt([](int, int, float x) { return -x; })), message("pattern.negative"));
  EXPECT_EQ(pattern_of(spoilt([](int, int, float x) { return x + 1; })),
            message("pattern.shifted", {{"difference", "1"}}));
}

TEST(PatternTest, OneErrorForEachIndex) {
  EXPECT_EQ(pattern_of(spoilt([](int row, int, float x) { return row == 0 ? 2 * x : 5 * x; })),
            message("pattern.factor_along", {{"axis", "row"}, {"from", "2"}, {"to", "5"}}));
  EXPECT_EQ(pattern_of(spoilt([](int row, int, float x) { return x + 1 + row; })),
            message("pattern.difference_along", {{"axis", "row"}, {"from", "1"}, {"to", "2"}}));
}

TEST(PatternTest, WhatShouldVary) {
  EXPECT_EQ(pattern_of(spoilt([](int, int, float) { return 3.5f; })),
            message("pattern.constant", {{"number", "3.5"}}));
  EXPECT_EQ(pattern_of(spoilt([](int, int column, float) { return 0.5f * column; })),
            message("pattern.same_along", {{"axis", "row"}}));
  EXPECT_EQ(pattern_of(spoilt([](int row, int, float) { return 2.5f + row; })),
            message("pattern.same_along", {{"axis", "column"}}));
}

TEST(PatternTest, NumbersThatAreNone) {
  EXPECT_EQ(pattern_of(spoilt([](int row, int column, float x) {
              return column % 7 == 2 ? (row == 0 ? HUGE_VALF : std::nanf("")) : x;
            })),
            message("pattern.not_finite"));
}

TEST(PatternTest, RightNumbersInWrongPlaces) {
  Tensor tensor = spoilt([](int, int, float x) { return x; });
  std::reverse(tensor.actual.begin(), tensor.actual.end());
  EXPECT_EQ(pattern_of(tensor), message("pattern.places"));
}

TEST(PatternTest, WhatWasThereBefore) {
  const auto with_before = [](bool overwritten, float factor) {
    Tensor tensor = spoilt([](int, int, float x) { return x; });
    tensor.overwritten = overwritten;
    for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
      tensor.before.push_back(static_cast<float>(i % 7) + 0.5f);
      if (!overwritten) tensor.expected[i] += static_cast<double>(tensor.before[i]);
      tensor.actual[i] += factor * tensor.before[i];
    }
    return tensor;
  };
  EXPECT_EQ(pattern_of(with_before(true, 1)), message("pattern.added"));
  EXPECT_EQ(pattern_of(with_before(false, 0)), message("pattern.assigned"));
  EXPECT_EQ(pattern_of(with_before(false, 2)), message("pattern.doubled_before"));
}

TEST(PatternTest, TheSizesAreToldOfACaseThatIsNotShown) {
  const Tensor wrong = spoilt([](int, int, float x) { return -x; });
  EXPECT_EQ(pattern_line(wrong), "The pattern: " + message("pattern.negative") + "\n");
  EXPECT_EQ(pattern_line(wrong, false),
            "The pattern in a larger case, x [2 x 40]: " + message("pattern.negative") + "\n");
}

TEST(WrappedTest, ProseAndNothingElse) {
  const std::string word(30, 'a'), line = word + " " + word + " " + word;
  EXPECT_EQ(wrapped(""), "");
  EXPECT_EQ(wrapped(line + "\n\n"), line + "\n\n");
  EXPECT_EQ(wrapped(line + " " + word + "\n" + word), line + "\n" + word + "\n" + word);
  EXPECT_EQ(wrapped("  " + line + " " + word), "  " + line + " " + word);
  const std::string endless(150, 'b');
  EXPECT_EQ(wrapped(endless + " " + word), endless + "\n" + word);
  EXPECT_EQ(wrapped(endless + "\n" + word), endless + "\n" + word);
}

TEST(PatternTest, NothingIsInventedForNoise) {
  EXPECT_EQ(pattern_of(spoilt([](int row, int column, float x) {
              return x + static_cast<float>((row * 31 + column * 17) % 11) - 4.5f;
            })),
            "");
}

TEST(PictureTest, MarksWhatIsWrong) {
  Tensor tensor =
      spoilt([](int, int column, float x) { return column == 1 ? never_written() : x; });
  tensor.actual[2] = std::nanf("");
  tensor.actual[3] = 5;
  const std::string drawing = drawing_of(tensor);
  EXPECT_NE(drawing.find("x[row=0..1 down, column=0..39 across]"), std::string::npos) << drawing;
  EXPECT_NE(drawing.find("    .?N#...................................."), std::string::npos)
      << drawing;
  EXPECT_NE(drawing.find("    .?......................................"), std::string::npos)
      << drawing;
  const std::string pairs = pairs_of(tensor);
  EXPECT_NE(pairs.find("x[row=0, column=3]"), std::string::npos) << pairs;
  EXPECT_NE(pairs.find("5                             | -5.05"), std::string::npos) << pairs;
}

TEST(PictureTest, TheHeaderStandsAboveItsColumns) {
  Tensor tensor{"x", {{"row", 12}}, {}, {}, {}, 0.1, true};
  tensor.expected.assign(12, -1.5);
  tensor.actual.assign(12, -1.5f);
  tensor.actual[3] = 0.25f;
  tensor.actual[10] = 100.5f;
  EXPECT_EQ(pairs_of(tensor),
            "              yours | expected\n"
            "  x[row=3]    0.25  | -1.5\n"
            "  x[row=10]   100.5 | -1.5\n");
  tensor.actual[4] = never_written();
  EXPECT_EQ(pairs_of(tensor),
            "              yours                         | expected\n"
            "  x[row=3]    0.25                          | -1.5\n"
            "  x[row=4]    nothing: it was never written | -1.5\n"
            "  x[row=10]   100.5                         | -1.5\n");
}

TEST(PictureTest, OfManyWrongNumbersTheFirstEight) {
  Tensor tensor{"x", {{"row", 9}}, {}, {}, {}, 0.1, true};
  tensor.expected.assign(9, 0);
  tensor.actual.assign(9, 1);
  EXPECT_EQ(pairs_of(tensor).substr(pairs_of(tensor).find("  x[row=7]")),
            "  x[row=7]   1     | 0\n"
            "  ...\n");
  tensor.actual[0] = 0;
  EXPECT_EQ(pairs_of(tensor).find("..."), std::string::npos);
}

TEST(PictureTest, ALargeMatrixIsCutRoundTheFirstWrongNumber) {
  Tensor tensor{"x", {{"b", 2}, {"row", 50}, {"column", 100}}, {}, {}, {}, 0.1, true};
  tensor.expected.assign(10000, 0);
  tensor.actual.assign(10000, 0);
  tensor.actual[5000 + 49 * 100 + 99] = 1;
  const std::string drawing = drawing_of(tensor);
  EXPECT_NE(drawing.find("x[b=1, row=34..49 down, column=36..99 across]"), std::string::npos)
      << drawing;
}

TEST(PictureTest, SaysHowManySlicesAreWrongAndDrawsNoSingleNumber) {
  Tensor tensor{"x", {{"b", 5}, {"row", 2}, {"column", 3}}, {}, {}, {}, 0.1, true};
  tensor.expected.assign(30, 0);
  tensor.actual.assign(30, 0);
  tensor.actual[7] = tensor.actual[8] = 1;
  const std::string said = message("harness.first_slice", {{"count", "2"}});
  EXPECT_EQ(drawing_of(tensor).find("This is the first"), std::string::npos);
  tensor.actual[29] = 1;
  EXPECT_NE(drawing_of(tensor).find(said), std::string::npos) << drawing_of(tensor);
  tensor.axes = {{"b", 30}, {"row", 1}, {"column", 1}};
  EXPECT_EQ(drawing_of(tensor), "");
}

TEST(MessagesTest, WordsAreFilledIn) {
  EXPECT_NE(message("pattern.ratio", {{"ratio", "8"}}).find("8 times"), std::string::npos);
  EXPECT_THROW(message("pattern.ratio"), std::out_of_range);
  EXPECT_THROW(message("pattern.no_such"), std::out_of_range);
  EXPECT_FALSE(has_message("no_such"));
}

}  // namespace
}  // namespace andrea
