#include "trainer/base/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <string>
#include <utility>

#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

const std::string kBytes("one\0two\r\n\xff", 10);

TEST(FileTest, IsReadAsItWasWritten) {
  const TestFolder folder;
  const fs::path path = folder.path() / "file";
  write_file(path, kBytes);
  EXPECT_EQ(read_file(path), kBytes);
  write_file(path, "");
  EXPECT_EQ(read_file(path), "");
  replace_file(path, kBytes);
  EXPECT_EQ(read_file(path), kBytes);
  EXPECT_FALSE(fs::exists(path.string() + ".tmp"));
}

TEST(FileTest, ErrorsNameTheFileAndTheCause) {
  const TestFolder folder;
  const std::string none = (folder.path() / "none").string();
  const std::string path = folder.path().string();
  EXPECT_EQ(message_of<Error>([&] { read_file(none); }),
            "cannot open " + none + ": No such file or directory");
  EXPECT_EQ(message_of<Error>([&] { MappedFile file{none}; }),
            "cannot open " + none + ": No such file or directory");
  EXPECT_EQ(message_of<Error>([&] { read_file(path); }),
            "cannot read " + path + ": it is a folder; name a file in it");
  EXPECT_EQ(message_of<Error>([&] { MappedFile file{path}; }),
            "cannot read " + path + ": it is a folder; name a file in it");
  EXPECT_EQ(message_of<Error>([&] { write_file(none + "/file", ""); }),
            "cannot write " + none + "/file: No such file or directory");
  EXPECT_EQ(message_of<Error>([&] { write_file(path, ""); }),
            "cannot write " + path + ": Is a directory");
  EXPECT_EQ(message_of<Error>([&] { replace_file(none + "/file", ""); }),
            "cannot write " + none + "/file.tmp: No such file or directory");
  EXPECT_EQ(message_of<Error>([&] { sync_folder(none); }),
            "cannot open " + none + ": No such file or directory");
}

TEST(FileTest, AReplacementThatFailsLeavesTheOldContents) {
  const TestFolder folder;
  const fs::path path = folder.path() / "file";
  write_file(path, "old");

  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limited = before;
  limited.rlim_cur = 100;  // as if the disk had so much room
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limited);
  const std::string message = message_of<Error>([&] { replace_file(path, std::string(200, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  EXPECT_EQ(message, "cannot write " + path.string() + ".tmp: File too large");
  EXPECT_EQ(read_file(path), "old");
}

TEST(FileWriterTest, PiecesOfAnySizeAreJoined) {
  const TestFolder folder;
  const fs::path path = folder.path() / "file";
  FileWriter writer(path);
  std::string expected;
  // Around the size of its buffer, and beyond.
  for (const std::size_t bytes : {1, 1 << 19, 1 << 20, (1 << 20) + 1, 3 << 20, 7}) {
    const std::string piece(bytes, static_cast<char>('a' + expected.size() % 23));
    writer.write(piece);
    expected += piece;
    EXPECT_EQ(writer.bytes_written(), expected.size());
  }
  writer.write_at(2, "HEADER", 6);
  expected.replace(2, 6, "HEADER");
  writer.write("end");
  writer.close();
  EXPECT_TRUE(read_file(path) == expected + "end");
}

TEST(MappedFileTest, ShowsTheFile) {
  const TestFolder folder;
  const fs::path path = folder.path() / "file";
  write_file(path, kBytes);
  MappedFile file(path);
  EXPECT_EQ(file.view(), kBytes);

  MappedFile moved = std::move(file);
  EXPECT_EQ(moved.view(), kBytes);
  file = std::move(moved);
  EXPECT_EQ(file.view(), kBytes);

  write_file(path, "");
  EXPECT_EQ(MappedFile(path).size(), 0u);
  EXPECT_EQ(MappedFile().view(), "");
}

TEST(ErrorTest, IsPutTogetherFromParts) {
  EXPECT_EQ(text("step ", 12, " of ", 20.5), "step 12 of 20.5");
  EXPECT_NO_THROW(require(true, "never"));
  EXPECT_EQ(message_of<Error>([] { require(1 > 2, "1 > ", 2); }), "1 > 2");
}

}  // namespace
}  // namespace andrea
