#include "simulator/tests/harness/json.h"

#include <cstdlib>
#include <stdexcept>

namespace simulator_test {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Json whole() {
    Json result = value();
    skip_space();
    if (at_ != text_.size()) fail("the end");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& wanted) const {
    throw std::runtime_error("no JSON: " + wanted + " is missing at character " +
                             std::to_string(at_));
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void need(char c) {
    if (!take(c)) fail(std::string("'") + c + "'");
  }

  std::string string() {
    need('"');
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (static_cast<unsigned char>(c) < 0x20) fail("an escape");
      if (c == '\\') {
        if (at_ >= text_.size()) break;
        c = text_[at_++];
        if (c == 'u') {
          c = static_cast<char>(
              std::strtol(std::string(text_.substr(at_, 4)).c_str(), nullptr, 16));
          at_ += 4;
        } else if (c != '"' && c != '\\') {
          fail("a known escape");
        }
      }
      result += c;
    }
    need('"');
    return result;
  }

  Json value() {
    Json result;
    if (take('{')) {
      if (take('}')) return result;
      do {
        const std::string name = string();
        need(':');
        result.members[name] = value();
      } while (take(','));
      need('}');
    } else if (take('[')) {
      if (take(']')) return result;
      do {
        result.items.push_back(value());
      } while (take(','));
      need(']');
    } else if (at_ < text_.size() && text_[at_] == '"') {
      result.text = string();
    } else {
      const std::size_t end = text_.find_first_of(",]} \n", at_);
      result.text = text_.substr(at_, end - at_);
      if (result.text.empty()) fail("a value");
      at_ += result.text.size();
    }
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Json read_json(std::string_view text) { return Reader(text).whole(); }

}  // namespace simulator_test
