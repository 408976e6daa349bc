#include "trainer/tokenizer/byte_alphabet.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace andrea {
namespace {

TEST(ByteAlphabet, WritesBytesAsGpt2Does) {
  EXPECT_EQ(write_bytes(" the"), "Ġthe");
  EXPECT_EQ(write_bytes("\n\t"), "Ċĉ");
  EXPECT_EQ(write_bytes("é"), "Ã©");
  EXPECT_EQ(write_bytes(std::string("\0!~\x7f\xa0\xa1\xac\xad\xae\xff", 10)), "Ā!~ġł¡¬Ń®ÿ");
  EXPECT_EQ(write_bytes(""), "");
}

TEST(ByteAlphabet, WritesEachByteDifferentlyAndVisibly) {
  std::set<std::string> characters;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string character = write_bytes(std::string(1, static_cast<char>(byte)));
    EXPECT_GT(static_cast<unsigned char>(character[0]), ' ') << byte;
    characters.insert(character);
  }
  EXPECT_EQ(characters.size(), 256u);
}

}  // namespace
}  // namespace andrea
