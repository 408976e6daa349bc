// File: utf8_stream.h
//
// Turns bytes that arrive in arbitrary parts into text that can be shown at once. A token may end
// in the middle of a character; a terminal must not be sent half of one.
//
//   Utf8Stream stream;
//   for (int id : ids) std::cout << stream.push(tokenizer.piece(id)) << std::flush;
//   std::cout << stream.finish();

#ifndef ANDREA_TRAINER_TOKENIZER_UTF8_STREAM_H_
#define ANDREA_TRAINER_TOKENIZER_UTF8_STREAM_H_

#include <string>
#include <string_view>

namespace andrea {

class Utf8Stream {
 public:
  // The characters that are complete with these bytes. A character begun but not complete is kept
  // for the next call. Each maximal subpart of an invalid sequence becomes one U+FFFD (the Unicode
  // standard's recommended practice), so the result is always valid UTF-8, however the bytes were
  // cut into calls.
  std::string push(std::string_view bytes);

  // The end of the text: U+FFFD if a character was left incomplete. The stream can be used anew.
  std::string finish();

 private:
  std::string tail_;  // the incomplete character, at most 3 bytes
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_TOKENIZER_UTF8_STREAM_H_
