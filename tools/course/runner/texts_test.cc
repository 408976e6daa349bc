// How pages, hints and frames are laid out.

#include <gtest/gtest.h>

#include "tools/course/runner/hint_text.h"
#include "tools/course/runner/page.h"
#include "tools/course/runner/screen.h"
#include "trainer/base/lines.h"
#include "trainer/base/terminal.h"

namespace andrea::course {
namespace {

using Lines = std::vector<std::string>;

TEST(PageTest, ProseIsBrokenAndPicturesAreNot) {
  Page page;
  page.add("one two three four\n  | a picture that is wide |");
  EXPECT_EQ(laid_out(page, {9, false, false}),
            (Lines{"one two", "three", "four", "  | a picture that is wide |"}));
  EXPECT_EQ(laid_out(page, {9, false, true}), (Lines{"one two", "three", "four", "  | a pi…"}));
}

TEST(PageTest, SentencesOfAReportAreBroken) {
  Page page;
  page.add("  the usual cause: no guard");
  EXPECT_EQ(laid_out(page, {18, false, true}), (Lines{"  the usual cause:", "  no guard"}));
  EXPECT_EQ(laid_out(page, {18, false, false}), (Lines{"  the usual cause:", "  no guard"}));
  // Columns, code and drawings are not.
  for (const char* const text : {"  y[i=0]   0.5 | 0.25", "    ##.............",
                                 "     38 |   y[i] = x[i];", "  12 | y[i] = x[i];"}) {
    Page other;
    other.add(text);
    EXPECT_EQ(laid_out(other, {12, false, true}), Lines{cut_off(text, 12)});
  }
}

// The simulator's own width is none of the terminal's.
TEST(PageTest, ASentenceThatTheSimulatorHasBrokenIsWhole) {
  const std::string cause =
      "Usually a barrier is missing between the line that writes and that which reads, or a "
      "__syncthreads stands in a branch that not every thread of the block takes; 2 threads that "
      "write the same number need an atomic.";
  const Lines head = {"error: two threads",
                      "  in kernel sums(float const*, int)",
                      "  thread (0,0,0) of block (0,0,0) writes 4 bytes, at",
                      "    kernel.cu:12",
                      "      | total += x[i];",
                      "  variable: " + std::string(80, 'v')};
  Lines report = head;
  for (const std::string& line : lines_of(wrapped("  " + cause, 94, 2))) {
    report.push_back(line);
  }
  ASSERT_GT(report.size(), head.size() + 1);
  Lines whole = head;
  whole.push_back("  " + cause);
  EXPECT_EQ(rejoined(report), whole);
  const Lines apart = {
      "  " + std::string(92, 'a'), "", "  b", "    12 | code;", "  short", "  lines"};
  EXPECT_EQ(rejoined(apart), apart);
}

TEST(PageTest, APathKeepsItsEnd) {
  Page page;
  page.add("  lessons/00_ä/kernel.cu:36:13");
  EXPECT_EQ(laid_out(page, {30, false, true}), Lines{"  lessons/00_ä/kernel.cu:36:13"});
  EXPECT_EQ(laid_out(page, {29, false, true}), Lines{"  …ssons/00_ä/kernel.cu:36:13"});
  EXPECT_EQ(laid_out(page, {20, false, true}), Lines{"  …ä/kernel.cu:36:13"});
  EXPECT_EQ(laid_out(page, {20, false, false}), Lines{"  lessons/00_ä/kernel.cu:36:13"});
}

TEST(PageTest, ItemsGoOnBelowTheirText) {
  Page page;
  page.add_item("  done  ", "00.1 00.2 00.3");
  EXPECT_EQ(laid_out(page, {80, false, true}), Lines{"  done  00.1 00.2 00.3"});
  EXPECT_EQ(laid_out(page, {18, false, true}), (Lines{"  done  00.1 00.2", "        00.3"}));
}

TEST(PageTest, TwoPagesStandBesideEachOtherWhereThereIsRoom) {
  Page left, right, page;
  left.add("Yours\n  a = 1;\n  b = 2;");
  right.add("The solution\n  ä = 1;");
  page.add("00.1");
  page.add_beside(left, right);
  page.gap();
  page.add("So.");
  EXPECT_EQ(laid_out(page, {22, false, false}),
            (Lines{"00.1", "Yours     The solution", "  a = 1;    ä = 1;", "  b = 2;", "", "So."}));
  EXPECT_EQ(laid_out(page, {21, false, false}), (Lines{"00.1", "Yours", "  a = 1;", "  b = 2;", "",
                                                       "The solution", "  ä = 1;", "", "So."}));
}

TEST(PageTest, GapsAreSingle) {
  Page page;
  page.gap();
  page.add("a");
  page.gap();
  page.gap();
  page.add("b");
  EXPECT_EQ(laid_out(page, {}), (Lines{"a", "", "b"}));
}

TEST(PageTest, ColoursOnlyWhereTheyAreWanted) {
  Page page;
  page.add("well", Style::good);
  EXPECT_EQ(laid_out(page, {80, false, false}), Lines{"well"});
  EXPECT_EQ(laid_out(page, {80, true, false}), Lines{"\033[1;32mwell\033[0m"});
}

// What a kernel prints must not move the cursor, nor break the report.
TEST(PageTest, ControlCodesAndBrokenBytesAreHarmless) {
  EXPECT_EQ(printable("a\033[2Jb\x07"), "a?[2Jb?");
  EXPECT_EQ(printable("\xff\xc3z\xc2\x9b"), "??z??");
  EXPECT_EQ(printable("Grüße\n\t…"), "Grüße\n\t…");
}

TEST(PageTest, CharactersOfSeveralBytesAreOneColumn) {
  EXPECT_EQ(cut_off("äöü", 3), "äöü");
  EXPECT_EQ(cut_off("äöüß", 3), "äö…");
}

constexpr char kHints[] = R"(# Hints

## 02.1 Dot

1. Which rows,
   and which not?

<details><summary>An explanation</summary>

2. A sum. Then:

   more of it.

</details>

<details><summary>Nearly</summary>

3. Write

   ```
   a();
     b();
   ```

</details>

## 02.10 Another

1. Other.
)";

TEST(HintTest, StagesAreRead) {
  const auto stages = hint_stages(kHints, "02.1");
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[0].title, "A question");
  EXPECT_EQ(stages[0].text, "Which rows, and which not?");
  EXPECT_EQ(stages[1].title, "An explanation");
  EXPECT_EQ(stages[1].text, "A sum. Then:\n\nmore of it.");
  EXPECT_EQ(stages[2].text, "Write\n\n    a();\n      b();");
  EXPECT_EQ(hint_stages(kHints, "02.10").at(0).text, "Other.");
  EXPECT_TRUE(hint_stages(kHints, "02.2").empty());
}

TEST(FrameTest, ItFillsTheTerminalAndNoMore) {
  Page body;
  for (int i = 0; i < 30; ++i) body.add("  line " + std::to_string(i));
  const Lines frame = frame_of("title", body, "keys", 0, {20, 10}, false);
  ASSERT_EQ(frame.size(), 10u);
  EXPECT_EQ(frame[0], "title");
  EXPECT_EQ(frame[2], "  line 0");
  EXPECT_EQ(frame[8], "... 24 more lines: …");
  EXPECT_EQ(frame[9], "keys");
  EXPECT_EQ(last_first_line(body, {20, 10}), 23u);
  const Lines end = frame_of("title", body, "keys", 999, {20, 10}, false);
  EXPECT_EQ(end[8], "  line 29");
  // What the tests now running may overturn.
  Page verdict;
  verdict.add("00.1 One: not yet.", Style::bad);
  EXPECT_EQ(frame_of("title", verdict, "keys", 0, {20, 4}, true, /*is_old=*/true),
            (Lines{"\033[1mtitle\033[0m", "\033[2mbefore this test:\033[0m",
                   "\033[2m00.1 One: not yet.\033[0m", "\033[2mkeys\033[0m"}));
  EXPECT_EQ(frame_of("title", Page(), "keys", 5, {3, 4}, false), (Lines{"ti…", "", "", "ke…"}));
}

}  // namespace
}  // namespace andrea::course
