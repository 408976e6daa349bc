// File: simulator/rewriter/regions.h
//
// A file's tokens as the parser would meet them: the code without its preprocessor lines, and the
// body of every macro, each with its brackets matched.
//
// Conditional compilation is followed without knowing any condition. The path from a token to the
// next one, or to the one before, steps into the first branch of an #if and past the others; it
// leaves a later branch behind its #endif and before its #if. So in
//
//     kernel<<<grid, block>>>(a,
//     #ifdef TWO
//                             b, c);
//     #else
//                             d);
//     #endif
//
// the ( has a partner in either branch, and every token of both has a path to it. What stands
// between `#if 0` and its #else or #endif is left out: it need not be C++.

#ifndef ANDREA_SIMULATOR_REWRITER_REGIONS_H_
#define ANDREA_SIMULATOR_REWRITER_REGIONS_H_

#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "simulator/rewriter/tokens.h"

namespace simulator {

// Positions count significant tokens only. kNone is taken and given back by every function here,
// and no token is there: is() is false.
class Region {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);  // no position

  // A step of the file's order: a token, or a border between the branches of an #if.
  struct Step {
    // A token, or the border of a branch of the preprocessor.
    enum class Kind { token, branch_begin, branch_next, branch_end };

    Kind kind;                     // token or border
    const Token* token = nullptr;  // null at a border
  };

  // The body of a macro, or a file's code where there is no macro.
  Region(std::vector<Step> steps, std::string_view macro, std::vector<std::string_view> parameters);
  // A copy would refer to the tokens of the original.
  Region(const Region&) = delete;
  Region(Region&&) = default;

  // The name of the macro whose body this is; empty for the code of the file.
  std::string_view macro() const { return macro_; }
  const std::vector<std::string_view>& parameters() const { return parameters_; }  // of that macro

  // Positions in the order of the file, whatever branch they are in: size() of them.
  std::size_t size() const { return tokens_.size(); }
  const Token& token(std::size_t position) const { return *tokens_[position]; }

  // Along the path; kNone at the ends.
  std::size_t next(std::size_t position) const { return at(next_, position); }
  std::size_t previous(std::size_t position) const { return at(previous_, position); }
  // The bracket that belongs to the (, [, {, ), ] or } here; kNone if there is none.
  std::size_t partner(std::size_t position) const { return at(partner_, position); }
  // The innermost { that is open here, and the innermost bracket of any kind; kNone outside all.
  std::size_t brace(std::size_t position) const { return at(brace_, position); }
  std::size_t bracket(std::size_t position) const { return at(bracket_, position); }

  // Whether the token there is this text.
  bool is(std::size_t position, std::string_view text) const {
    return position < size() && token(position).text == text;
  }
  // Whether the token there is a name.
  bool is_identifier(std::size_t position) const {
    return position < size() && token(position).kind == TokenKind::identifier;
  }

 private:
  static std::size_t at(const std::vector<std::size_t>& table, std::size_t position) {
    return position < table.size() ? table[position] : kNone;
  }
  void find_paths(const std::vector<Step>& steps);
  void find_partners(const std::vector<Step>& steps);

  std::vector<const Token*> tokens_;
  std::vector<std::size_t> next_, previous_, partner_, brace_, bracket_;
  std::string_view macro_;
  std::vector<std::string_view> parameters_;
};

// One file.
struct SourceRegions {
  std::vector<Token> tokens;               // of the whole file
  Region code;                             // what stands in no macro
  std::vector<Region> macros;              // One a #define, in the order of the file.
  std::set<std::string_view> macro_names;  // of macros that the file defines
};

// Refers to `source`, which must outlive it.
SourceRegions find_regions(std::string_view source);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_REGIONS_H_
