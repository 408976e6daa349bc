#include "trainer/corpus/document_cutter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trainer/base/error.h"

namespace andrea {
namespace {

using Pieces = std::vector<std::string>;

// Cuts the whole text, giving the cutter `step` bytes more whenever it asks for them.
Pieces pieces(const DocumentCutter& cutter, const std::string& text, std::size_t step) {
  Pieces result;
  std::size_t begin = 0;
  std::size_t end = 0;
  while (begin < text.size()) {
    const bool complete = end == text.size();
    const std::string_view view = std::string_view(text).substr(begin, end - begin);
    if (const auto cut = cutter(view, complete)) {
      result.emplace_back(view.substr(0, cut->end));
      begin += cut->next;
    } else if (complete) {
      result.emplace_back(view);
      begin = end;
    } else {
      end = std::min(text.size(), end + step);
    }
  }
  return result;
}

TEST(DocumentCutter, CutsAtLinesBlankLinesAndSeparators) {
  for (const std::size_t step : {1, 2, 3, 100}) {
    EXPECT_EQ(pieces(cut_nowhere(), "a\n\nb", step), (Pieces{"a\n\nb"}));
    EXPECT_EQ(pieces(cut_at_lines(), "a\n\nb\n", step), (Pieces{"a", "", "b"}));
    EXPECT_EQ(pieces(cut_at_separator("<>"), "a<<>b<>", step), (Pieces{"a<", "b"}));
    EXPECT_EQ(pieces(cut_at_blank_lines(), "\na\nb\n \t\n\n\n  c\nd\n\n", step),
              (Pieces{"", "a\nb", "", "", "  c\nd"}));
  }
  EXPECT_THROW(cut_at_separator(""), Error);
}

TEST(DocumentCutter, SectionsLoseNothingAndAreOfTheLengthWanted) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "word" + std::to_string(i);
    text += i % 37 == 0 ? "\n\n" : i % 11 == 0 ? "\n" : " ";
  }
  for (const std::size_t wanted : {100u, 999u, 5000u, 20000u}) {
    const Pieces sections = pieces(cut_into_sections(wanted), text, 64);
    EXPECT_EQ(pieces(cut_into_sections(wanted), text, text.size()), sections);
    std::string whole;
    for (const std::string& section : sections) {
      EXPECT_GE(section.size(), wanted / 2);
      EXPECT_LE(section.size(), wanted + wanted / 2);
      whole += section;
    }
    EXPECT_EQ(whole, text);
  }
}

TEST(DocumentCutter, SectionsEndAtTheBestBreakThatIsNear) {
  const std::string a(9, 'a');
  const std::string b(11, 'b');
  EXPECT_EQ(pieces(cut_into_sections(10), a + "\n\n" + b, 1), (Pieces{a + "\n\n", b}));
  EXPECT_EQ(pieces(cut_into_sections(10), a + "\n" + b, 1), (Pieces{a + "\n", b}));
  EXPECT_EQ(pieces(cut_into_sections(10), a + " " + b, 1), (Pieces{a, " " + b}));
  // A paragraph's end is preferred to a nearer line's.
  EXPECT_EQ(pieces(cut_into_sections(10), "aaaaa\n\nbb\nc\nddddddd", 1),
            (Pieces{"aaaaa\n\n", "bb\nc\nddddddd"}));
}

TEST(DocumentCutter, SectionsNeverCutACharacter) {
  std::string euros;
  for (int i = 0; i < 100; ++i) euros += "\xe2\x82\xac";
  for (std::size_t wanted = 7; wanted < 40; ++wanted) {
    for (const std::string& section : pieces(cut_into_sections(wanted), euros, 5)) {
      EXPECT_EQ(section.size() % 3, 0u) << wanted;
    }
  }
  // Bytes that are no characters are cut all the same.
  EXPECT_GT(pieces(cut_into_sections(10), std::string(100, '\x80'), 5).size(), 6u);
}

}  // namespace
}  // namespace andrea
