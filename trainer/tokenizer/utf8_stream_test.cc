#include "trainer/tokenizer/utf8_stream.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "trainer/tokenizer/utf8.h"

namespace andrea {
namespace {

std::string whole(std::string_view bytes) {
  Utf8Stream stream;
  const std::string pushed = stream.push(bytes);
  return pushed + stream.finish();
}

std::string encoded(char32_t character) {
  std::string bytes;
  if (character < 0x80) {
    bytes = static_cast<char>(character);
  } else if (character < 0x800) {
    bytes = {static_cast<char>(0xc0 | character >> 6), static_cast<char>(0x80 | (character & 63))};
  } else if (character < 0x10000) {
    bytes = {static_cast<char>(0xe0 | character >> 12),
             static_cast<char>(0x80 | (character >> 6 & 63)),
             static_cast<char>(0x80 | (character & 63))};
  } else {
    bytes = {static_cast<char>(0xf0 | character >> 18),
             static_cast<char>(0x80 | (character >> 12 & 63)),
             static_cast<char>(0x80 | (character >> 6 & 63)),
             static_cast<char>(0x80 | (character & 63))};
  }
  return bytes;
}

TEST(Utf8Stream, KeepsAnIncompleteCharacterForTheNextCall) {
  Utf8Stream stream;
  EXPECT_EQ(stream.push("na\xc3"), "na");
  EXPECT_EQ(stream.push("\xafve \xf0\x9f"), "ïve ");
  EXPECT_EQ(stream.push("\x98"), "");
  EXPECT_EQ(stream.push("\x80!"), "😀!");
  EXPECT_EQ(stream.finish(), "");
}

TEST(Utf8Stream, EndsAnIncompleteCharacterWithAReplacement) {
  Utf8Stream stream;
  EXPECT_EQ(stream.push("a\xf0\x9f\x98"), "a");
  EXPECT_EQ(stream.finish(), "\ufffd");
  EXPECT_EQ(stream.push("b"), "b") << "the stream can be used anew";
  EXPECT_EQ(stream.finish(), "");
}

TEST(Utf8Stream, ReplacesEachMaximalSubpartOnce) {
  EXPECT_EQ(whole("\xff\xe2"), "\ufffd\ufffd");
  EXPECT_EQ(whole("\x80\xbf"), "\ufffd\ufffd");
  EXPECT_EQ(whole("\xe2\x82!"), "\ufffd!");
  EXPECT_EQ(whole("\xc3\xc3\xa9"), "\ufffdé");
  // The examples of the Unicode standard, tables 3-8 to 3-11.
  EXPECT_EQ(whole("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"),
            "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\x41");
  EXPECT_EQ(whole("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"),
            "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\x41");
  EXPECT_EQ(whole("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"),
            "\ufffd\ufffd\ufffd\ufffd\ufffd\x41\ufffd\ufffd\x42");
  EXPECT_EQ(whole("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), "\ufffd\ufffd\ufffd\ufffd\x41");
}

TEST(Utf8Stream, LetsEveryCharacterThrough) {
  for (char32_t character = 0; character <= 0x10ffff; ++character) {
    if (character >= 0xd800 && character <= 0xdfff) continue;
    const std::string bytes = encoded(character);
    ASSERT_EQ(whole(bytes), bytes) << static_cast<std::uint32_t>(character);
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      ASSERT_EQ(first_utf8_sequence(bytes.substr(0, cut)).kind, Utf8Sequence::Kind::incomplete);
    }
  }
}

TEST(Utf8Stream, GivesTheSameTextHoweverTheBytesAreCut) {
  const std::string bytes = "a\xff é \xf0\x9f\x98\x80\xf0\x9f\xe2\x82\xac\xed\xa0\x80\xc3";
  const std::string expected = whole(bytes);
  for (std::size_t first = 0; first <= bytes.size(); ++first) {
    for (std::size_t second = first; second <= bytes.size(); ++second) {
      Utf8Stream stream;
      std::string actual = stream.push(bytes.substr(0, first));
      actual += stream.push(bytes.substr(first, second - first));
      actual += stream.push(bytes.substr(second));
      actual += stream.finish();
      ASSERT_EQ(actual, expected) << first << " " << second;
    }
  }
}

}  // namespace
}  // namespace andrea
