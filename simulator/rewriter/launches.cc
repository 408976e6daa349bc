#include "simulator/rewriter/launches.h"

#include <algorithm>
#include <map>
#include <string>

#include "simulator/rewriter/template_list.h"
#include "simulator/rewriter/word_list.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

// Words that may stand right before a kernel's expression but are no part of it.
bool ends_before_expression(std::string_view word) {
  return is_one_of(
      word, {"return", "else", "do", "case", "throw", "co_return", "co_yield", "co_await", "goto",
             "new", "delete", "sizeof", "constexpr", "and", "or", "not", "if", "while"});
}

// Words whose parentheses are not a call's.
bool takes_condition(std::string_view word) {
  return is_one_of(word, {"if", "constexpr", "while", "for", "switch", "catch"});
}

// Whether the name at `position` is a macro's, or looks like one: SHAPE.
bool may_be_macro(const Region& region, std::size_t position,
                  const std::set<std::string_view>& macro_names) {
  if (!region.is_identifier(position)) return false;
  const std::string_view name = region.token(position).text;
  if (macro_names.count(name) != 0) return true;
  return name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

class LaunchFinder {
 public:
  LaunchFinder(const Region& region, const std::set<std::string_view>& macro_names,
               std::vector<Finding>& findings)
      : region_(region), macro_names_(macro_names), findings_(findings) {}

  // From the last to the first, so that a launch inside another one's configuration is known when
  // the outer one is read.
  std::vector<Launch> find() {
    for (std::size_t i = region_.size(); i-- > 0;) {
      if (const std::size_t length = open_length(i); length != 0) read_launch(i, length);
    }
    std::vector<Launch> in_order;
    for (const auto& [open, launch] : launches_) in_order.push_back(launch);
    return in_order;
  }

 private:
  // The tokens of the <<< here; 0 if there is none.
  std::size_t open_length(std::size_t i) const { return angles_length(i, "<", "<<", "<<<"); }
  std::size_t close_length(std::size_t i) const { return angles_length(i, ">", ">>", ">>>"); }
  // nvcc takes `<< <` for a launch, and neither `< <<` nor `< < <`.
  std::size_t angles_length(std::size_t i, std::string_view one, std::string_view two,
                            std::string_view three) const {
    if (!region_.is(i, two) && !region_.is(i, three)) return 0;
    // `operator<< <T>` and `operator<<<T>` name a function.
    if (region_.is(region_.previous(i), "operator")) return 0;
    if (region_.is(i, three)) return 1;
    return region_.is(region_.next(i), one) ? 2 : 0;
  }

  std::size_t after(std::size_t position, std::size_t tokens) const {
    for (; tokens > 0; --tokens) position = region_.next(position);
    return position;
  }

  void report(std::size_t position, std::string sentence) {
    const Token& token = region_.token(position);
    if (!region_.macro().empty()) {
      sentence = "the macro " + std::string(region_.macro()) +
                 " holds only a piece of a launch, and the simulator has to see a launch in one "
                 "piece: write kernel<<<grid, block>>>(arguments) whole in the macro, with its "
                 "parts as parameters";
    }
    findings_.push_back({Finding::Kind::error, token.line, token.column, std::move(sentence)});
  }

  void read_launch(std::size_t open, std::size_t open_tokens) {
    Launch launch{};
    launch.open = open;
    launch.open_tokens = open_tokens;
    launch.close = find_close(after(open, open_tokens));
    if (launch.close == kNone) {
      // Two tokens that are no launch are some other mistake, which the compiler will name.
      if (open_tokens == 1) {
        report(open,
               "this <<< has no >>> that belongs to it; a launch is written "
               "kernel<<<grid, block>>>(arguments)");
      }
      return;
    }
    launch.close_tokens = close_length(launch.close);
    launch.arguments_open = after(launch.close, launch.close_tokens);
    launch.kernel = kernel_begin(region_.previous(open));
    if (launch.kernel == kNone) {
      report(open,
             "what stands before this <<< is not a kernel; a launch is written "
             "kernel<<<grid, block>>>(arguments)");
      return;
    }
    if (!region_.is(launch.arguments_open, "(")) {
      report(open, region_.is(launch.arguments_open, ">")
                       ? "the >>> of this launch is one of four >, of which nvcc takes the first "
                         "three; write a space after the > that closes the template arguments"
                       : "this launch has no argument list; write kernel<<<grid, block>>>"
                         "(arguments), and () if the kernel takes none");
      return;
    }
    launch.arguments_close = region_.partner(launch.arguments_open);
    if (launch.arguments_close == kNone) {
      report(launch.arguments_open, "the ( of this launch's arguments is not closed");
      return;
    }
    if (!has_configuration(launch)) return;
    launches_[open] = launch;
  }

  // The >>> that ends the configuration that begins here. A >>> may also close three template
  // lists: where at least three may be open, the next >>> is taken if there is one.
  std::size_t find_close(std::size_t position) const {
    std::size_t fallback = kNone;
    int open_templates = 0;
    while (position < region_.size()) {
      if (const auto inner = launches_.find(position); inner != launches_.end()) {
        position = region_.next(inner->second.arguments_close);
        continue;
      }
      const Token& token = region_.token(position);
      if (token.is(";") || token.is(")") || token.is("]") || token.is("}")) return fallback;
      if (open_length(position) != 0) return fallback;
      if (close_length(position) != 0) {
        if (open_templates < 3) return position;
        if (fallback == kNone) fallback = position;
        open_templates -= 3;
        position = after(position, close_length(position));
        continue;
      }
      if (token.is("(") || token.is("[") || token.is("{")) {
        position = region_.partner(position);
        if (position == kNone) return fallback;
      } else if (token.is("<") && region_.is_identifier(region_.previous(position))) {
        ++open_templates;
      } else if (token.is(">")) {
        open_templates = std::max(0, open_templates - 1);
      } else if (token.is(">>")) {
        open_templates = std::max(0, open_templates - 2);
      }
      position = region_.next(position);
    }
    return fallback;
  }

  // Where the postfix expression begins whose last token is at `last`.
  std::size_t kernel_begin(std::size_t last) const {
    std::size_t begin = kNone;
    while (last != kNone) {
      const std::size_t part = part_begin(last);
      if (part == kNone) break;
      begin = part;
      std::size_t before = region_.previous(begin);
      if (region_.is(before, "template")) {
        begin = before;
        before = region_.previous(before);
      }
      if (region_.is(before, "::")) {
        begin = before;
        before = region_.previous(before);
        if (!can_be_scope(before)) break;
      } else if (!region_.is(before, ".") && !region_.is(before, "->") &&
                 !region_.is(before, "##")) {
        break;
      } else {
        before = region_.previous(before);
      }
      last = before;
    }
    return region_.is(begin, "__SIMULATOR_LAUNCH") ? kNone : begin;
  }

  // A name with all that is behind it up to `last`: template arguments, indices, calls. Or a
  // parenthesised expression, likewise.
  std::size_t part_begin(std::size_t last) const {
    while (last != kNone) {
      const Token& token = region_.token(last);
      if (token.kind == TokenKind::identifier) {
        return ends_before_expression(token.text) ? kNone : last;
      }
      if (token.is("]") || token.is(")") || token.is("}")) {
        const std::size_t open = region_.partner(last);
        if (open == kNone) return kNone;
        const std::size_t before = region_.previous(open);
        if (token.is(")") && !is_called(open)) return open;
        if (!can_be_operand(before)) return token.is(")") ? open : kNone;
        last = before;
      } else if (token.is(">") || token.is(">>") || token.is(">>>")) {
        const std::size_t list = template_list_begin(region_, last);
        last = list == kNone ? kNone : region_.previous(list);
        if (!region_.is_identifier(last) && !region_.is(last, ")")) return kNone;
      } else {
        return kNone;
      }
    }
    return kNone;
  }

  bool can_be_operand(std::size_t position) const {
    if (region_.is_identifier(position)) {
      return !ends_before_expression(region_.token(position).text);
    }
    return region_.is(position, ")") || region_.is(position, "]") || region_.is(position, ">") ||
           region_.is(position, ">>") || region_.is(position, ">>>");
  }

  // Whether the ( here follows a function, as against `if (x) (*pointer)<<<...` and (void)(k)<<<...
  bool is_called(std::size_t open) const {
    const std::size_t before = region_.previous(open);
    if (region_.is_identifier(before))
      return !ends_before_expression(region_.token(before).text) &&
             !takes_condition(region_.token(before).text);
    if (!region_.is(before, ")")) return can_be_operand(before);
    const std::size_t earlier = region_.partner(before);
    if (earlier == kNone) return false;
    const std::size_t word = region_.previous(earlier);
    if (region_.is_identifier(word) && takes_condition(region_.token(word).text)) return false;
    return !(region_.is(region_.next(earlier), "void") &&
             region_.next(region_.next(earlier)) == before);
  }

  // What may stand before ::, as against `return ::kernel` and `if (x) ::kernel`.
  bool can_be_scope(std::size_t position) const {
    if (region_.is_identifier(position)) {
      return !ends_before_expression(region_.token(position).text);
    }
    if (region_.is(position, ")")) {
      const std::size_t open = region_.partner(position);
      const std::size_t word = open == kNone ? kNone : region_.previous(open);
      return region_.is_identifier(word) && !takes_condition(region_.token(word).text);
    }
    return (region_.is(position, ">") || region_.is(position, ">>")) &&
           template_list_begin(region_, position) != kNone;
  }

  // Reports and says no if the configuration cannot be one. Commas within < > may separate template
  // arguments, so they only count as far as they can do no harm.
  bool has_configuration(const Launch& launch) {
    std::size_t least = 1, most = 1;
    int open_templates = 0;
    std::size_t tokens = 0;
    const std::size_t first = after(launch.open, launch.open_tokens);
    for (std::size_t i = first; i != launch.close; i = region_.next(i)) {
      ++tokens;
      const Token& token = region_.token(i);
      if (const auto inner = launches_.find(i); inner != launches_.end()) {
        i = inner->second.arguments_close;
      } else if (token.is("(") || token.is("[") || token.is("{")) {
        i = region_.partner(i);
      } else if (token.is("<") && region_.is_identifier(region_.previous(i))) {
        ++open_templates;
      } else if (token.is(">") || token.is(">>") || token.is(">>>")) {
        open_templates = std::max(0, open_templates - static_cast<int>(token.text.size()));
      } else if (token.is(",")) {
        ++most;
        if (open_templates == 0) ++least;
      }
    }
    if (most >= 2 && least <= 4) return true;
    if (tokens == 0) {
      report(launch.open,
             "this launch says neither how many blocks nor how many threads; write "
             "kernel<<<blocks, threads_per_block>>>(arguments)");
    } else if (most < 2) {
      if (!region_.macro().empty() || may_be_macro(region_, first, macro_names_)) return true;
      report(launch.open,
             "this launch has one configuration argument and needs at least two: the number of "
             "blocks and the threads in each, as in kernel<<<blocks, threads_per_block>>>"
             "(arguments)");
    } else {
      report(launch.open, "this launch has " + std::to_string(least) +
                              " configuration arguments; there are four at most: blocks, threads "
                              "per block, bytes of dynamic shared memory, stream");
    }
    return false;
  }

  const Region& region_;
  const std::set<std::string_view>& macro_names_;
  std::vector<Finding>& findings_;
  std::map<std::size_t, Launch> launches_;  // By `open`.
};

}  // namespace

std::vector<Launch> find_launches(const Region& region,
                                  const std::set<std::string_view>& macro_names,
                                  std::vector<Finding>& findings) {
  return LaunchFinder(region, macro_names, findings).find();
}

}  // namespace simulator
