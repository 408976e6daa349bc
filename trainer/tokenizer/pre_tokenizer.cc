#include "trainer/tokenizer/pre_tokenizer.h"

#include <new>
#include <string>

#include "trainer/base/error.h"
#include "trainer/tokenizer/utf8.h"

namespace andrea {
namespace {

// GPT-2's expression with \s and \S spelled out, since PCRE2's \s also takes U+180E, which ceased
// to be white space in Unicode 6.3.
std::string expression() {
  const std::string space = R"(\p{Z}\x{09}-\x{0d}\x{85})";
  return R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^)" + space + R"(\p{L}\p{N}]+|[)" + space +
         "]+(?![^" + space + "])|[" + space + "]+";
}

pcre2_code* compile_pattern() {
  const std::string pattern = expression();
  int error = 0;
  PCRE2_SIZE offset = 0;
  // Every character begins some alternative, so the search never has to look further than here.
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                    PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &error, &offset, nullptr);
  require(code != nullptr, "PCRE2 cannot compile the tokenizer's expression (error ", error,
          " at offset ", offset, "): it needs a PCRE2 that was built with Unicode support");
  // Where no machine code can be made (a system that forbids it), PCRE2 interprets: slower, equal.
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
  return code;
}

// Compiled once, never freed; PCRE2 lets several threads match with it.
const pcre2_code* compiled_pattern() {
  static const pcre2_code* const code = compile_pattern();
  return code;
}

// The length of the run of whole characters (or, if `valid` is false, of anything else) that the
// text begins with.
std::size_t run_bytes(std::string_view text, bool valid) {
  std::size_t length = 0;
  while (length < text.size()) {
    const Utf8Sequence sequence = first_utf8_sequence(text.substr(length));
    if ((sequence.kind == Utf8Sequence::Kind::character) != valid) break;
    length += sequence.bytes;
  }
  return length;
}

}  // namespace

PreTokenizer::PreTokenizer(std::string_view text)
    : rest_(text), match_(pcre2_match_data_create(1, nullptr)) {
  if (match_ == nullptr) throw std::bad_alloc();
}

bool PreTokenizer::next(std::string_view* piece) {
  if (rest_.empty()) return false;
  if (valid_bytes_ == 0) valid_bytes_ = run_bytes(rest_, true);

  std::size_t length = 0;
  if (valid_bytes_ == 0) {
    length = run_bytes(rest_, false);
  } else {
    const int result = pcre2_match(compiled_pattern(), reinterpret_cast<PCRE2_SPTR>(rest_.data()),
                                   valid_bytes_, 0, PCRE2_NO_UTF_CHECK, match_.get(), nullptr);
    require(result > 0, "PCRE2 cannot cut the text into pieces (error ", result, ")");
    length = pcre2_get_ovector_pointer(match_.get())[1];
    valid_bytes_ -= length;
  }
  *piece = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return true;
}

}  // namespace andrea
