#include "trainer/corpus/text_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

// The files found, named from the folder.
std::vector<std::string> names(const TestFolder& folder, const std::vector<std::string>& paths) {
  std::vector<std::string> result;
  for (const auto& file : find_text_files(paths).files) {
    result.push_back(file.lexically_relative(folder.path()).string());
  }
  return result;
}

using Names = std::vector<std::string>;

TEST(TextFiles, AFolderIsAllItsTextInTheOrderOfNames) {
  const TestFolder folder;
  folder.write("b.txt", "b");
  folder.write("a/2.txt", "2");
  folder.write("a/10.txt", "10");
  folder.write(".git/config", "hidden");
  folder.write(".hidden", "hidden");
  folder.write("PROVENANCE", "from a friend");
  folder.write("empty.txt", "");
  folder.write("image.png", std::string("\x89PNG\0\0", 6));
  folder.write_gzip("packed.gz", std::string("tar\0", 4));
  folder.write_gzip("z.gz", "z");
  EXPECT_EQ(names(folder, {folder.path()}), (Names{"a/10.txt", "a/2.txt", "b.txt", "z.gz"}));
  EXPECT_EQ(
      find_text_files({folder.path()}).description,
      "4 files of " + folder.path().string() + " (2 binary files skipped, such as image.png)");
}

TEST(TextFiles, PatternsAndSeveralPaths) {
  const TestFolder folder;
  const std::string odd = folder.write("odd[1].txt", "a name with brackets");
  folder.write("part1/a.txt", "a");
  folder.write("part2/b.txt", "b");
  folder.write("part2/c.md", "c");
  const std::string base = folder.path().string();
  EXPECT_EQ(names(folder, {base + "/part*"}), (Names{"part1/a.txt", "part2/b.txt", "part2/c.md"}));
  EXPECT_EQ(names(folder, {base + "/part?/*.txt"}), (Names{"part1/a.txt", "part2/b.txt"}));
  EXPECT_EQ(names(folder, {odd, base + "/part2"}),
            (Names{"odd[1].txt", "part2/b.txt", "part2/c.md"}));
  EXPECT_EQ(find_text_files({odd}).description, odd);
  EXPECT_EQ(find_text_files({odd, base + "/part1", odd, odd, odd}).description,
            "5 files of " + odd + ", " + base + "/part1, " + odd + " and 2 more");
}

TEST(TextFiles, RefusesWithTheNearestName) {
  const TestFolder folder;
  const std::string base = folder.path().string();
  folder.write("novels/austen.txt", "text");
  const auto message = [](const std::string& path) {
    return message_of<Error>([&] { find_text_files({path}); });
  };
  EXPECT_EQ(message(base + "/novels/autsen.txt"), "there is no file or folder " + base +
                                                      "/novels/autsen.txt; did you mean " + base +
                                                      "/novels/austen.txt?");
  EXPECT_EQ(message(base + "/novel/austen.txt"),
            "there is no file or folder " + base + "/novel (of " + base +
                "/novel/austen.txt); did you mean " + base + "/novels?");
  EXPECT_EQ(message(base + "/xyz"), "there is no file or folder " + base + "/xyz");
  EXPECT_EQ(message(base + "/*.md"), "no file or folder matches the pattern " + base + "/*.md");
}

TEST(TextFiles, RefusesWhatIsNoText) {
  const TestFolder folder;
  const std::string binary = folder.write("folder/a.bin", std::string("a\0b", 3));
  const auto message = [](const std::vector<std::string>& paths) {
    return message_of<Error>([&] { find_text_files(paths); });
  };
  EXPECT_EQ(message({folder.path() / "folder"}), "there is no text in " +
                                                     (folder.path() / "folder").string() +
                                                     " (1 binary file skipped, a.bin)");
  EXPECT_NE(message({binary}).find("is not text"), std::string::npos);
  EXPECT_NE(message({"/dev/null"}).find("is neither a file nor a folder"), std::string::npos);
  EXPECT_NE(message({}).find("no text is named"), std::string::npos);
  EXPECT_NE(message({""}).find("is empty"), std::string::npos);
  EXPECT_NE(message({folder.write("empty", "")}).find("there is no text"), std::string::npos);
}

TEST(TextFiles, RefusesWhatMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TestFolder folder;
  const std::string file = folder.write("closed/secret.txt", "text");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  EXPECT_NE(message_of<Error>([&] { find_text_files({file}); }).find("Permission denied"),
            std::string::npos);
  const std::filesystem::path closed = folder.path() / "closed";
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  EXPECT_NE(message_of<Error>([&] { find_text_files({folder.path()}); }).find("Permission denied"),
            std::string::npos);
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace andrea
