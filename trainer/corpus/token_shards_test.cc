#include "trainer/corpus/token_shards.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

// A shard with any header and any bytes after it.
std::string shard_bytes(std::int32_t magic, std::int32_t version, std::int32_t tokens,
                        std::size_t bytes) {
  std::string contents(1024 + bytes, '\0');
  const std::int32_t header[] = {magic, version, tokens};
  std::memcpy(contents.data(), header, sizeof header);
  return contents;
}

TEST(TokenShards, WritesAndReadsASequence) {
  const TestFolder folder;
  TokenShardWriter writer(folder.path(), "training");
  writer.write(std::vector<int>{256, 0, 65535});
  writer.write(std::vector<int>{7});
  writer.close();
  EXPECT_EQ(writer.size(), 4);

  const TokenShards shards(find_token_shards(folder.path(), "training"));
  ASSERT_EQ(shards.size(), 4);
  std::vector<int> tokens(3);
  shards.read(1, 3, tokens.data());
  EXPECT_EQ(tokens, (std::vector<int>{0, 65535, 7}));
}

TEST(TokenShards, TheFileIsInTheFormatOfLlmC) {
  const TestFolder folder;
  TokenShardWriter writer(folder.path(), "training");
  writer.write(std::vector<int>{258, 1});
  writer.close();
  std::string expected = shard_bytes(20240520, 1, 2, 4);
  std::memcpy(expected.data() + 1024, "\x02\x01\x01\x00", 4);
  EXPECT_EQ(read_file(folder.path() / "training_000000.bin"), expected);
}

TEST(TokenShards, SeveralShardsAreOneSequence) {
  const TestFolder folder;
  std::vector<int> all(100);
  std::iota(all.begin(), all.end(), 1000);
  TokenShardWriter writer(folder.path(), "x", /*tokens_per_shard=*/7);
  writer.write(std::span(all).first(50));
  writer.write(std::span(all).subspan(50));
  writer.close();
  const auto files = find_token_shards(folder.path(), "x");
  EXPECT_EQ(files.size(), 15u);

  const TokenShards shards(files);
  ASSERT_EQ(shards.size(), 100);
  for (int begin = 0; begin <= 100; ++begin) {
    for (int count = 0; begin + count <= 100; ++count) {
      std::vector<int> tokens(count);
      shards.read(begin, count, tokens.data());
      ASSERT_EQ(tokens, std::vector<int>(all.begin() + begin, all.begin() + begin + count));
    }
  }
}

TEST(TokenShards, RefusesPositionsOutside) {
  const TestFolder folder;
  TokenShardWriter writer(folder.path(), "x");
  writer.write(std::vector<int>{1, 2, 3});
  writer.close();
  const TokenShards shards(find_token_shards(folder.path(), "x"));
  int out[4];
  EXPECT_THROW(shards.read(0, 4, out), Error);
  EXPECT_THROW(shards.read(3, 1, out), Error);
  EXPECT_THROW(shards.read(-1, 1, out), Error);
  EXPECT_THROW(shards.read(0, -1, out), Error);
  EXPECT_THROW(shards.read(INT64_MAX, 1, out), Error);
  EXPECT_NO_THROW(shards.read(3, 0, out));
}

TEST(TokenShards, ChecksTheVocabulary) {
  const TestFolder folder;
  TokenShardWriter writer(folder.path(), "x", 2);
  writer.write(std::vector<int>{1, 2, 3, 500});
  writer.close();
  const TokenShards shards(find_token_shards(folder.path(), "x"));
  EXPECT_NO_THROW(shards.check(501));
  EXPECT_EQ(message_of<Error>([&] { shards.check(500); }).substr(0, 8), "token 1 ");
  TokenShardWriter other(folder.path(), "y");
  EXPECT_THROW(other.write(std::vector<int>{65536}), Error);
  EXPECT_THROW(other.write(std::vector<int>{-1}), Error);
  EXPECT_THROW(TokenShardWriter(folder.path(), "z", 0), Error);
}

TEST(TokenShards, RefusesFilesThatAreNoShards) {
  const TestFolder folder;
  const auto message = [&](const std::string& contents) {
    const std::string file = folder.write("a.bin", contents);
    return message_of<Error>([&] { TokenShards shards({file}); });
  };
  EXPECT_EQ(message(shard_bytes(20240520, 1, 2, 4)), "");
  EXPECT_NE(message("").find("has only 0 bytes"), std::string::npos);
  EXPECT_NE(message("short").find("has only 5 bytes"), std::string::npos);
  EXPECT_NE(message(shard_bytes(20240326, 1, 2, 4)).find("is no token shard"), std::string::npos);
  EXPECT_NE(message(shard_bytes(20240520, 2, 2, 4)).find("of version 2"), std::string::npos);
  for (const auto& [tokens, bytes] : {std::pair{2, 3}, {2, 2}, {2, 6}, {-1, 4}, {0, 4}}) {
    EXPECT_NE(message(shard_bytes(20240520, 1, tokens, bytes)).find("should have"),
              std::string::npos);
  }
  EXPECT_THROW(TokenShards({}), Error);
  EXPECT_THROW(TokenShards({folder.path() / "none.bin"}), Error);
}

TEST(TokenShards, AnInterruptedWriteIsNoticed) {
  const TestFolder folder;
  {
    TokenShardWriter writer(folder.path(), "x");
    writer.write(std::vector<int>(2'000'000, 1));
  }
  EXPECT_THROW(TokenShards(find_token_shards(folder.path(), "x")), Error);
}

}  // namespace
}  // namespace andrea
