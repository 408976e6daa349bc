#include "trainer/tokenizer/tokenizer.h"

#include <algorithm>
#include <unordered_set>

#include "trainer/base/error.h"
#include "trainer/tokenizer/pre_tokenizer.h"

namespace andrea {

// Merges the bytes of a piece. A heap holds the merges that are possible, the lowest id (that is,
// rank) first and then the leftmost, so that a piece of n bytes takes n log n steps and not n * n.
// An object keeps its memory from piece to piece.
class Tokenizer::Merger {
 public:
  explicit Merger(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // Appends the ids of one piece.
  void encode(std::string_view piece, std::vector<int>* ids) {
    symbols_.clear();
    candidates_.clear();
    for (std::size_t i = 0; i < piece.size(); ++i) {
      symbols_.push_back({static_cast<unsigned char>(piece[i]), i - 1, i + 1});
    }
    for (std::size_t i = 0; i < piece.size(); ++i) consider(i);
    while (!candidates_.empty()) {
      std::pop_heap(candidates_.begin(), candidates_.end(), comes_after);
      const Candidate best = candidates_.back();
      candidates_.pop_back();
      merge(best);
    }
    for (std::size_t i = 0; i < symbols_.size(); i = symbols_[i].next) {
      ids->push_back(symbols_[i].id);
    }
  }

 private:
  // A token of the piece, at the position of its first byte, linked to its neighbours.
  struct Symbol {
    int id;                // -1 once the neighbour on its left has absorbed it
    std::size_t previous;  // of the first: a number no position has
    std::size_t next;      // of the last: the number of bytes
  };
  struct Candidate {
    int id;
    std::size_t position;  // of the left part
  };

  static bool comes_after(const Candidate& a, const Candidate& b) {
    return a.id != b.id ? a.id > b.id : a.position > b.position;
  }

  // Notes the merge of the symbol at the position with its right neighbour, if there is one.
  void consider(std::size_t position) {
    const std::size_t next = symbols_[position].next;
    if (next >= symbols_.size()) return;
    const int id = tokenizer_.merge_of(symbols_[position].id, symbols_[next].id);
    if (id < 0) return;
    candidates_.push_back({id, position});
    std::push_heap(candidates_.begin(), candidates_.end(), comes_after);
  }

  void merge(const Candidate& candidate) {
    const auto& [left_id, right_id] = tokenizer_.merges_[candidate.id - kFirstMerge];
    Symbol& left = symbols_[candidate.position];
    // An earlier merge may have taken either part.
    if (left.id != left_id || left.next >= symbols_.size()) return;
    if (symbols_[left.next].id != right_id) return;
    Symbol& right = symbols_[left.next];
    left.id = candidate.id;
    left.next = right.next;
    right.id = -1;
    if (left.next < symbols_.size()) symbols_[left.next].previous = candidate.position;
    consider(candidate.position);
    if (left.previous < symbols_.size()) consider(left.previous);
  }

  const Tokenizer& tokenizer_;
  std::vector<Symbol> symbols_;
  std::vector<Candidate> candidates_;
};

Tokenizer::Tokenizer(std::vector<std::pair<int, int>> merges) : merges_(std::move(merges)) {
  require(merges_.size() <= kMaximumVocabulary - kFirstMerge, merges_.size(),
          " merges are too many: a vocabulary has at most ", kMaximumVocabulary, " tokens, ",
          kFirstMerge, " of them the bytes and BOS");
  for (int byte = 0; byte < 256; ++byte) pieces_.emplace_back(1, static_cast<char>(byte));
  pieces_.emplace_back();
  std::unordered_set<std::string> known(pieces_.begin(), pieces_.begin() + 256);
  known.emplace(kBosText);

  Merger merger(*this);
  std::vector<int> ids;
  for (const auto& [left, right] : merges_) {
    const int id = vocabulary();
    const std::string name = text("merge ", id - kFirstMerge, " (", left, ", ", right, ")");
    for (const int part : {left, right}) {
      require(part >= 0 && part < id && part != kBos, name, " is not of earlier tokens: ", part,
              " is no id that a merge into ", id, " can use");
    }
    std::string joined = pieces_[left] + pieces_[right];
    require(joined.size() <= kMaximumPieceBytes, name, " makes a token of ", joined.size(),
            " bytes: the most is ", kMaximumPieceBytes);
    require(known.insert(joined).second, name, " makes bytes that another token has already");
    merge_ids_.emplace(static_cast<std::uint32_t>(left) << 16 | static_cast<std::uint32_t>(right),
                       id);
    pieces_.push_back(std::move(joined));
    // Later merges cannot change this: they only apply to what the earlier ones left apart.
    ids.clear();
    merger.encode(pieces_.back(), &ids);
    if (ids.size() == 1) whole_pieces_.emplace(pieces_.back(), id);
  }
}

int Tokenizer::merge_of(int left, int right) const {
  const auto found =
      merge_ids_.find(static_cast<std::uint32_t>(left) << 16 | static_cast<std::uint32_t>(right));
  return found == merge_ids_.end() ? -1 : found->second;
}

std::string_view Tokenizer::piece(int id) const {
  require(id >= 0 && id < vocabulary(), "token id ", id, " is outside the vocabulary of ",
          vocabulary(), " tokens (0 to ", vocabulary() - 1,
          "): the ids come from another tokenizer, or the file that holds them is damaged");
  return pieces_[id];
}

void Tokenizer::encode(std::string_view text, std::vector<int>* ids) const {
  PreTokenizer pieces(text);
  Merger merger(*this);
  for (std::string_view piece; pieces.next(&piece);) {
    const auto found = whole_pieces_.find(piece);
    if (found != whole_pieces_.end()) {
      ids->push_back(found->second);
    } else {
      merger.encode(piece, ids);
    }
  }
}

std::vector<int> Tokenizer::encode(std::string_view text) const {
  std::vector<int> ids;
  encode(text, &ids);
  return ids;
}

std::string Tokenizer::decode(std::span<const int> ids) const {
  std::string decoded;
  for (const int id : ids) decoded += piece(id);
  return decoded;
}

}  // namespace andrea
