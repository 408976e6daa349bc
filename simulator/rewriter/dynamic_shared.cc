#include "simulator/rewriter/dynamic_shared.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

// A longer declaration is none, nor are braces nested deeper; the limits keep damaged text from
// costing quadratic time.
constexpr int kLongestDeclaration = 1000;
constexpr int kDeepestBraces = 100;

// Where the name is given to in simulator/include/simulator/language.h.
constexpr std::string_view kMemory = "simulator_dynamic_shared";

class Finder {
 public:
  explicit Finder(const Region& region) : region_(region) {}

  // `extern` may stand on either side of __shared__.
  std::optional<DynamicShared> read(std::size_t shared) const {
    bool is_extern = is_extern_before(shared);
    DynamicShared found{shared, {}, kNone, ""};
    std::vector<std::size_t> ends;  // The tokens before each , and before the end.
    std::size_t last = shared;
    int tokens = 0, open_templates = 0;
    std::size_t i = shared;
    for (; i != kNone && !region_.is(i, ";"); last = i, i = region_.next(i)) {
      if (++tokens > kLongestDeclaration) return std::nullopt;
      const Token& token = region_.token(i);
      if (token.is("extern")) is_extern = true;
      if (token.is("(") || token.is("[") || token.is("{")) {
        i = region_.partner(i);
        if (i == kNone) return std::nullopt;
      } else if (token.is("<")) {
        ++open_templates;
      } else if (token.is(">") || token.is(">>")) {
        open_templates -= static_cast<int>(token.text.size());
      } else if (token.is(",") && open_templates <= 0) {
        ends.push_back(last);
      } else if (token.is(")") || token.is("]") || token.is("}")) {
        return std::nullopt;
      }
    }
    if (!is_extern || (i == kNone && region_.macro().empty())) return std::nullopt;
    ends.push_back(last);
    found.end = i == kNone ? last : i;
    for (const std::size_t end : ends) {
      const std::size_t declarator = without_attributes(end);
      if (declarator == kNone || declarator <= shared) return std::nullopt;
      found.declarator_ends.push_back(declarator);
    }
    found.alias = alias_of(found);
    return found;
  }

 private:
  bool is_extern_before(std::size_t shared) const {
    int tokens = 0;
    for (std::size_t i = region_.previous(shared); i != kNone; i = region_.previous(i)) {
      if (region_.is(i, ")") || region_.is(i, "]")) i = region_.partner(i);
      if (i == kNone || region_.is(i, ";") || region_.is(i, "{") || region_.is(i, "}")) break;
      if (region_.is(i, "extern")) return true;
      if (++tokens > kLongestDeclaration) break;
    }
    return false;
  }

  // GCC wants the name for the assembler before attributes that follow the declarator.
  std::size_t without_attributes(std::size_t end) const {
    while (region_.is(end, ")")) {
      const std::size_t open = region_.partner(end);
      const std::size_t word = region_.previous(open);
      if (!region_.is(word, "__attribute__") && !region_.is(word, "__align__")) break;
      end = region_.previous(word);
    }
    return end;
  }

  std::string alias_of(const DynamicShared& found) const {
    const bool is_macro = !region_.macro().empty();
    std::vector<std::string> namespaces;
    if (!is_macro && !is_in_template(found.shared, namespaces)) return "";
    std::string alias;
    for (std::size_t name : found.declarator_ends) {
      while (region_.is(name, "]")) name = region_.previous(region_.partner(name));
      // ((x)) and what a macro pastes together are left alone.
      if (!region_.is_identifier(name) || region_.is(region_.previous(name), "##")) continue;
      const std::string_view text = region_.token(name).text;
      const std::vector<std::string_view>& parameters = region_.parameters();
      const bool is_parameter =
          std::find(parameters.begin(), parameters.end(), text) != parameters.end();
      alias += " __asm__(\".set ";
      alias += is_parameter ? "\" #" + std::string(text) + " \"" : symbol(namespaces, text);
      alias += ", " + std::string(kMemory) + "\");";
    }
    if (is_macro && !alias.empty()) {
      // The macro's user writes the last ; where the macro does not.
      if (region_.is(found.end, ";")) return alias;
      alias.insert(0, ";");
      alias.pop_back();
    }
    return alias;
  }

  // Also collects the namespaces around, from the outermost.
  bool is_in_template(std::size_t position, std::vector<std::string>& namespaces) const {
    bool is_template = false;
    int depth = 0;
    for (std::size_t brace = region_.brace(position); brace != kNone;
         brace = region_.brace(brace)) {
      if (++depth > kDeepestBraces) return false;
      std::vector<std::string> names;
      int tokens = 0;
      for (std::size_t i = region_.previous(brace); i != kNone; i = region_.previous(i)) {
        if (region_.is(i, ";") || region_.is(i, "{") || region_.is(i, "}")) break;
        if (++tokens > kLongestDeclaration) break;
        if (region_.is(i, "template") || region_.is(i, "auto")) is_template = true;
        if (region_.is(i, "namespace")) {
          if (names.empty()) names.push_back("_GLOBAL__N_1");
          namespaces.insert(namespaces.begin(), names.rbegin(), names.rend());
          break;
        }
        if (region_.is_identifier(i) && !region_.is(i, "inline")) {
          names.emplace_back(region_.token(i).text);
        }
      }
    }
    return is_template;
  }

  // As the C++ ABI of GCC names a variable.
  static std::string symbol(const std::vector<std::string>& namespaces, std::string_view name) {
    if (namespaces.empty()) return std::string(name);
    std::string text = "_ZN";
    for (const std::string& part : namespaces) text += std::to_string(part.size()) + part;
    return text + std::to_string(name.size()) + std::string(name) + "E";
  }

  const Region& region_;
};

}  // namespace

std::vector<DynamicShared> find_dynamic_shared(const Region& region) {
  std::vector<DynamicShared> all;
  const Finder finder(region);
  for (std::size_t i = 0; i < region.size(); ++i) {
    if (!region.is(i, "__shared__")) continue;
    if (auto found = finder.read(i)) all.push_back(std::move(*found));
  }
  return all;
}

}  // namespace simulator
