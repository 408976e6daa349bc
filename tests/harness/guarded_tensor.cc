#include "tests/harness/guarded_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

void fill(std::byte* from, std::size_t bytes, std::uint32_t pattern) {
  for (std::size_t i = 0; i < bytes; i += sizeof pattern) {
    std::memcpy(from + i, &pattern, std::min(sizeof pattern, bytes - i));
  }
}

}  // namespace

std::int64_t count_of(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::string title_of(const std::string& name, const Shape& shape) {
  std::string title = name + " [";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    title += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return title + "]";
}

GuardedMemory::GuardedMemory(std::string title, std::size_t bytes, const void* initial,
                             bool read_only)
    : title_(std::move(title)),
      bytes_(bytes),
      read_only_(read_only),
      image_(bytes + 2 * kGuardBytes),
      memory_(static_cast<std::int64_t>(image_.size())) {
  std::byte* const contents = image_.data() + kGuardBytes;
  fill(image_.data(), kGuardBytes, kGuard);
  fill(contents, bytes, kNeverWritten);
  fill(contents + bytes, kGuardBytes, kGuard);
  if (initial != nullptr) std::memcpy(contents, initial, bytes);
  memory_.upload(image_);
}

GuardedMemory::~GuardedMemory() {
  const std::string found = damage();
  if (!found.empty()) ADD_FAILURE() << found;
}

void GuardedMemory::read(void* to) const {
  const std::vector<std::byte> all = memory_.to_host();
  std::copy_n(all.data() + kGuardBytes, bytes_, static_cast<std::byte*>(to));
}

std::string GuardedMemory::damage() const {
  const std::vector<std::byte> now = memory_.to_host();
  // The first changed byte of a region, counted from the region's start, or the region's size.
  const auto first_change = [&](std::size_t start, std::size_t size) {
    const auto begin = image_.begin() + static_cast<std::ptrdiff_t>(start);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    const auto other = now.begin() + static_cast<std::ptrdiff_t>(start);
    return static_cast<std::size_t>(std::mismatch(begin, end, other).first - begin);
  };
  const std::size_t front = first_change(0, kGuardBytes);
  if (front < kGuardBytes) {
    return title_ + ": something wrote in front of it, " + std::to_string(kGuardBytes - front) +
           " bytes before its start";
  }
  const std::size_t behind = first_change(kGuardBytes + bytes_, kGuardBytes);
  if (behind < kGuardBytes) {
    return title_ + ": something wrote behind its end, from byte " + std::to_string(behind) +
           " after it";
  }
  const std::size_t inside = first_change(kGuardBytes, bytes_);
  if (read_only_ && inside < bytes_) {
    return title_ + ": an input was changed, from byte " + std::to_string(inside / 4 * 4);
  }
  return "";
}

}  // namespace andrea
