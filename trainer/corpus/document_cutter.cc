#include "trainer/corpus/document_cutter.h"

#include <algorithm>
#include <utility>

#include "trainer/base/error.h"

namespace andrea {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// The position in [low, high] nearest to `target` for which good(position) holds.
template <typename Predicate>
std::size_t nearest(std::size_t low, std::size_t target, std::size_t high, Predicate good) {
  for (std::size_t distance = 0; distance <= high - low; ++distance) {
    if (target >= low + distance && good(target - distance)) return target - distance;
    if (target + distance <= high && good(target + distance)) return target + distance;
  }
  return kNowhere;
}

// Where to cut a text of which at least one byte lies on either side of [low, high].
std::size_t section_end(std::string_view text, std::size_t low, std::size_t target,
                        std::size_t high) {
  const auto after_paragraph = [text](std::size_t at) {
    return at >= 2 && text[at - 1] == '\n' && text[at - 2] == '\n' && text[at] != '\n';
  };
  const auto after_line = [text](std::size_t at) { return text[at - 1] == '\n'; };
  const auto before_space = [text](std::size_t at) { return text[at] == ' '; };
  const auto between_characters = [text](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
  };
  std::size_t end = nearest(low, target, high, after_paragraph);
  if (end == kNowhere) end = nearest(low, target, high, after_line);
  if (end == kNowhere) end = nearest(low, target, high, before_space);
  if (end == kNowhere) end = nearest(low, target, high, between_characters);
  return end == kNowhere ? target : end;  // Not UTF-8 at all: any place is as good.
}

}  // namespace

DocumentCutter cut_nowhere() {
  return [](std::string_view, bool) { return std::optional<Cut>(); };
}

DocumentCutter cut_at_lines() {
  return [](std::string_view text, bool) -> std::optional<Cut> {
    const std::size_t end = text.find('\n');
    if (end == kNowhere) return std::nullopt;
    return Cut{end, end + 1};
  };
}

DocumentCutter cut_at_blank_lines() {
  return [](std::string_view text, bool) -> std::optional<Cut> {
    // A blank line at the front ends an empty document, which the caller drops.
    for (std::size_t line = 0, end = 0;;) {
      const std::size_t first = text.find_first_not_of(" \t", line);
      if (first == kNowhere) return std::nullopt;
      if (text[first] == '\n') return Cut{end, first + 1};
      end = text.find('\n', first);
      if (end == kNowhere) return std::nullopt;
      line = end + 1;
    }
  };
}

DocumentCutter cut_at_separator(std::string separator) {
  require(!separator.empty(), "the separator between documents is empty; give one, as in ",
          "--documents 'separator:<|endoftext|>'");
  return [separator = std::move(separator)](std::string_view text, bool) -> std::optional<Cut> {
    const std::size_t end = text.find(separator);
    if (end == kNowhere) return std::nullopt;
    return Cut{end, end + separator.size()};
  };
}

DocumentCutter cut_into_sections(std::size_t bytes) {
  const std::size_t target = std::max<std::size_t>(bytes, 2);
  return [target](std::string_view text, bool complete) -> std::optional<Cut> {
    // Neither this section nor what remains may be shorter than half the target.
    if (text.size() < 2 * target && !complete) return std::nullopt;
    if (text.size() <= target + target / 2) return std::nullopt;
    const std::size_t low = target / 2;
    const std::size_t high = std::min(target + target / 2, text.size() - target / 2);
    const std::size_t end = section_end(text, low, target, high);
    return Cut{end, end};
  };
}

}  // namespace andrea
