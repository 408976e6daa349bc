#include "trainer/corpus/r_data.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>

#include "trainer/base/error.h"

namespace andrea {
namespace {

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

std::string header(int version) {
  std::string bytes = "X\n" + big_endian(version) + big_endian(0x40201) + big_endian(0x30500);
  if (version == 3) bytes += big_endian(5) + "UTF-8";
  return bytes;
}

std::string string_object(const std::string& contents) {
  return big_endian(0x40009) + big_endian(contents.size()) + contents;
}

std::string block(const std::string& contents) {
  uLongf size = compressBound(contents.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(contents.data()), contents.size());
  return big_endian(contents.size()) + packed.substr(0, size);
}

TEST(RData, ReadsTheStringsOfABlock) {
  const std::string lines = header(3) + big_endian(16) + big_endian(3) + string_object("EMMA") +
                            string_object("") +
                            string_object(
                                "\xc2\xa3"
                                "20,000");
  const auto blocks = unpack_r_blocks(block(lines) + block(std::string(100'000, 'a')) + block(""));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(read_r_strings(blocks[0]), (std::vector<std::string>{"EMMA", "", "£20,000"}));
  EXPECT_EQ(blocks[1], std::string(100'000, 'a'));
  EXPECT_EQ(blocks[2], "");
}

TEST(RData, ReadsVersionTwoAndMissingStrings) {
  const std::string missing = big_endian(9) + big_endian(0xffffffff);
  EXPECT_EQ(
      read_r_strings(header(2) + big_endian(16) + big_endian(2) + missing + string_object("a")),
      (std::vector<std::string>{"", "a"}));
}

TEST(RData, RefusesOtherObjects) {
  const auto refused = [](const std::string& bytes) { EXPECT_THROW(read_r_strings(bytes), Error); };
  refused("");
  refused("A\n");
  refused(header(4) + big_endian(16) + big_endian(0));
  refused(header(3) + big_endian(13) + big_endian(0));        // A vector of integers.
  refused(header(3) + big_endian(16 + 512) + big_endian(0));  // With attributes.
  refused(header(3) + big_endian(16) + big_endian(1) + big_endian(13) + big_endian(0));
  refused(header(3) + big_endian(16) + big_endian(1) + big_endian(0x4009) + big_endian(0));
}

TEST(RData, RefusesWhateverIsCutShort) {
  const std::string whole =
      header(3) + big_endian(16) + big_endian(2) + string_object("one") + string_object("two");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(read_r_strings(whole.substr(0, size)), Error) << size;
  }
  const std::string packed = block(whole);
  for (std::size_t size = 1; size < packed.size(); ++size) {
    EXPECT_THROW(unpack_r_blocks(packed.substr(0, size)), Error) << size;
  }
  EXPECT_THROW(unpack_r_blocks(big_endian(0xfffffff0) + "x"), Error);
  EXPECT_THROW(unpack_r_blocks(big_endian(3) + packed.substr(4)), Error);
  EXPECT_THROW(unpack_r_blocks(big_endian(whole.size() + 1) + packed.substr(4)), Error);
}

}  // namespace
}  // namespace andrea
