#include "trainer/corpus/chapters.h"

#include <gtest/gtest.h>

#include "trainer/base/error.h"

namespace andrea {
namespace {

TEST(Chapters, DividesANovelAndLosesNothing) {
  const std::vector<std::string> lines = {"PRIDE & PREJUDICE",
                                          "",
                                          "By",
                                          "",
                                          "VOLUME I",
                                          "",
                                          "CHAPTER I",
                                          "",
                                          "It is a truth",
                                          "CHAPTER of accidents",
                                          "",
                                          "CHAPTER II",
                                          "Mr. Bennet",
                                          "",
                                          "VOLUME II",
                                          "CHAPTER I",
                                          "Jane",
                                          "Chapter 2",
                                          "The end."};
  const std::vector<TextFile> files = divide_novel(lines);
  ASSERT_EQ(files.size(), 5u);
  EXPECT_EQ(files[0].path, "pride_prejudice/00.txt");
  EXPECT_EQ(files[0].contents, "PRIDE & PREJUDICE\n\nBy\n\n");
  EXPECT_EQ(files[1].path, "pride_prejudice/01.txt");
  EXPECT_EQ(files[1].contents, "VOLUME I\n\nCHAPTER I\n\nIt is a truth\nCHAPTER of accidents\n\n");
  EXPECT_EQ(files[2].contents, "CHAPTER II\nMr. Bennet\n\n");
  EXPECT_EQ(files[3].contents, "VOLUME II\nCHAPTER I\nJane\n");
  EXPECT_EQ(files[4].contents, "Chapter 2\nThe end.\n");
  EXPECT_THROW(divide_novel({"A title", "and text"}), Error);
  EXPECT_THROW(divide_novel({}), Error);
}

TEST(Chapters, DividesTheBibleAndDropsVerseNumbers) {
  const std::vector<TextFile> files = divide_bible(
      "\nGenesis 1\n\n  1 In the beginning.\n  2 And 3 men.\n\nGenesis 2\n\n  1 Thus.\n\n"
      "1 Samuel 10\n\n  12 Then.\n");
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].path, "01_genesis/001.txt");
  EXPECT_EQ(files[0].contents, "Genesis 1\n\nIn the beginning.\nAnd 3 men.\n");
  EXPECT_EQ(files[1].path, "01_genesis/002.txt");
  EXPECT_EQ(files[2].path, "02_1_samuel/010.txt");
  EXPECT_EQ(files[2].contents, "1 Samuel 10\n\nThen.\n");
}

TEST(Chapters, RefusesLinesItDoesNotKnow) {
  for (const char* print :
       {"", "\n", "Genesis", "Genesis one\n", "  1 A verse without a chapter\n",
        "Genesis 1\n  no number\n", "Genesis 1\n  12\n", "Genesis 1\n   1 x\n"}) {
    EXPECT_THROW(divide_bible(print), Error) << print;
  }
}

}  // namespace
}  // namespace andrea
