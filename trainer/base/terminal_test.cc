#include "trainer/base/terminal.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace andrea {
namespace {

TEST(WrappedTest, BreaksLinesAtSpaces) {
  EXPECT_EQ(wrapped("one two three four", 10, 2), "one two\n  three\n  four");
  EXPECT_EQ(wrapped("one two three four", 18, 2), "one two three four");
  EXPECT_EQ(wrapped("one two three four", 17, 2), "one two three\n  four");
  EXPECT_EQ(wrapped("", 10, 2), "");
}

TEST(WrappedTest, LinesThatFitStayAsTheyAre) {
  const std::string text = "a  b\n\n    c   d\n";
  EXPECT_EQ(wrapped(text, 10, 2), text);
}

TEST(WrappedTest, EachLineIsBrokenByItself) {
  EXPECT_EQ(wrapped("one two three\nfour\nfive six seven", 9, 0),
            "one two\nthree\nfour\nfive six\nseven");
}

TEST(WrappedTest, ALineKeepsTheSpacesItBeginsWith) {
  EXPECT_EQ(wrapped("    one two three", 12, 4), "    one two\n    three");
  EXPECT_EQ(wrapped("        looooooooong", 10, 4), "        looooooooong");
}

TEST(WrappedTest, AWordThatIsTooWideStaysWhole) {
  EXPECT_EQ(wrapped("one looooooooooong two", 8, 2), "one\n  looooooooooong\n  two");
  EXPECT_EQ(wrapped("looooooooooong", 8, 2), "looooooooooong");
}

TEST(WrappedTest, SpacesAtTheEndOrAloneDoNoHarm) {
  EXPECT_EQ(wrapped("one two      ", 8, 2), "one two      ");
  EXPECT_EQ(wrapped(std::string(30, ' '), 8, 2), std::string(30, ' '));
  EXPECT_EQ(wrapped("one      two", 6, 2), "one\n  two");
}

TEST(WrappedTest, CharactersCountOnceWhateverTheirBytes) {
  EXPECT_EQ(wrapped("\u00e9\u00e9\u00e9 \u20ac\u20ac\u20ac", 7, 0),
            "\u00e9\u00e9\u00e9 \u20ac\u20ac\u20ac");
  EXPECT_EQ(wrapped("\u00e9\u00e9\u00e9 \u20ac\u20ac\u20ac", 6, 0),
            "\u00e9\u00e9\u00e9\n\u20ac\u20ac\u20ac");
}

TEST(WrappedTest, NoWordIsLost) {
  const std::string text = "It is a truth universally acknowledged, that a single man ...";
  for (int columns = 1; columns < 70; ++columns) {
    std::istringstream before(text), after(wrapped(text, columns, columns / 4));
    std::string word, same;
    while (before >> word) {
      ASSERT_TRUE(after >> same) << columns;
      EXPECT_EQ(same, word) << columns;
    }
    EXPECT_FALSE(after >> same) << columns;
  }
}

}  // namespace
}  // namespace andrea
