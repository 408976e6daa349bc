#include "trainer/stories/ambiguity.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "trainer/base/error.h"

namespace andrea {
namespace {

using State = std::uint32_t;

// A letter, or 0 for a move that reads nothing.
struct Edge {
  char letter;
  State to;
};

class Automaton {
 public:
  static constexpr State kStart = 0;

  Automaton(const Grammar& grammar, const Pieces& pieces) : grammar_(grammar) {
    edges_.emplace_back();
    end_ = append(kStart, pieces);
  }

  State end() const { return end_; }
  const std::vector<Edge>& edges(State state) const { return edges_[state]; }

 private:
  State add_state() {
    edges_.emplace_back();
    return static_cast<State>(edges_.size()) - 1;
  }

  void join(State from, char letter, State to) { edges_[from].push_back({letter, to}); }

  // Each returns the state that has read what was appended.
  State append(State from, std::string_view text) {
    for (const char letter : text) {
      const State to = add_state();
      join(from, letter, to);
      from = to;
    }
    return from;
  }

  State append(State from, const Pieces& pieces) {
    for (const Piece& piece : pieces) from = append(from, piece);
    return from;
  }

  State append(State from, const Piece& piece) {
    if (piece.kind == Piece::Kind::literal) return append(from, std::string_view(piece.literal));
    const State to = add_state();
    if (piece.kind == Piece::Kind::choose_template) {
      for (const Pieces& each : grammar_.compiled(piece.index)) join(append(from, each), 0, to);
    } else {
      for (const std::vector<std::string>& word : grammar_.lists()[piece.index].words) {
        join(append(from, std::string_view(word[piece.form])), 0, to);
      }
    }
    return to;
  }

  const Grammar& grammar_;
  std::vector<std::vector<Edge>> edges_;
  State end_ = kStart;
};

// A text of one automaton with which a text of the other begins.
std::optional<std::string> common_beginning(const Automaton& left, const Automaton& right) {
  struct Step {
    State left;
    State right;
    std::size_t before;
    char letter;
  };
  std::vector<Step> steps = {{Automaton::kStart, Automaton::kStart, 0, 0}};
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t now = 0; now < steps.size(); ++now) {
    const Step here = steps[now];
    const auto visit = [&](State to_left, State to_right, char letter) {
      const std::uint64_t pair = static_cast<std::uint64_t>(to_left) << 32 | to_right;
      if (seen.insert(pair).second) steps.push_back({to_left, to_right, now, letter});
    };
    if (here.left == left.end() || here.right == right.end()) {
      std::string reversed;
      for (std::size_t step = now; step != 0; step = steps[step].before) {
        if (steps[step].letter != 0) reversed += steps[step].letter;
      }
      return std::string(reversed.rbegin(), reversed.rend());
    }
    for (const Edge& one : left.edges(here.left)) {
      if (one.letter == 0) visit(one.to, here.right, 0);
      for (const Edge& other : right.edges(here.right)) {
        if (one.letter != 0 && one.letter == other.letter) visit(one.to, other.to, one.letter);
      }
    }
    for (const Edge& other : right.edges(here.right)) {
      if (other.letter == 0) visit(here.left, other.to, 0);
    }
  }
  return std::nullopt;
}

std::optional<std::string> ambiguity_of_rule(const Grammar& grammar, std::size_t rule) {
  std::vector<Automaton> automata;
  for (const Pieces& pieces : grammar.compiled(rule)) automata.emplace_back(grammar, pieces);
  for (std::size_t i = 0; i < automata.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::optional<std::string> beginning = common_beginning(automata[j], automata[i]);
      if (!beginning) continue;
      return text("In the rule \"", grammar.rules()[rule].name, "\" both \"",
                  grammar.rules()[rule].templates[j], "\" and \"",
                  grammar.rules()[rule].templates[i], "\" can begin with all of \"", *beginning,
                  "\".");
    }
  }
  return std::nullopt;
}

std::optional<std::string> ambiguity_of_words(const WordList& list, std::size_t form) {
  for (std::size_t i = 0; i < list.words.size(); ++i) {
    for (std::size_t j = 0; j < list.words.size(); ++j) {
      if (i == j || !list.words[j][form].starts_with(list.words[i][form])) continue;
      return text("Of the words chosen by [", list.forms[form], "] \"", list.words[j][form],
                  "\" begins with \"", list.words[i][form], "\".");
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_ambiguity(const Grammar& grammar) {
  for (std::size_t rule = 0; rule < grammar.rules().size(); ++rule) {
    if (std::optional<std::string> found = ambiguity_of_rule(grammar, rule)) return found;
    for (const Pieces& pieces : grammar.compiled(rule)) {
      for (const Piece& piece : pieces) {
        if (piece.kind != Piece::Kind::choose_word) continue;
        const WordList& list = grammar.lists()[piece.index];
        if (std::optional<std::string> found = ambiguity_of_words(list, piece.form)) return found;
      }
    }
  }
  return std::nullopt;
}

}  // namespace andrea
