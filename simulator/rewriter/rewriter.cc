#include "simulator/rewriter/rewriter.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <set>
#include <tuple>
#include <utility>

#include "simulator/rewriter/dynamic_shared.h"
#include "simulator/rewriter/launches.h"
#include "simulator/rewriter/regions.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

class Rewriter {
 public:
  explicit Rewriter(std::string_view source) : source_(source), file_(find_regions(source)) {}

  Rewritten rewrite(const std::string& path) {
    report_unterminated();
    rewrite_region(file_.code);
    for (const Region& macro : file_.macros) rewrite_region(macro);
    std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
      return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    // What stands at one place stays in the order in which it was put there.
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
      return std::tie(a.offset, a.length) < std::tie(b.offset, b.length);
    });
    return {edited_text(path), std::move(findings_), !edits_.empty()};
  }

 private:
  struct Edit {
    std::size_t offset;
    std::size_t length;  // Of what is replaced.
    std::string text;

    auto operator<=>(const Edit&) const = default;
  };

  std::size_t offset_of(const Token& token) const {
    return static_cast<std::size_t>(token.text.data() - source_.data());
  }
  void replace(const Token& token, std::string text) {
    add({offset_of(token), token.text.size(), std::move(text)});
  }
  void insert_before(const Token& token, std::string text) {
    add({offset_of(token), 0, std::move(text)});
  }
  void insert_behind(const Token& token, std::string text) {
    add({offset_of(token) + token.text.size(), 0, std::move(text)});
  }
  // Launches that share a token across the branches of an #if ask for the same edit twice.
  void add(Edit edit) {
    if (known_edits_.insert(edit).second) edits_.push_back(std::move(edit));
  }

  void report_unterminated() {
    for (const Token& token : file_.tokens) {
      const bool is_comment = token.kind == TokenKind::comment;
      const bool is_raw_string = token.kind == TokenKind::string &&
                                 token.text.substr(0, 4).find("R\"") != std::string_view::npos;
      if (token.terminated || !(is_comment || is_raw_string)) continue;
      findings_.push_back({Finding::Kind::error, token.line, token.column,
                           is_comment ? "this comment is not closed: it needs a */"
                                      : "this raw string is not closed"});
    }
  }

  void rewrite_region(const Region& region) {
    for (const Launch& launch : find_launches(region, file_.macro_names, findings_)) {
      rewrite_launch(region, launch);
    }
    for (const DynamicShared& declaration : find_dynamic_shared(region)) {
      rewrite_dynamic_shared(region, declaration);
    }
    for (std::size_t i = 0; i < region.size(); ++i) {
      const Token& token = region.token(i);
      if (token.is("__attribute__") || (token.is("[") && region.is(region.next(i), "["))) {
        // The name __noinline__ belongs to the attribute here.
        const std::size_t open = token.is("[") ? i : region.next(i);
        const std::size_t end = region.partner(open);
        if (end != kNone && end > i) i = end;
      } else if (token.is("__noinline__")) {
        replace(token, "__SIMULATOR_NOINLINE");
      }
    }
  }

  void rewrite_launch(const Region& region, const Launch& launch) {
    insert_before(region.token(launch.kernel), "__SIMULATOR_LAUNCH((");
    replace(region.token(launch.open), "), (");
    if (launch.open_tokens == 2) replace(region.token(region.next(launch.open)), "");
    replace(region.token(launch.close), ")");
    if (launch.close_tokens == 2) replace(region.token(region.next(launch.close)), "");
    const bool has_arguments = region.next(launch.arguments_open) != launch.arguments_close;
    replace(region.token(launch.arguments_open), has_arguments ? ", " : "");
  }

  void rewrite_dynamic_shared(const Region& region, const DynamicShared& declaration) {
    replace(region.token(declaration.shared), "__SIMULATOR_DYNAMIC");
    for (const std::size_t end : declaration.declarator_ends) {
      insert_behind(region.token(end), " __SIMULATOR_DYNAMIC_NAME");
    }
    if (!declaration.alias.empty()) insert_behind(region.token(declaration.end), declaration.alias);
  }

  std::string edited_text(const std::string& path) const {
    std::string text;
    text.reserve(source_.size() + edits_.size() * 24 + path.size() + 16);
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::size_t copied = 0;
    if (source_.starts_with(kByteOrderMark)) {
      text += kByteOrderMark;
      copied = kByteOrderMark.size();
    }
    text += "#line 1 \"";
    for (const char c : path) {
      if (c == '"' || c == '\\') text += '\\';
      text += c == '\n' ? ' ' : c;
    }
    text += "\"\n";
    for (const Edit& edit : edits_) {
      text += source_.substr(copied, edit.offset - copied);
      text += edit.text;
      copied = edit.offset + edit.length;
    }
    text += source_.substr(copied);
    return text;
  }

  std::string_view source_;
  SourceRegions file_;
  std::vector<Edit> edits_;
  std::set<Edit> known_edits_;
  std::vector<Finding> findings_;
};

}  // namespace

Rewritten rewrite(std::string_view source, const std::string& path) {
  return Rewriter(source).rewrite(path);
}

}  // namespace simulator
