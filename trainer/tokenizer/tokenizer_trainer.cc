#include "trainer/tokenizer/tokenizer_trainer.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_set>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/tokenizer/pre_tokenizer.h"

namespace andrea {
namespace {

constexpr std::int64_t kMinimumCount = 2;

using Pair = std::pair<int, int>;

struct PairHash {
  std::size_t operator()(const Pair& pair) const {
    return std::hash<std::uint64_t>()(static_cast<std::uint64_t>(pair.first) << 32 |
                                      static_cast<std::uint64_t>(pair.second));
  }
};

// The distinct pieces of the text, divided into tokens, with each pair's count and places. A merge
// touches only the places where its pair stands.
//
// A pair of neighbours can only come into being by the merge that makes its newer token: so the
// places of a pair are all known after that merge, in ascending order, and its count only falls
// from then on. The queue rests on this: an entry whose count has fallen is put back with the
// lower count when it comes up, and no entry is ever too low.
class PairTable {
 public:
  PairTable() : pieces_(Tokenizer::kFirstMerge), queue_(ComesAfter{&pieces_}) {
    for (int byte = 0; byte < 256; ++byte) pieces_[byte] = static_cast<char>(byte);
    known_.insert(pieces_.begin(), pieces_.begin() + 256);
    known_.emplace(Tokenizer::kBosText);
  }

  PairTable(const PairTable&) = delete;  // the queue refers to the pieces
  PairTable& operator=(const PairTable&) = delete;

  void add_piece(std::string_view piece, std::int64_t count) {
    const auto begin = static_cast<std::int32_t>(symbols_.size());
    require(piece.size() < std::numeric_limits<std::int32_t>::max() - symbols_.size(),
            "the distinct words of the text have 2^31 bytes or more, too many to train a tokenizer "
            "on: train it on a part of the text");
    const auto end = begin + static_cast<std::int32_t>(piece.size());
    const auto word = static_cast<std::int32_t>(word_counts_.size());
    word_counts_.push_back(count);
    for (std::int32_t i = begin; i < end; ++i) {
      symbols_.push_back({static_cast<unsigned char>(piece[i - begin]), i > begin ? i - 1 : kNone,
                          i + 1 < end ? i + 1 : kNone, word});
    }
    for (std::int32_t i = begin; i + 1 < end; ++i) add_place(i);
  }

  // Merges the best pair, and again, until there are so many merges or no pair is left.
  std::vector<Pair> merge(std::size_t merges) {
    for (const auto& [pair, places] : pairs_) push(pair, places.count);
    std::vector<Pair> result;
    while (result.size() < merges && !queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      const auto found = pairs_.find(best.pair);
      if (found->second.count < best.count) {
        push(best.pair, found->second.count);
      } else if (std::string joined = pieces_[best.pair.first] + pieces_[best.pair.second];
                 joined.size() <= Tokenizer::kMaximumPieceBytes && known_.insert(joined).second) {
        pieces_.push_back(std::move(joined));
        result.push_back(best.pair);
        merge_places(best.pair, std::move(found->second.positions));
      }
    }
    return result;
  }

 private:
  static constexpr std::int32_t kNone = -1;

  // A token of a piece, linked to its neighbours in the piece.
  struct Symbol {
    std::int32_t id;  // kNone once the neighbour on its left has absorbed it
    std::int32_t previous;
    std::int32_t next;
    std::int32_t word;  // the index of the piece in word_counts_
  };
  struct Places {
    std::int64_t count = 0;
    std::vector<std::int32_t> positions;  // of the left part; some may be gone meanwhile
  };
  struct Candidate {
    std::int64_t count;
    Pair pair;
  };
  struct ComesAfter {
    bool operator()(const Candidate& a, const Candidate& b) const {
      if (a.count != b.count) return a.count < b.count;
      // std::string compares its bytes as unsigned numbers.
      const int left = (*pieces)[a.pair.first].compare((*pieces)[b.pair.first]);
      return left != 0 ? left > 0 : (*pieces)[a.pair.second] > (*pieces)[b.pair.second];
    }
    const std::vector<std::string>* pieces;
  };

  std::int64_t weight(std::int32_t position) const { return word_counts_[symbols_[position].word]; }

  Pair pair_at(std::int32_t position) const {
    return {symbols_[position].id, symbols_[symbols_[position].next].id};
  }

  void add_place(std::int32_t position) {
    Places& places = pairs_[pair_at(position)];
    places.count += weight(position);
    places.positions.push_back(position);
  }

  void push(const Pair& pair, std::int64_t count) {
    if (count >= kMinimumCount) queue_.push({count, pair});
  }

  // Replaces the pair, wherever it still stands, by the newest token.
  void merge_places(const Pair& pair, std::vector<std::int32_t> positions) {
    const int id = static_cast<int>(pieces_.size()) - 1;
    std::vector<Pair> created;
    for (const std::int32_t position : positions) {
      Symbol& left = symbols_[position];
      if (left.id != pair.first || left.next == kNone) continue;
      Symbol& right = symbols_[left.next];
      if (right.id != pair.second) continue;

      if (left.previous != kNone) pairs_[pair_at(left.previous)].count -= weight(position);
      if (right.next != kNone) pairs_[pair_at(left.next)].count -= weight(position);
      left.id = id;
      left.next = right.next;
      right.id = kNone;
      if (left.previous != kNone) {
        created.push_back(pair_at(left.previous));
        add_place(left.previous);
      }
      if (left.next != kNone) {
        symbols_[left.next].previous = position;
        created.push_back(pair_at(position));
        add_place(position);
      }
    }
    pairs_.erase(pair);

    std::sort(created.begin(), created.end());
    created.erase(std::unique(created.begin(), created.end()), created.end());
    for (const Pair& each : created) push(each, pairs_.at(each).count);
  }

  std::vector<std::string> pieces_;  // by id
  std::unordered_set<std::string> known_;
  std::vector<Symbol> symbols_;
  std::vector<std::int64_t> word_counts_;
  std::unordered_map<Pair, Places, PairHash> pairs_;
  std::priority_queue<Candidate, std::vector<Candidate>, ComesAfter> queue_;
};

}  // namespace

void TokenizerTrainer::add(std::string_view document) {
  PreTokenizer pieces(document);
  for (std::string_view piece; pieces.next(&piece);) {
    const auto found = piece_counts_.find(piece);
    if (found != piece_counts_.end()) {
      ++found->second;
    } else {
      piece_counts_.emplace(piece, 1);
    }
  }
}

Tokenizer TokenizerTrainer::train(int vocabulary) const {
  require(vocabulary >= Tokenizer::kFirstMerge && vocabulary <= Tokenizer::kMaximumVocabulary,
          "a vocabulary of ", vocabulary, " tokens cannot be: choose from ", Tokenizer::kFirstMerge,
          " (the 256 bytes and BOS, no merges) to ", Tokenizer::kMaximumVocabulary);
  PairTable table;
  for (const auto& [piece, count] : piece_counts_) table.add_piece(piece, count);
  return Tokenizer(table.merge(vocabulary - Tokenizer::kFirstMerge));
}

}  // namespace andrea
