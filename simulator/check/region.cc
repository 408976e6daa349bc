#include "simulator/check/region.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "simulator/runtime/fault.h"

namespace simulator {
namespace {

constexpr std::size_t kSlack = 16;  // `bits` reads a little past the end

template <typename T>
T* reserve(std::size_t count) {
  void* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fatal(
        "could not reserve the checker's addresses (a limit such as ulimit -v?); set "
        "SIMULATOR_MEMORY to fewer GiB.");
  }
  return static_cast<T*>(memory);
}

std::size_t map_bytes(std::size_t bytes) { return bytes / 8 + 1 + kSlack; }
std::size_t word_count(std::size_t bytes, std::size_t chunk) {
  return (bytes / 4 + chunk) / chunk * chunk;
}

}  // namespace

Region::Region(Kind kind, std::uintptr_t begin, std::size_t bytes)
    : kind_(kind),
      begin_(begin),
      bytes_(bytes),
      usable_(reserve<unsigned char>(map_bytes(bytes))),
      written_(reserve<unsigned char>(map_bytes(bytes))),
      generations_(reserve<std::uint32_t>(word_count(bytes, kChunkWords) / kChunkWords)),
      words_(reserve<WordRecords>(word_count(bytes, kChunkWords))),
      device_uses_(reserve<DeviceUse>(word_count(bytes, kChunkWords))) {}

Region::~Region() {
  munmap(usable_, map_bytes(bytes_));
  munmap(written_, map_bytes(bytes_));
  munmap(generations_, word_count(bytes_, kChunkWords) / kChunkWords * sizeof(std::uint32_t));
  munmap(words_, word_count(bytes_, kChunkWords) * sizeof(WordRecords));
  munmap(device_uses_, word_count(bytes_, kChunkWords) * sizeof(DeviceUse));
}

bool Region::in_tables(std::uintptr_t address) const {
  const auto inside = [&](const void* table, std::size_t bytes) {
    return address - reinterpret_cast<std::uintptr_t>(table) < bytes;
  };
  return inside(usable_, map_bytes(bytes_)) || inside(written_, map_bytes(bytes_)) ||
         inside(words_, word_count(bytes_, kChunkWords) * sizeof(WordRecords)) ||
         inside(device_uses_, word_count(bytes_, kChunkWords) * sizeof(DeviceUse));
}

void Region::begin_chunk(std::size_t chunk) {
  std::memset(static_cast<void*>(words_ + chunk * kChunkWords), 0,
              kChunkWords * sizeof(WordRecords));
  used_chunks_.push_back(chunk);
}

void Region::set(unsigned char* map, std::uintptr_t address, std::size_t bytes, bool value) {
  std::size_t at = address - begin_;
  const std::size_t end = at + bytes;
  const auto one = [&](std::size_t bit) {
    const auto mask = static_cast<unsigned char>(1u << bit % 8);
    map[bit / 8] = static_cast<unsigned char>(value ? map[bit / 8] | mask : map[bit / 8] & ~mask);
  };
  while (at < end && at % 8 != 0) one(at++);
  const std::size_t whole = (end - at) / 8;
  if (at < end && whole > 0) {
    std::memset(map + at / 8, value ? 0xff : 0, whole);
    at += whole * 8;
  }
  while (at < end) one(at++);
}

void Region::mark_written(std::uintptr_t address, std::uint32_t bytes_mask) {
  const std::size_t offset = address - begin_;
  std::uint32_t word;
  std::memcpy(&word, written_ + offset / 8, sizeof word);
  word |= bytes_mask << offset % 8;
  std::memcpy(written_ + offset / 8, &word, sizeof word);
}

bool Region::none_written(std::uintptr_t address, std::size_t bytes) const {
  for (std::size_t i = 0; i < bytes; i += 16) {
    const std::size_t some = std::min<std::size_t>(16, bytes - i);
    if ((written(address + i) & ((1u << some) - 1)) != 0) return false;
  }
  return true;
}

std::uintptr_t Region::first_missing(const unsigned char* map, std::uintptr_t address,
                                     std::size_t bytes) const {
  for (std::size_t i = 0; i < bytes; i += 16) {
    const std::size_t some = std::min<std::size_t>(16, bytes - i);
    const std::uint32_t missing = ~bits(map, address + i) & ((1u << some) - 1);
    if (missing != 0) return address + i + static_cast<unsigned>(std::countr_zero(missing));
  }
  return address + bytes;
}

void Region::copy_written(std::uintptr_t to, const Region& from_region, std::uintptr_t from,
                          std::size_t bytes) {
  if (from_region.all_written(from, bytes)) return set_written(to, bytes, true);
  for (std::size_t i = 0; i < bytes; ++i) {
    set(written_, to + i, 1, (from_region.written(from + i) & 1) != 0);
  }
}

WordRecords& Region::split(WordRecords& word, unsigned byte) {
  if (splits_generation_ != generation_) {
    splits_.clear();
    splits_generation_ = generation_;
  }
  if (!is_split(word)) {
    auto parts = std::make_unique<std::array<WordRecords, 4>>();
    parts->fill(word);
    splits_.push_back(std::move(parts));
    word = {};
    word.write.code = kSplit;
    word.write.block = static_cast<std::uint32_t>(splits_.size() - 1);
  }
  return (*splits_[word.write.block])[byte];
}

Region::Copy Region::copy_uses(std::size_t bytes) {
  Copy copy;
  copy.written.assign(written_, written_ + map_bytes(bytes));
  copy.words.resize(bytes / 4 + 1);
  for (std::size_t i = 0; i < copy.words.size(); ++i) copy.words[i] = word(begin_ + i * 4);
  return copy;
}

void Region::restore_uses(const Copy& copy) {
  std::memcpy(written_, copy.written.data(), copy.written.size());
  for (std::size_t i = 0; i < copy.words.size(); ++i) word(begin_ + i * 4) = copy.words[i];
}

}  // namespace simulator
