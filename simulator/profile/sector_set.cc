#include "simulator/profile/sector_set.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "simulator/runtime/fault.h"

namespace simulator {
namespace {

constexpr std::uintptr_t kSector = 32;

}  // namespace

SectorSet::SectorSet(std::uintptr_t begin, std::size_t bytes)
    : first_(begin / kSector), bytes_((bytes / kSector / 64 + 2) * sizeof(std::uint64_t)) {
  void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fatal(
        "could not reserve addresses to count sectors (a limit such as ulimit -v?); set "
        "SIMULATOR_MEMORY to fewer GiB.");
  }
  words_ = static_cast<std::uint64_t*>(memory);
}

SectorSet::~SectorSet() { munmap(words_, bytes_); }

void SectorSet::clear() {
  for (const std::uint32_t word : touched_) words_[word] = 0;
  touched_.clear();
  count_ = 0;
}

std::vector<SectorSet::Range> SectorSet::ranges() const {
  std::vector<std::uint32_t> order = touched_;
  std::sort(order.begin(), order.end());
  std::vector<Range> ranges;
  for (const std::uint32_t index : order) {
    for (std::uint64_t rest = words_[index]; rest != 0;) {
      const auto from = static_cast<unsigned>(std::countr_zero(rest));
      const auto length = static_cast<unsigned>(std::countr_one(rest >> from));
      rest &= length == 64 ? 0 : ~(((std::uint64_t{1} << length) - 1) << from);
      const std::uintptr_t address = (first_ + std::uintptr_t{index} * 64 + from) * kSector;
      if (!ranges.empty() && ranges.back().address + ranges.back().bytes == address) {
        ranges.back().bytes += length * kSector;
      } else {
        ranges.push_back({address, length * kSector});
      }
    }
  }
  return ranges;
}

}  // namespace simulator
