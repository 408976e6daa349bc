// File: wire.h
//
// Values as bytes, for the files between the judge and the student's program. Both are of one build
// on one machine, so numbers are as memory has them.
//
// What a Reader reads may be hostile: every size is compared with what is left before anything is
// allocated, and what does not fit is Malformed.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_WIRE_H_
#define ANDREA_TOOLS_COURSE_JUDGE_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace andrea::judge {

struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A place in device memory: which buffer of the call, from 1, and how many bytes into it. 0: null.
struct Place {
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
};

class Writer {
 public:
  template <typename Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number> || std::is_enum_v<Number>);
    raw(&value, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint64_t>(value.size()));
    raw(value.data(), value.size());
  }
  void raw(const void* from, std::size_t bytes) {
    bytes_.append(static_cast<const char*>(from), bytes);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  template <typename Number>
  Number number() {
    static_assert(std::is_arithmetic_v<Number> || std::is_enum_v<Number>);
    if constexpr (std::is_same_v<Number, bool>) {
      return number<std::uint8_t>() != 0;  // no other byte is a bool
    } else {
      Number value;
      std::memcpy(&value, raw(sizeof value).data(), sizeof value);
      return value;
    }
  }
  std::string_view text() { return raw(count(1)); }
  // A number of elements that take at least so many bytes each.
  std::size_t count(std::size_t element_bytes) {
    const auto value = number<std::uint64_t>();
    if (value > left_.size() / element_bytes) throw Malformed("a count is larger than the file");
    return static_cast<std::size_t>(value);
  }
  std::string_view raw(std::size_t bytes) {
    if (bytes > left_.size()) throw Malformed("it ends too soon");
    const std::string_view result = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return result;
  }
  void end() const {
    if (!left_.empty()) throw Malformed("something follows its end");
  }

 private:
  std::string_view left_;
};

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_WIRE_H_
