#include "trainer/checkpoint/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

using Floats = std::vector<float>;
using Shape = std::vector<std::int64_t>;

Floats copy_of(std::span<const float> numbers) { return {numbers.begin(), numbers.end()}; }

// Writes two tensors, "a" [2, 3] and "b.bias" [1].
fs::path write_two(const TestFolder& folder) {
  const Floats a = {1.5f, -2, 3e-38f, 4, 5, 6};
  const Floats b = {-0.0f};
  const fs::path path = folder.path() / "two.safetensors";
  write_safetensors(path, {{"a", {2, 3}, a}, {"b.bias", {1}, b}});
  return path;
}

TEST(SafetensorsTest, IsReadAsItWasWritten) {
  const TestFolder folder;
  const SafetensorsFile file(write_two(folder));
  EXPECT_EQ(file.names(), (std::vector<std::string>{"a", "b.bias"}));
  EXPECT_EQ(copy_of(file.tensor("a", {2, 3})), (Floats{1.5f, -2, 3e-38f, 4, 5, 6}));
  EXPECT_TRUE(std::signbit(file.tensor("b.bias", {1})[0]));
}

// What other readers of the format rely on.
TEST(SafetensorsTest, HasTheFormatsHeader) {
  const TestFolder folder;
  const std::string contents = read_file(write_two(folder));
  std::uint64_t length = 0;
  std::memcpy(&length, contents.data(), sizeof length);
  EXPECT_EQ(length % 8, 0u);
  ASSERT_EQ(contents.size(), sizeof length + length + 7 * sizeof(float));

  const auto header = nlohmann::json::parse(contents.substr(sizeof length, length));
  EXPECT_EQ(header, nlohmann::json::parse(R"({
    "__metadata__": {"format": "pt"},
    "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
    "b.bias": {"dtype": "F32", "shape": [1], "data_offsets": [24, 28]}
  })"));
  float second = 0;
  std::memcpy(&second, contents.data() + sizeof length + length + sizeof(float), sizeof second);
  EXPECT_EQ(second, -2);
}

TEST(SafetensorsTest, NoTensorsAndEmptyOnesAreFine) {
  const TestFolder folder;
  const fs::path path = folder.path() / "empty.safetensors";
  write_safetensors(path, {});
  EXPECT_TRUE(SafetensorsFile(path).names().empty());

  const Floats one = {3};
  write_safetensors(path, {{"none", {0, 5}, {}}, {"scalar", {}, one}});
  const SafetensorsFile file(path);
  EXPECT_TRUE(file.tensor("none", {0, 5}).empty());
  EXPECT_EQ(copy_of(file.tensor("scalar", {})), one);
}

TEST(SafetensorsTest, AnotherShapeOrNameIsRefused) {
  const TestFolder folder;
  const fs::path path = write_two(folder);
  const SafetensorsFile file(path);
  EXPECT_EQ(message_of<Error>([&] {
              file.tensor("a", {3, 2});
            }),
            path.string() + ": a has shape [2,3], the model needs [3,2]");
  EXPECT_EQ(message_of<Error>([&] { file.tensor("a", {6}); }),
            path.string() + ": a has shape [2,3], the model needs [6]");
  EXPECT_EQ(message_of<Error>([&] { file.tensor("c", {1}); }), path.string() + " has no tensor c");
}

// The Error that reading these bytes gives; it must name the file.
std::string refusal(const TestFolder& folder, std::string_view contents) {
  const std::string path = folder.write("damaged.safetensors", contents);
  const std::string message = message_of<Error>([&] { SafetensorsFile file(path); });
  if (message.empty()) return "";
  EXPECT_TRUE(message.starts_with(path)) << message;
  return message.substr(path.size());
}

TEST(SafetensorsTest, CutShortAnywhereIsRefused) {
  const TestFolder folder;
  const std::string whole = read_file(write_two(folder));
  EXPECT_EQ(refusal(folder, whole), "");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(refusal(folder, std::string_view(whole).substr(0, length)), "") << length;
  }
  EXPECT_EQ(refusal(folder, "abc"), " is not a whole safetensors file: it has only 3 bytes");
  EXPECT_EQ(refusal(folder, whole.substr(0, 60)),
            " is not a whole safetensors file: its header is cut short");
}

TEST(SafetensorsTest, MoreThanTheHeaderTellsIsRefused) {
  const TestFolder folder;
  const std::string whole = read_file(write_two(folder));
  for (const std::size_t more : {1, 4, 1000}) {
    EXPECT_NE(refusal(folder, whole + std::string(more, '\0')), "") << more;
  }
}

std::string file_of(const std::string& header, std::size_t data_bytes) {
  const std::uint64_t length = header.size();
  std::string contents(sizeof length, '\0');
  std::memcpy(contents.data(), &length, sizeof length);
  return contents + header + std::string(data_bytes, '\0');
}

TEST(SafetensorsTest, DamagedHeadersAreRefused) {
  const TestFolder folder;
  // Each is followed by eight bytes of numbers.
  const auto refused = [&](const std::string& header) {
    return refusal(folder, file_of(header, 8)) != "";
  };
  EXPECT_FALSE(refused(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})"));
  const std::pair<const char*, const char*> headers[] = {
      {"empty", ""},
      {"not JSON", "{"},
      {"no object", "[1, 2]"},
      {"no numbers told", "{}"},
      {"an entry that is no object", R"({"a": 3})"},
      {"no type", R"({"a": {"shape": [2], "data_offsets": [0, 8]}})"},
      {"another type", R"({"a": {"dtype": "F16", "shape": [4], "data_offsets": [0, 8]}})"},
      {"a type that is a number", R"({"a": {"dtype": 32, "shape": [2], "data_offsets": [0, 8]}})"},
      {"no shape", R"({"a": {"dtype": "F32", "data_offsets": [0, 8]}})"},
      {"a shape of text", R"({"a": {"dtype": "F32", "shape": ["2"], "data_offsets": [0, 8]}})"},
      {"a shape that is too small",
       R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 8]}})"},
      {"a shape that is too large",
       R"({"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}})"},
      {"no offsets", R"({"a": {"dtype": "F32", "shape": [2]}})"},
      {"one offset", R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0]}})"},
      {"offsets of text", R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": ["0", "8"]}})"},
      {"a negative offset", R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [-8, 0]}})"},
      {"an end before the beginning",
       R"({"a": {"dtype": "F32", "shape": [0], "data_offsets": [8, 0]}})"},
      {"an end outside", R"({"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]}})"},
      {"a gap", R"({"a": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]},
                    "b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})"},
      {"an overlap", R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
                         "b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})"},
      {"too few numbers told", R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})"},
  };
  for (const auto& [what, header] : headers) EXPECT_TRUE(refused(header)) << what;
}

// Products of sizes that no 64-bit number holds, and sizes below zero.
TEST(SafetensorsTest, AbsurdShapesAreRefused) {
  const TestFolder folder;
  for (const char* shape : {"[4294967296, 4294967296]", "[9223372036854775807, 3]", "[-1, -2]",
                            "[-9223372036854775808]", "[18446744073709551615]", "[0.5, 4]"}) {
    const std::string header = std::string(R"({"a": {"dtype": "F32", "shape": )") + shape +
                               R"(, "data_offsets": [0, 8]}})";
    EXPECT_NE(refusal(folder, file_of(header, 8)), "") << shape;
    const std::string empty = std::string(R"({"a": {"dtype": "F32", "shape": )") + shape +
                              R"(, "data_offsets": [0, 0]}})";
    EXPECT_NE(refusal(folder, file_of(empty, 0)), "") << shape;
  }
}

TEST(SafetensorsTest, AnAbsurdHeaderLengthIsRefused) {
  const TestFolder folder;
  std::string contents = read_file(write_two(folder));
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{1} << 40, std::uint64_t{1} << 63, ~std::uint64_t{0},
        ~std::uint64_t{0} - 7}) {
    std::memcpy(contents.data(), &length, sizeof length);
    EXPECT_NE(refusal(folder, contents), "") << length;
  }
}

TEST(SafetensorsTest, MissingFilesAndFoldersAreRefused) {
  const TestFolder folder;
  EXPECT_NE(message_of<Error>([&] { SafetensorsFile file(folder.path() / "none"); }), "");
  EXPECT_NE(message_of<Error>([&] { SafetensorsFile file(folder.path()); }), "");
  EXPECT_NE(message_of<Error>([&] { write_safetensors(folder.path() / "no/file", {}); }), "");
}

}  // namespace
}  // namespace andrea
