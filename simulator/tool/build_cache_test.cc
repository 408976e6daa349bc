#include "simulator/tool/build_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "simulator/tool/content_hash.h"
#include "simulator/tool/dependency_file.h"

namespace simulator {
namespace {

namespace fs = std::filesystem;

class BuildCacheTest : public testing::Test {
 protected:
  BuildCacheTest() {
    fs::remove_all(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    std::string notice;
    cache_ = BuildCache::open(notice);
    EXPECT_EQ(notice, "");
  }

  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  }

  std::string store(const std::string& recipe, const std::string& contents,
                    const std::optional<std::vector<Dependency>>& dependencies) {
    std::string problem;
    const std::string work = cache_->new_work_folder(problem);
    write(work + "/program", contents);
    chmod((work + "/program").c_str(), 0755);
    const std::string path = cache_->store(recipe, "program", dependencies, work, problem);
    EXPECT_EQ(problem, "");
    EXPECT_FALSE(fs::exists(work));
    return path;
  }

  std::size_t count() const {
    const fs::directory_iterator programs(folder_ + "/andrea/cuda/programs");
    return static_cast<std::size_t>(std::distance(begin(programs), end(programs)));
  }

  const std::string folder_ = testing::TempDir() + "/build_cache";
  std::optional<BuildCache> cache_;
};

TEST_F(BuildCacheTest, FoundAsLongAsTheFilesHoldTheSame) {
  const std::string source = folder_ + "/source file.cu";
  write(source, "one");
  EXPECT_EQ(cache_->find("recipe", "program"), "");
  const std::string first = store("recipe", "1", {{{source, hash_of_text("one")}}});
  EXPECT_EQ(cache_->find("recipe", "program"), first);
  EXPECT_EQ(cache_->find("other", "program"), "");
  write(source, "two");
  EXPECT_EQ(cache_->find("recipe", "program"), "");
  const std::string second = store("recipe", "2", {{{source, hash_of_text("two")}}});
  EXPECT_NE(first, second);
  EXPECT_EQ(cache_->find("recipe", "program"), second);
  write(source, "one");
  EXPECT_EQ(cache_->find("recipe", "program"), first);
  fs::remove(source);
  EXPECT_EQ(cache_->find("recipe", "program"), "");
}

TEST_F(BuildCacheTest, TwoBuildsOfTheSame) {
  const std::string first = store("recipe", "1", {{}});
  EXPECT_EQ(store("recipe", "1", {{}}), first);
  EXPECT_EQ(count(), 1u);
}

TEST_F(BuildCacheTest, WithoutDependenciesItRunsOnce) {
  const std::string program = store("recipe", "1", std::nullopt);
  EXPECT_EQ(access(program.c_str(), X_OK), 0);
  EXPECT_EQ(cache_->find("recipe", "program"), "");
}

TEST_F(BuildCacheTest, TheOldestGoFirst) {
  std::vector<std::string> programs;
  for (int i = 0; i < 4; ++i) {
    programs.push_back(store(std::to_string(i), std::string(1000, 'x'), {{}}));
    fs::last_write_time(fs::path(programs.back()).parent_path(),
                        fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
  }
  EXPECT_EQ(cache_->find("0", "program"), programs[0]);  // Used now.
  cache_->trim(3, 1 << 20);
  EXPECT_EQ(cache_->find("1", "program"), "");
  EXPECT_EQ(count(), 3u);
  cache_->trim(3, 2500);
  EXPECT_EQ(count(), 2u);
  EXPECT_EQ(cache_->find("0", "program"), programs[0]);
  cache_->trim(3, 1);  // One stays: it is about to run.
  EXPECT_EQ(count(), 1u);
}

TEST_F(BuildCacheTest, WhereTheUsualFolderCannotBe) {
  write(folder_ + "/file", "");
  setenv("XDG_CACHE_HOME", (folder_ + "/file").c_str(), 1);
  const std::string temporary = folder_ + "/tmp";
  fs::create_directory(temporary);
  setenv("TMPDIR", temporary.c_str(), 1);
  std::string notice, problem;
  const auto cache = BuildCache::open(notice);
  ASSERT_TRUE(cache);
  EXPECT_NE(notice.find("Not a directory"), std::string::npos) << notice;
  EXPECT_EQ(cache->new_work_folder(problem).find(temporary), 0u);
  setenv("TMPDIR", (folder_ + "/file").c_str(), 1);
  EXPECT_FALSE(BuildCache::open(notice));
  unsetenv("TMPDIR");
}

TEST(DependencyFile, Paths) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(paths_of_dependency_file("out.o: a.cu \\\n my\\ header.h /x/c++/$$y.h\n"),
            (Paths{"a.cu", "my header.h", "/x/c++/$y.h"}));
  EXPECT_EQ(paths_of_dependency_file("out: a.o\n\na.o:\n\nb.o:\n"), (Paths{"a.o"}));
  EXPECT_EQ(paths_of_dependency_file(""), Paths{});
}

TEST(ContentHash, TextsAreKeptApart) {
  ContentHash one, two;
  one.add("ab");
  one.add("c");
  two.add("a");
  two.add("bc");
  EXPECT_NE(one.digits(), two.digits());
  EXPECT_NE(hash_of_text(""), hash_of_text(std::string(1, '\0')));
  EXPECT_EQ(one.digits().size(), 16u);
  EXPECT_EQ(hash_of_file("/nonexistent"), std::nullopt);
}

}  // namespace
}  // namespace simulator
