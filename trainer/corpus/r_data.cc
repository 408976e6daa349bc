#include "trainer/corpus/r_data.h"

#include <zlib.h>

#include <cstdint>

#include "trainer/base/error.h"

namespace andrea {
namespace {

// zlib packs at most about 1032 bytes into one; a length beyond that is no length.
constexpr std::size_t kLargestRatio = 1100;

// Bits of the flags before an object.
constexpr std::uint32_t kTypeMask = 0xff;
constexpr std::uint32_t kAttributes = 1u << 9;
constexpr std::uint32_t kLatin1 = 1u << (12 + 2);
constexpr std::uint32_t kString = 9;
constexpr std::uint32_t kStringVector = 16;

// Takes values off the front of bytes.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : left_(bytes) {}

  std::string_view take(std::size_t count) {
    require(count <= left_.size(), "the R data is cut short: ", count, " bytes expected, ",
            left_.size(), " left");
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  std::uint32_t take_integer() {
    std::uint32_t value = 0;
    for (const char byte : take(4)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }

  std::string_view left() const { return left_; }

 private:
  std::string_view left_;
};

// Unpacks the zlib stream at the front of `packed` into *block, whose size is what it must have,
// and returns how many bytes the stream has.
std::size_t unpack(std::string_view packed, std::string* block) {
  z_stream stream = {};
  require(::inflateInit(&stream) == Z_OK, "cannot unpack the R data: out of memory");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(block->data());
  stream.avail_out = static_cast<uInt>(block->size());
  const int code = ::inflate(&stream, Z_FINISH);
  ::inflateEnd(&stream);
  require(code == Z_STREAM_END && stream.avail_out == 0,
          "a block of the R data cannot be unpacked by zlib (damaged, or packed by bzip2 or xz)");
  return packed.size() - stream.avail_in;
}

}  // namespace

std::vector<std::string> unpack_r_blocks(std::string_view file) {
  require(file.size() < std::size_t{1} << 31, "the R data is larger than 2 GB");
  std::vector<std::string> blocks;
  for (Bytes bytes(file); !bytes.left().empty();) {
    const std::size_t size = bytes.take_integer();
    require(size / kLargestRatio <= bytes.left().size(),
            "the R data is cut short: ", bytes.left().size(), " bytes cannot hold a block of ",
            size);
    std::string block(size, '\0');
    bytes.take(unpack(bytes.left(), &block));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<std::string> read_r_strings(std::string_view serialised) {
  Bytes bytes(serialised);
  require(bytes.take(2) == "X\n", "the R data is not in R's XDR serialisation");
  const std::uint32_t version = bytes.take_integer();
  require(version == 2 || version == 3, "the R data is in version ", version,
          " of R's serialisation; versions 2 and 3 can be read");
  bytes.take(8);
  if (version == 3) bytes.take(bytes.take_integer());
  const std::uint32_t flags = bytes.take_integer();
  require((flags & kTypeMask) == kStringVector && (flags & kAttributes) == 0,
          "the R data is not a plain character vector (type ", flags & kTypeMask, ")");
  std::vector<std::string> strings;
  for (std::uint32_t left = bytes.take_integer(); left > 0; --left) {
    const std::uint32_t string_flags = bytes.take_integer();
    require((string_flags & kTypeMask) == kString, "the R data has an object of type ",
            string_flags & kTypeMask, " where a string is expected");
    require((string_flags & kLatin1) == 0, "the R data has a string in Latin-1, not UTF-8");
    const std::uint32_t length = bytes.take_integer();
    strings.emplace_back(length == UINT32_MAX ? std::string_view() : bytes.take(length));
  }
  return strings;
}

}  // namespace andrea
