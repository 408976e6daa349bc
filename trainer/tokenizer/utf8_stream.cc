#include "trainer/tokenizer/utf8_stream.h"

#include "trainer/tokenizer/utf8.h"

namespace andrea {
namespace {

constexpr std::string_view kReplacementCharacter = "\xef\xbf\xbd";  // U+FFFD

}  // namespace

std::string Utf8Stream::push(std::string_view bytes) {
  tail_.append(bytes);
  std::string complete;
  std::string_view rest = tail_;
  while (!rest.empty()) {
    const Utf8Sequence sequence = first_utf8_sequence(rest);
    if (sequence.kind == Utf8Sequence::Kind::incomplete) break;
    complete += sequence.kind == Utf8Sequence::Kind::character ? rest.substr(0, sequence.bytes)
                                                               : kReplacementCharacter;
    rest.remove_prefix(sequence.bytes);
  }
  tail_ = std::string(rest);
  return complete;
}

std::string Utf8Stream::finish() {
  const bool incomplete = !tail_.empty();
  tail_.clear();
  return std::string(incomplete ? kReplacementCharacter : "");
}

}  // namespace andrea
