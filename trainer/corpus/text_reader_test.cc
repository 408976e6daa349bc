#include "trainer/corpus/text_reader.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

std::string read_all(const std::string& file, std::size_t bytes) {
  TextReader reader(file);
  std::string text;
  while (reader.read(bytes, &text)) {
  }
  return text;
}

TEST(TextReader, ReadsPlainAndGzipFilesAlike) {
  const TestFolder folder;
  EXPECT_EQ(read_all(folder.write("a.txt", "one\ntwo"), 4096), "one\ntwo");
  EXPECT_EQ(read_all(folder.write_gzip("a.txt.gz", "one\ntwo"), 4096), "one\ntwo");
  EXPECT_EQ(read_all(folder.write("empty.txt", ""), 4096), "");
}

TEST(TextReader, LineEndsAreTheSameWhereverThePiecesEnd) {
  const TestFolder folder;
  const std::string file = folder.write("a.txt", "a\r\nbc\r\r\n\r\nd\re\r\n\r");
  for (std::size_t bytes = 4; bytes < 20; ++bytes) {
    EXPECT_EQ(read_all(file, bytes), "a\nbc\r\n\nd\re\n\r") << bytes;
  }
}

TEST(TextReader, DropsTheByteOrderMarkAtTheFrontAlone) {
  const TestFolder folder;
  EXPECT_EQ(read_all(folder.write("a.txt", "\xef\xbb\xbfone\xef\xbb\xbf"), 4), "one\xef\xbb\xbf");
  EXPECT_EQ(read_all(folder.write("b.txt", "\xef\xbb"), 4), "\xef\xbb");
}

TEST(TextReader, RefusesDamagedGzipFiles) {
  const TestFolder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919) + " ";
  const std::string whole = read_file(folder.write_gzip("whole.gz", text));

  const std::string half = folder.write("half.gz", whole.substr(0, whole.size() / 2));
  EXPECT_EQ(message_of<Error>([&] { read_all(half, 4096); }),
            "the gzip file " + half + " is cut short; fetch it or compress it again");

  std::string other = whole;
  other[whole.size() - 6] ^= 1;  // In the checksum.
  const std::string damaged = folder.write("damaged.gz", other);
  EXPECT_NE(message_of<Error>([&] { read_all(damaged, 4096); }).find("is damaged"),
            std::string::npos);

  const std::string plain = folder.write("plain.gz", "not compressed");
  EXPECT_NE(message_of<Error>([&] { read_all(plain, 4096); }).find("is no gzip file"),
            std::string::npos);
  EXPECT_NE(message_of<Error>([&] { read_all("/no/such/file", 4096); }).find("cannot open"),
            std::string::npos);
}

TEST(LineReader, NumbersTheLines) {
  const TestFolder folder;
  const std::string longest(200'000, 'x');
  LineReader lines(folder.write("a.txt", "one\r\n\n" + longest + "\nlast"));
  std::string line;
  ASSERT_TRUE(lines.next(&line));
  EXPECT_EQ(line, "one");
  ASSERT_TRUE(lines.next(&line));
  EXPECT_EQ(line, "");
  ASSERT_TRUE(lines.next(&line));
  EXPECT_EQ(line, longest);
  ASSERT_TRUE(lines.next(&line));
  EXPECT_EQ(line, "last");
  EXPECT_EQ(lines.line_number(), 4u);
  EXPECT_FALSE(lines.next(&line));
}

}  // namespace
}  // namespace andrea
