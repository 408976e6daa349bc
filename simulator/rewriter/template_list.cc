#include "simulator/rewriter/template_list.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

// A longer list is none; the limit keeps damaged text from costing quadratic time.
constexpr int kLongestList = 1000;

}  // namespace

std::size_t template_list_end(const Region& region, std::size_t open) {
  int depth = 0, tokens = 0;
  for (std::size_t i = open; i != kNone; i = region.next(i)) {
    if (++tokens > kLongestList) return kNone;
    const Token& token = region.token(i);
    if (token.is("<")) {
      ++depth;
    } else if (token.is(">") || token.is(">>") || token.is(">>>")) {
      depth -= static_cast<int>(token.text.size());
      if (depth <= 0) return i;
    } else if (token.is("(") || token.is("[") || token.is("{")) {
      i = region.partner(i);
      if (i == kNone) return kNone;
    } else if (token.is(";") || token.is(")") || token.is("]") || token.is("}") ||
               token.is("<<<")) {
      return kNone;
    }
  }
  return kNone;
}

std::size_t template_list_begin(const Region& region, std::size_t close) {
  int depth = 0;
  for (std::size_t position = close; position != kNone; position = region.previous(position)) {
    const Token& token = region.token(position);
    if (token.is(")") || token.is("]") || token.is("}")) {
      position = region.partner(position);
      if (position == kNone) return kNone;
    } else if (token.is(">") || token.is(">>") || token.is(">>>")) {
      depth += static_cast<int>(token.text.size());
    } else if (token.is("<")) {
      if (region.is(region.previous(position), "<<")) return kNone;
      if (--depth == 0) return position;
    } else if (token.is(";") || token.is("{") || token.is("(") || token.is("[") ||
               token.is("<<<")) {
      return kNone;
    }
  }
  return kNone;
}

}  // namespace simulator
