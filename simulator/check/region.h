// File: region.h
//
// A range of memory that kernels may use, with what the checker knows of each byte of it (may it be
// used, has it been written) and of each 4-byte word (who used it last).
//
// All of it is address space that the system fills when it is touched: two bits a byte that exists,
// and 64 bytes a word that a kernel uses.

#ifndef ANDREA_SIMULATOR_CHECK_REGION_H_
#define ANDREA_SIMULATOR_CHECK_REGION_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace simulator {

// One access that a word remembers.
struct AccessRecord {
  static constexpr std::uint32_t kAtomic = 1u << 31;    // of an atomic function
  static constexpr std::uint32_t kVolatile = 1u << 30;  // of a volatile variable
  // A write that left the value as it was.
  static constexpr std::uint32_t kSilent = 1u << 29;
  static constexpr std::uint32_t kThread = (1u << 10) - 1;  // the thread's number

  std::uint32_t code = 0;   // the instruction, as checker.h numbers it; 0 where there is no record
  std::uint32_t block = 0;  // that made the access
  std::uint32_t thread_and_flags = 0;  // which thread of it, and the kinds below
  std::uint32_t clock = 0;             // of that thread, at that time

  bool there() const { return code != 0; }  // whether there was an access at all
  unsigned thread() const { return thread_and_flags & kThread; }  // within its block
  // Of the kinds above.
  bool has(std::uint32_t flag) const { return (thread_and_flags & flag) != 0; }
  // Whether one thread made both.
  bool same_thread(const AccessRecord& other) const {
    return block == other.block && thread() == other.thread();
  }
};

// The last write; the plain write before it where that is an atomic, which hides it from the
// atomics that follow; and two reads that are not ordered with each other.
struct WordRecords {
  AccessRecord write;        // the last write
  AccessRecord plain_write;  // the plain write before it
  AccessRecord reads[2];     // by different threads
};

// Which operations of the device used a word last, by their numbers; 0 where none did.
struct DeviceUse {
  std::uint32_t writer = 0;  // the last that wrote
  std::uint32_t reader = 0;  // the last that read
};

class Region {
 public:
  // What sort of memory it is.
  enum class Kind { device, shared_variables, dynamic_shared, globals };

  // Nothing of it is usable or written yet.
  Region(Kind kind, std::uintptr_t begin, std::size_t bytes);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region();

  Kind kind() const { return kind_; }  // what sort of memory it is
  // Whether it belongs to one block.
  bool is_shared() const {
    return kind_ == Kind::shared_variables || kind_ == Kind::dynamic_shared;
  }
  std::uintptr_t begin() const { return begin_; }  // the first byte
  // Whether the byte belongs to it.
  bool contains(std::uintptr_t address) const { return address - begin_ < bytes_; }

  // Whether the address lies in what is known about the region, and not in the region.
  bool in_tables(std::uintptr_t address) const;

  // What the program may use of it.
  void set_usable(std::uintptr_t address, std::size_t bytes, bool usable) {
    set(usable_, address, bytes, usable);
  }
  // What of it has been written by anybody.
  void set_written(std::uintptr_t address, std::size_t bytes, bool written) {
    set(written_, address, bytes, written);
  }
  // As `from_region` has it for as many bytes.
  void copy_written(std::uintptr_t to, const Region& from_region, std::uintptr_t from,
                    std::size_t bytes);

  // A bit for each of up to 16 bytes from the address on.
  std::uint32_t usable(std::uintptr_t address) const { return bits(usable_, address); }
  std::uint32_t written(std::uintptr_t address) const { return bits(written_, address); }
  void mark_written(std::uintptr_t address, std::uint32_t bytes_mask);
  bool none_written(std::uintptr_t address, std::size_t bytes) const;
  // The address behind the last byte where all are.
  std::uintptr_t first_not_written(std::uintptr_t address, std::size_t bytes) const {
    return first_missing(written_, address, bytes);
  }
  std::uintptr_t first_not_usable(std::uintptr_t address, std::size_t bytes) const {
    return first_missing(usable_, address, bytes);
  }
  bool all_written(std::uintptr_t address, std::size_t bytes) const {
    return first_not_written(address, bytes) == address + bytes;
  }

  // Of the word in which the address lies; kept from launch to launch.
  DeviceUse& device_use(std::uintptr_t address) { return device_uses_[(address - begin_) / 4]; }

  // Forgets who used the words: a launch or a block begins.
  void forget_uses() {
    ++generation_;
    used_chunks_.clear();
  }

  // The records of the word that holds the byte.
  WordRecords& word(std::uintptr_t address) {
    const std::size_t index = (address - begin_) / 4;
    std::uint32_t& generation = generations_[index / kChunkWords];
    if (generation != generation_) {
      begin_chunk(index / kChunkWords);
      generation = generation_;
    }
    return words_[index];
  }

  // Calls use(address, bytes, records) for each word, or byte of a word used in parts, that has
  // been used since the uses were forgotten, in the order of addresses.
  template <typename Use>
  void each_use(Use use) {
    std::sort(used_chunks_.begin(), used_chunks_.end());
    for (const std::size_t chunk : used_chunks_) {
      for (std::size_t i = chunk * kChunkWords; i < (chunk + 1) * kChunkWords; ++i) {
        const std::uintptr_t address = begin_ + 4 * i;
        if (!is_split(words_[i])) {
          use(address, 4u, words_[i]);
          continue;
        }
        for (unsigned byte = 0; byte < 4; ++byte) {
          use(address + byte, 1u, split(words_[i], byte));
        }
      }
    }
  }

  // The records of one byte of a word that has been used in parts.
  static bool is_split(const WordRecords& word) { return word.write.code == kSplit; }
  WordRecords& split(WordRecords& word, unsigned byte);

  // For blocks that are left before their end.
  struct Copy {
    std::vector<unsigned char> written;  // a bit a byte
    std::vector<WordRecords> words;      // a record a word
  };
  Copy copy_uses(std::size_t bytes);
  void restore_uses(const Copy& copy);

 private:
  static constexpr std::size_t kChunkWords = 64;
  static constexpr std::uint32_t kSplit = ~0u;

  void begin_chunk(std::size_t chunk);
  void set(unsigned char* map, std::uintptr_t address, std::size_t bytes, bool value);
  std::uintptr_t first_missing(const unsigned char* map, std::uintptr_t address,
                               std::size_t bytes) const;
  std::uint32_t bits(const unsigned char* map, std::uintptr_t address) const {
    const std::size_t offset = address - begin_;
    std::uint32_t word;
    std::memcpy(&word, map + offset / 8, sizeof word);
    return word >> offset % 8;
  }

  Kind kind_;
  std::uintptr_t begin_;
  std::size_t bytes_;
  std::uint32_t generation_ = 1;
  unsigned char* usable_;   // a bit a byte
  unsigned char* written_;  // a bit a byte
  std::uint32_t* generations_;
  WordRecords* words_;
  DeviceUse* device_uses_;
  std::vector<std::size_t> used_chunks_;
  std::vector<std::unique_ptr<std::array<WordRecords, 4>>> splits_;
  std::uint32_t splits_generation_ = 0;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_REGION_H_
