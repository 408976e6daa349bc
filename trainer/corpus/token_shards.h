// File: token_shards.h
//
// A sequence of tokens on disk, cut into files called shards, in the format of llm.c's data files:
// 256 int32 (the number 20240520, version 1, the number of tokens, zeros), then the tokens as
// uint16; all little-endian. Shards are mapped into memory, not read into it, so that a corpus
// larger than memory works.
//
//     TokenShardWriter writer("corpus", "training");     // corpus/training_000000.bin, ...
//     writer.write(ids);
//     writer.close();
//     TokenShards tokens(find_token_shards("corpus", "training"));
//     tokens.read(1000, 65, window);

#ifndef ANDREA_TRAINER_CORPUS_TOKEN_SHARDS_H_
#define ANDREA_TRAINER_CORPUS_TOKEN_SHARDS_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trainer/base/file.h"

namespace andrea {

// Tokens are 16-bit numbers, so a vocabulary has at most this many.
constexpr int kLargestVocabulary = 65536;

// The token that begins each document, and so also tells that the one before it has ended.
constexpr int kDocumentStart = 256;

// Several shards read as one sequence, in the order given.
class TokenShards {
 public:
  // Error: no shards, a file that is no shard, of another version, or not as long as its header
  // says (cut short, or its writing was interrupted).
  explicit TokenShards(const std::vector<std::filesystem::path>& shards);

  std::int64_t size() const { return shards_.empty() ? 0 : shards_.back().end; }  // tokens in all

  // Copies tokens position .. position+count-1 to out. Error: they are not all in 0 .. size()-1.
  // May be called from several threads at once.
  void read(std::int64_t position, std::int64_t count, int* out) const;

  // Error if a token is not below `vocabulary`, told with its file and position. Reads every shard.
  void check(int vocabulary) const;

 private:
  struct Shard {
    std::filesystem::path path;
    MappedFile file;
    std::int64_t
        begin;  // Its first token's position in the sequence, and that of the next shard's.
    std::int64_t end;

    std::span<const std::uint16_t> tokens() const;
  };

  std::vector<Shard> shards_;
};

// The shards folder/NAME_000000.bin, NAME_000001.bin and so on, in order; none is an empty list.
std::vector<std::filesystem::path> find_token_shards(const std::filesystem::path& folder,
                                                     const std::string& name);

// Writes a sequence of tokens into shards.
class TokenShardWriter {
 public:
  static constexpr std::int64_t kTokensPerShard = 100'000'000;  // 200 MB a file

  // Writes into the folder, which must exist. A shard that has tokens_per_shard tokens is closed
  // and the next one begun, wherever that is in a document.
  TokenShardWriter(std::filesystem::path folder, std::string name,
                   std::int64_t tokens_per_shard = kTokensPerShard);

  // Error: a token outside 0 .. 65535, a full disk.
  void write(std::span<const int> tokens);

  // Makes the shards complete and durable; there is at least one then, though it may have no
  // tokens.
  void close();

  std::int64_t size() const { return size_; }  // Tokens written.

 private:
  void begin_shard();
  void end_shard();

  std::filesystem::path folder_;
  std::string name_;
  std::int64_t tokens_per_shard_;
  std::int64_t size_ = 0;
  std::int64_t size_of_shard_ = 0;
  int shards_ = 0;
  std::unique_ptr<FileWriter> file_;
  std::vector<std::uint16_t> narrow_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_TOKEN_SHARDS_H_
