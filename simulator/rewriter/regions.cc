#include "simulator/rewriter/regions.h"

#include <utility>

namespace simulator {
namespace {

using Step = Region::Step;

constexpr std::size_t kNone = Region::kNone;

// The brackets that are open at some point of the text, as a list from the innermost outwards.
// Lists share their tails, so that going back to what was open at an #if costs nothing.
class OpenBrackets {
 public:
  explicit OpenBrackets(std::vector<std::size_t>& partner) : partner_(partner) {}

  void open(char bracket, std::size_t position) {
    const std::size_t brace = bracket == '{' ? nodes_.size() : brace_of(top_);
    nodes_.push_back({bracket, position, top_, depth_of(top_) + 1, brace, {}});
    top_ = nodes_.size() - 1;
  }

  // A } closes what is still open inside its braces; a ) or ] that fits nothing is passed over.
  void close(char bracket, std::size_t position) {
    const std::size_t node = bracket == '}' ? brace_of(top_) : top_;
    const char wanted = bracket == ')' ? '(' : bracket == ']' ? '[' : '{';
    if (node == kNone || nodes_[node].bracket != wanted) return;
    partner_[position] = nodes_[node].position;
    std::vector<std::size_t> same = {node};
    while (!same.empty()) {
      const Node& open = nodes_[same.back()];
      same.pop_back();
      // Alternatives may be each other's; one that has a partner has been here.
      if (partner_[open.position] != kNone) continue;
      partner_[open.position] = position;
      same.insert(same.end(), open.alternatives.begin(), open.alternatives.end());
    }
    top_ = nodes_[node].outer;
  }

  std::size_t innermost_brace() const {
    const std::size_t node = brace_of(top_);
    return node == kNone ? kNone : nodes_[node].position;
  }

  std::size_t innermost() const { return top_ == kNone ? kNone : nodes_[top_].position; }

  void begin_branches() { branches_.push_back({top_, {}}); }
  void next_branch() {
    branches_.back().ends.push_back(top_);
    top_ = branches_.back().start;
  }
  void end_branches() {
    std::vector<std::size_t> ends = std::move(branches_.back().ends);
    branches_.pop_back();
    ends.push_back(top_);
    top_ = ends.front();
    for (std::size_t i = 1; i < ends.size(); ++i) make_alternatives(top_, ends[i]);
  }

 private:
  struct Node {
    char bracket;
    std::size_t position;
    std::size_t outer;
    int depth;
    std::size_t brace;                      // The innermost { from here outwards.
    std::vector<std::size_t> alternatives;  // Brackets of other branches that the same one closes.
  };
  struct Branches {
    std::size_t start;
    std::vector<std::size_t> ends;
  };

  int depth_of(std::size_t node) const { return node == kNone ? 0 : nodes_[node].depth; }
  std::size_t brace_of(std::size_t node) const {
    return node == kNone ? kNone : nodes_[node].brace;
  }

  // What closes the brackets left open by one branch closes those of the other, if there are as
  // many.
  void make_alternatives(std::size_t first, std::size_t other) {
    if (depth_of(first) != depth_of(other)) return;
    while (first != other && first != kNone) {
      nodes_[first].alternatives.push_back(other);
      first = nodes_[first].outer;
      other = nodes_[other].outer;
    }
  }

  std::vector<std::size_t>& partner_;
  std::vector<Node> nodes_;
  std::size_t top_ = kNone;
  std::vector<Branches> branches_;
};

// Collects the steps of the code and of each macro.
class RegionFinder {
 public:
  explicit RegionFinder(const std::vector<Token>& tokens) : tokens_(tokens) {}

  void find() {
    for (std::size_t i = 0; i < tokens_.size();) {
      if (tokens_[i].directive != 0) {
        i = read_directive(i);
        continue;
      }
      if (skipped_ == 0 && tokens_[i].is_significant()) {
        code_.push_back({Step::Kind::token, &tokens_[i]});
      }
      ++i;
    }
    // What the file leaves open ends with it.
    for (; !is_transparent_.empty(); is_transparent_.pop_back()) {
      if (!is_transparent_.back()) code_.push_back({Step::Kind::branch_end});
    }
  }

  std::vector<Step> code_;
  std::vector<Region> macros_;
  std::set<std::string_view> macro_names_;

 private:
  // Gives back where the directive ends.
  std::size_t read_directive(std::size_t begin) {
    std::vector<const Token*> line;
    std::size_t end = begin;
    for (; end < tokens_.size() && tokens_[end].directive == tokens_[begin].directive; ++end) {
      if (tokens_[end].is_significant()) line.push_back(&tokens_[end]);
    }
    if (line.size() < 2) return end;
    const std::string_view name = line[1]->text;
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      begin_branches(name == "if" && line.size() == 3 && line[2]->is("0"));
    } else if (name == "else" || name == "elif" || name == "elifdef" || name == "elifndef") {
      next_branch(name == "else");
    } else if (name == "endif") {
      end_branches();
    } else if (name == "define" && line.size() > 2 && skipped_ == 0) {
      read_macro(line);
    }
    return end;
  }

  void begin_branches(bool is_never) {
    if (skipped_ > 0) {
      ++skipped_;
    } else if (is_never) {
      skipped_ = 1;
    } else {
      is_transparent_.push_back(false);
      code_.push_back({Step::Kind::branch_begin});
    }
  }
  void next_branch(bool is_else) {
    if (skipped_ == 1) {
      // Behind #if 0 an #elif is as good as an #if, and an #else is no border at all.
      skipped_ = 0;
      is_transparent_.push_back(is_else);
      if (!is_else) code_.push_back({Step::Kind::branch_begin});
    } else if (skipped_ == 0 && !is_transparent_.empty() && !is_transparent_.back()) {
      code_.push_back({Step::Kind::branch_next});
    }
  }
  void end_branches() {
    if (skipped_ > 0) {
      --skipped_;
    } else if (!is_transparent_.empty()) {
      if (!is_transparent_.back()) code_.push_back({Step::Kind::branch_end});
      is_transparent_.pop_back();
    }
  }

  void read_macro(const std::vector<const Token*>& line) {
    const std::string_view name = line[2]->text;
    macro_names_.insert(name);
    std::vector<std::string_view> parameters;
    std::size_t body = 3;
    // Only a ( right behind the name begins parameters.
    const bool has_parameters =
        line.size() > 3 && line[3]->is("(") && line[3]->text.data() == name.data() + name.size();
    if (has_parameters) {
      for (; body < line.size() && !line[body]->is(")"); ++body) {
        if (line[body]->kind == TokenKind::identifier) parameters.push_back(line[body]->text);
      }
      ++body;
    }
    std::vector<Step> steps;
    for (; body < line.size(); ++body) steps.push_back({Step::Kind::token, line[body]});
    macros_.emplace_back(std::move(steps), name, std::move(parameters));
  }

  const std::vector<Token>& tokens_;
  std::vector<bool> is_transparent_;  // Of each #if that is open: whether it is no border.
  int skipped_ = 0;                   // The #ifs open within an #if 0, that one included.
};

}  // namespace

Region::Region(std::vector<Step> steps, std::string_view macro,
               std::vector<std::string_view> parameters)
    : macro_(macro), parameters_(std::move(parameters)) {
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::token) tokens_.push_back(step.token);
  }
  find_paths(steps);
  find_partners(steps);
}

void Region::find_paths(const std::vector<Step>& steps) {
  struct Branches {
    std::size_t begin, second, end;  // Steps; `second` is the first branch_next, or kNone.
  };
  std::vector<Branches> branches;
  std::vector<std::size_t> open, branches_of(steps.size(), kNone);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == Step::Kind::branch_begin) {
      open.push_back(branches.size());
      branches.push_back({i, kNone, kNone});
    }
    if (steps[i].kind == Step::Kind::token) continue;
    Branches& here = branches[open.back()];
    branches_of[i] = open.back();
    if (steps[i].kind == Step::Kind::branch_next && here.second == kNone) here.second = i;
    if (steps[i].kind == Step::Kind::branch_end) {
      here.end = i;
      open.pop_back();
    }
  }

  // first[i]: the position of the first token on the path at or behind step i.
  std::vector<std::size_t> first(steps.size() + 1, kNone);
  std::size_t position = size();
  next_.resize(size());
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (steps[i].kind == Step::Kind::token) {
      next_[--position] = first[i + 1];
      first[i] = position;
    } else if (steps[i].kind == Step::Kind::branch_next) {
      first[i] = first[branches[branches_of[i]].end];
    } else {
      first[i] = first[i + 1];
    }
  }
  // last[i]: the position of the last token on the path before step i.
  std::vector<std::size_t> last(steps.size() + 1, kNone);
  position = 0;
  previous_.resize(size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == Step::Kind::token) {
      previous_[position] = last[i];
      last[i + 1] = position++;
    } else if (steps[i].kind == Step::Kind::branch_next) {
      last[i + 1] = last[branches[branches_of[i]].begin];
    } else if (steps[i].kind == Step::Kind::branch_end &&
               branches[branches_of[i]].second != kNone) {
      last[i + 1] = last[branches[branches_of[i]].second];
    } else {
      last[i + 1] = last[i];
    }
  }
}

void Region::find_partners(const std::vector<Step>& steps) {
  partner_.assign(size(), kNone);
  OpenBrackets brackets(partner_);
  std::size_t position = 0;
  for (const Step& step : steps) {
    switch (step.kind) {
      case Step::Kind::branch_begin:
        brackets.begin_branches();
        break;
      case Step::Kind::branch_next:
        brackets.next_branch();
        break;
      case Step::Kind::branch_end:
        brackets.end_branches();
        break;
      case Step::Kind::token: {
        const std::string_view text = step.token->text;
        brace_.push_back(brackets.innermost_brace());
        bracket_.push_back(brackets.innermost());
        if (step.token->kind == TokenKind::punctuation && text.size() == 1) {
          if (text == "(" || text == "[" || text == "{") brackets.open(text[0], position);
          if (text == ")" || text == "]" || text == "}") brackets.close(text[0], position);
        }
        ++position;
      }
    }
  }
}

SourceRegions find_regions(std::string_view source) {
  std::vector<Token> tokens = tokenize(source);
  RegionFinder finder(tokens);
  finder.find();
  Region code(std::move(finder.code_), "", {});
  return {std::move(tokens), std::move(code), std::move(finder.macros_),
          std::move(finder.macro_names_)};
}

}  // namespace simulator
