#include "trainer/corpus/token_shards.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "trainer/base/error.h"

namespace andrea {
namespace {

constexpr std::int32_t kMagic = 20240520;
constexpr std::int32_t kVersion = 1;

struct Header {
  std::int32_t magic = kMagic;
  std::int32_t version = kVersion;
  std::int32_t tokens = 0;
  std::int32_t unused[253] = {};
};
static_assert(sizeof(Header) == 1024);

std::filesystem::path shard_path(const std::filesystem::path& folder, const std::string& name,
                                 int number) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "_%06d.bin", number);
  return folder / (name + digits);
}

std::int64_t token_count(const MappedFile& file, const std::filesystem::path& path) {
  const std::string where = path.string();
  Header header;
  require(file.size() >= sizeof header, where, " is no token shard: it has only ", file.size(),
          " bytes; write the corpus again");
  std::memcpy(&header, file.data(), sizeof header);
  require(header.magic == kMagic, where, " is no token shard: it begins with the number ",
          header.magic, ", not ", kMagic);
  require(header.version == kVersion, where, " is a token shard of version ", header.version,
          "; this program reads version ", kVersion);
  const std::size_t bytes = file.size() - sizeof header;
  require(header.tokens >= 0 && bytes == sizeof(std::uint16_t) * header.tokens, "the token shard ",
          where, " should have ", header.tokens, " tokens but holds ", bytes,
          " bytes of them; write the corpus again");
  return header.tokens;
}

}  // namespace

std::span<const std::uint16_t> TokenShards::Shard::tokens() const {
  return {reinterpret_cast<const std::uint16_t*>(file.data() + sizeof(Header)),
          static_cast<std::size_t>(end - begin)};
}

TokenShards::TokenShards(const std::vector<std::filesystem::path>& shards) {
  require(!shards.empty(), "there are no token shards to read");
  for (const std::filesystem::path& path : shards) {
    MappedFile file(path);
    const std::int64_t begin = size();
    const std::int64_t end = begin + token_count(file, path);
    shards_.push_back({path, std::move(file), begin, end});
  }
}

void TokenShards::read(std::int64_t position, std::int64_t count, int* out) const {
  require(position >= 0 && count >= 0 && position <= size() - count, count, " tokens from number ",
          position, " on are not all in the corpus, which has ", size());
  auto shard = std::upper_bound(
      shards_.begin(), shards_.end(), position,
      [](std::int64_t wanted, const Shard& candidate) { return wanted < candidate.end; });
  for (; count > 0; ++shard) {
    const std::int64_t piece = std::min(count, shard->end - position);
    const auto from = shard->tokens().begin() + (position - shard->begin);
    out = std::copy(from, from + piece, out);
    position += piece;
    count -= piece;
  }
}

void TokenShards::check(int vocabulary) const {
  for (const Shard& shard : shards_) {
    const auto tokens = shard.tokens();
    const auto bad = std::find_if(tokens.begin(), tokens.end(),
                                  [vocabulary](int token) { return token >= vocabulary; });
    if (bad == tokens.end()) continue;
    throw Error(text("token ", bad - tokens.begin(), " of ", shard.path.string(), " is ", *bad,
                     ", but the vocabulary has ", vocabulary,
                     "; the corpus was written with another tokenizer, write it again"));
  }
}

std::vector<std::filesystem::path> find_token_shards(const std::filesystem::path& folder,
                                                     const std::string& name) {
  std::vector<std::filesystem::path> shards;
  std::error_code ignored;
  for (int number = 0;; ++number) {
    const std::filesystem::path path = shard_path(folder, name, number);
    if (!std::filesystem::exists(path, ignored)) return shards;
    shards.push_back(path);
  }
}

TokenShardWriter::TokenShardWriter(std::filesystem::path folder, std::string name,
                                   std::int64_t tokens_per_shard)
    : folder_(std::move(folder)), name_(std::move(name)), tokens_per_shard_(tokens_per_shard) {
  require(tokens_per_shard >= 1 && tokens_per_shard <= std::numeric_limits<std::int32_t>::max(),
          "a token shard cannot have ", tokens_per_shard, " tokens; choose 1 to 2147483647");
  begin_shard();
}

void TokenShardWriter::write(std::span<const int> tokens) {
  while (!tokens.empty()) {
    if (size_of_shard_ == tokens_per_shard_) {
      end_shard();
      begin_shard();
    }
    const std::int64_t room = tokens_per_shard_ - size_of_shard_;
    const auto piece = tokens.first(std::min<std::size_t>(tokens.size(), room));
    narrow_.clear();
    for (const int token : piece) {
      require(token >= 0 && token < kLargestVocabulary, "token ", token,
              " does not fit in a token shard, whose tokens are 0 to 65535");
      narrow_.push_back(static_cast<std::uint16_t>(token));
    }
    file_->write(narrow_.data(), narrow_.size() * sizeof narrow_[0]);
    size_of_shard_ += static_cast<std::int64_t>(piece.size());
    size_ += static_cast<std::int64_t>(piece.size());
    tokens = tokens.subspan(piece.size());
  }
}

void TokenShardWriter::close() {
  if (file_ != nullptr) end_shard();
}

void TokenShardWriter::begin_shard() {
  file_ = std::make_unique<FileWriter>(shard_path(folder_, name_, shards_++));
  size_of_shard_ = 0;
  const Header header;
  file_->write(&header, sizeof header);
}

void TokenShardWriter::end_shard() {
  Header header;
  header.tokens = static_cast<std::int32_t>(size_of_shard_);
  file_->write_at(0, &header, sizeof header);
  file_->close();
  file_.reset();
}

}  // namespace andrea
