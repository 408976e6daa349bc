#include "tests/harness/guarded_tensor.h"

#include <gtest/gtest.h>
#include <simulator/reports.h>

#include <algorithm>
#include <cstring>

#include "tests/harness/callee.h"
#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

// What a kernel of 1024 threads without a bounds check would write behind a float tensor.
constexpr std::size_t kGuardBytes = 4096;

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
      guard_bytes_(callee().watches() ? 0 : kGuardBytes),
      bytes_(bytes),
      read_only_(read_only),
      image_(bytes + 2 * guard_bytes_),
      memory_(static_cast<std::int64_t>(image_.size())) {
  std::byte* const contents = image_.data() + guard_bytes_;
  fill(image_.data(), guard_bytes_, kGuard);
  fill(contents, bytes, kNeverWritten);
  fill(contents + bytes, guard_bytes_, kGuard);
  if (initial != nullptr) std::memcpy(contents, initial, bytes);
  memory_.upload(image_);
  simulator::name_memory(memory_.data(), title_);
}

void complain_of(const std::string& damage) {
  if (!damage.empty()) ADD_FAILURE() << damage;
}

void GuardedMemory::read(void* to) const {
  const std::vector<std::byte> all = memory_.to_host();
  std::copy_n(all.data() + guard_bytes_, bytes_, static_cast<std::byte*>(to));
}

std::size_t GuardedMemory::first_change(const std::vector<std::byte>& now, std::size_t start,
                                        std::size_t size) const {
  const auto begin = image_.begin() + static_cast<std::ptrdiff_t>(start);
  const auto end = begin + static_cast<std::ptrdiff_t>(size);
  const auto other = now.begin() + static_cast<std::ptrdiff_t>(start);
  return static_cast<std::size_t>(std::mismatch(begin, end, other).first - begin);
}

std::optional<std::size_t> GuardedMemory::changed_from() const {
  if (!read_only_) return std::nullopt;
  const std::vector<std::byte> now = memory_.to_host();
  const std::size_t inside = first_change(now, guard_bytes_, bytes_);
  const bool beside = first_change(now, 0, guard_bytes_) < guard_bytes_ ||
                      first_change(now, guard_bytes_ + bytes_, guard_bytes_) < guard_bytes_;
  if (beside || inside == bytes_) return std::nullopt;
  return inside / sizeof(float) * sizeof(float);
}

std::string GuardedMemory::damage() const {
  // After a fault a card gives nothing back.
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    return title_ + ": it cannot be read again, since CUDA says " + cudaGetErrorName(error) + ": " +
           cudaGetErrorString(error);
  }
  const std::vector<std::byte> now = memory_.to_host();
  const std::size_t front = first_change(now, 0, guard_bytes_);
  if (front < guard_bytes_) {
    return title_ + ": something wrote in front of it, " + std::to_string(guard_bytes_ - front) +
           " bytes before its start";
  }
  const std::size_t behind = first_change(now, guard_bytes_ + bytes_, guard_bytes_);
  if (behind < guard_bytes_) {
    return title_ + ": something wrote behind its end, from byte " + std::to_string(behind) +
           " after it";
  }
  if (const auto byte = changed_from(); byte.has_value()) {
    return title_ + ": an input was changed, from byte " + std::to_string(*byte);
  }
  return "";
}

}  // namespace andrea
