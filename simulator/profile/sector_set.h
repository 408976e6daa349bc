// File: sector_set.h
//
// Which sectors of a range of addresses a launch has touched: a bit each. The bits are address
// space that the system fills when it is touched, a thousandth of the memory that a kernel uses.

#ifndef ANDREA_SIMULATOR_PROFILE_SECTOR_SET_H_
#define ANDREA_SIMULATOR_PROFILE_SECTOR_SET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulator {

class SectorSet {
 public:
  // Of an allocation, none counted yet.
  SectorSet(std::uintptr_t begin, std::size_t bytes);
  SectorSet(const SectorSet&) = delete;
  SectorSet& operator=(const SectorSet&) = delete;
  ~SectorSet();

  // `sector`: an address divided by 32.
  void add(std::uintptr_t sector) {
    const std::uintptr_t index = sector - first_;
    std::uint64_t& word = words_[index / 64];
    const std::uint64_t bit = std::uint64_t{1} << index % 64;
    if (word & bit) return;
    if (word == 0) touched_.push_back(static_cast<std::uint32_t>(index / 64));
    word |= bit;
    ++count_;
  }

  std::uint64_t count() const { return count_; }  // of different sectors
  void clear();                                   // none counted any more

  // Sectors side by side.
  struct Range {
    std::uintptr_t address = 0;  // of the first byte
    std::size_t bytes = 0;       // of all of them
  };
  std::vector<Range> ranges() const;  // in the order of their addresses

 private:
  std::uintptr_t first_;
  std::size_t bytes_;  // of the bits
  std::uint64_t* words_;
  std::vector<std::uint32_t> touched_;  // words that are not zero
  std::uint64_t count_ = 0;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_SECTOR_SET_H_
