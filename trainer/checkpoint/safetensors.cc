#include "trainer/checkpoint/safetensors.h"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "trainer/base/error.h"

namespace andrea {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "files are written as memory has it");

constexpr std::uint64_t kLengthBytes = sizeof(std::uint64_t);
constexpr std::uint64_t kLongestHeader = 100'000'000;

std::string readable(const std::vector<std::int64_t>& shape) { return Json(shape).dump(); }

// The product of the shape, or -1 where it is no shape or more than any file holds.
std::int64_t count_of(const Json& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 48;
  std::int64_t count = 1;
  for (const Json& size : shape) {
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() > kMost) return -1;
    const auto length = size.get<std::int64_t>();
    if (length > 0 && count > kMost / length) return -1;
    count *= length;
  }
  return count;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors) {
  Json header;
  // Hugging Face's loaders refuse a file without this entry.
  header["__metadata__"]["format"] = "pt";
  std::size_t end = 0;
  for (const NamedTensor& tensor : tensors) {
    const std::size_t begin = end;
    end += tensor.numbers.size_bytes();
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  std::string json = header.dump();
  json.resize((json.size() + 7) / 8 * 8, ' ');

  FileWriter file(path);
  const std::uint64_t length = json.size();
  file.write(&length, kLengthBytes);
  file.write(json);
  for (const NamedTensor& tensor : tensors) {
    file.write(tensor.numbers.data(), tensor.numbers.size_bytes());
  }
  file.close();
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path), file_(path) {
  const std::string damaged = text(path.string(), " is not a whole safetensors file: ");
  std::uint64_t length = 0;
  require(file_.size() >= kLengthBytes, damaged, "it has only ", file_.size(), " bytes");
  std::memcpy(&length, file_.data(), kLengthBytes);
  require(length <= kLongestHeader && length <= file_.size() - kLengthBytes, damaged,
          "its header is cut short");

  const Json header =
      Json::parse(file_.view().substr(kLengthBytes, length), nullptr, /*allow_exceptions=*/false);
  require(header.is_object(), damaged, "its header is not JSON");
  const std::string_view data = file_.view().substr(kLengthBytes + length);
  std::size_t expected = 0;
  try {
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") continue;
      require(entry.at("dtype") == "F32", damaged, name, " is ", entry.at("dtype").dump(),
              ", only \"F32\" is read");
      const std::int64_t count = count_of(entry.at("shape"));
      require(count >= 0, damaged, name, " has no sensible shape");
      NamedTensor tensor{name, entry.at("shape"), {}};
      const std::size_t begin = entry.at("data_offsets").at(0);
      const std::size_t end = entry.at("data_offsets").at(1);
      require(begin == expected && end >= begin && end <= data.size() &&
                  end - begin == static_cast<std::size_t>(count) * sizeof(float),
              damaged, name, " lies outside the file or overlaps another tensor");
      tensor.numbers = {reinterpret_cast<const float*>(data.data() + begin),
                        static_cast<std::size_t>(count)};
      expected = end;
      tensors_.emplace(name, std::move(tensor));
    }
  } catch (const Json::exception& error) {
    throw Error(damaged + "its header lacks an entry (" + error.what() + ")");
  }
  require(expected == data.size(), damaged, "it has ", data.size(), " bytes of numbers, not the ",
          expected, " of its header");
}

std::span<const float> SafetensorsFile::tensor(const std::string& name,
                                               const std::vector<std::int64_t>& shape) const {
  const auto found = tensors_.find(name);
  require(found != tensors_.end(), path_.string(), " has no tensor ", name);
  require(found->second.shape == shape, path_.string(), ": ", name, " has shape ",
          readable(found->second.shape), ", the model needs ", readable(shape));
  return found->second.numbers;
}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors_) names.push_back(name);
  return names;
}

}  // namespace andrea
