#include "simulator/profile/request_cost.h"

#include <algorithm>
#include <bit>

namespace simulator {
namespace {

constexpr unsigned kLanes = 32;
constexpr std::uintptr_t kSector = 32;
constexpr std::uintptr_t kBanks = 32;
constexpr std::uintptr_t kWord = 4;

template <typename Visit>
inline void for_each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

unsigned wavefronts_of_group(const Request& request, std::uint32_t lanes, bool atomic) {
  std::array<std::uint8_t, kBanks> in_bank{};
  Distinct<64> words;
  for_each_lane(lanes, [&](unsigned lane) {
    const std::uintptr_t address = request.addresses[lane];
    for (std::uintptr_t word = address / kWord; word <= (address + request.bytes - 1) / kWord;
         ++word) {
      if (atomic) {
        ++in_bank[word % kBanks];
      } else {
        words.add(word);
      }
    }
  });
  for (const std::uintptr_t word : words) ++in_bank[word % kBanks];
  return *std::max_element(in_bank.begin(), in_bank.end());
}

}  // namespace

GlobalCost global_cost(const Request& request) {
  GlobalCost cost;
  Distinct<kLanes> addresses;
  for_each_lane(request.lanes, [&](unsigned lane) {
    const std::uintptr_t address = request.addresses[lane];
    addresses.add(address);
    const std::uintptr_t first = address / kSector;
    const std::uintptr_t last = (address + request.bytes - 1) / kSector;
    cost.sectors.add(first);
    if (last != first) cost.sectors.add(last);
  });
  const unsigned bytes = addresses.count() * request.bytes;
  cost.least_sectors = std::min<unsigned>((bytes + kSector - 1) / kSector, cost.sectors.count());
  return cost;
}

SharedCost shared_cost(const Request& request, bool atomic) {
  SharedCost cost;
  const unsigned group = request.bytes <= 4 ? 32 : request.bytes <= 8 ? 16 : 8;
  const std::uint32_t first = ~std::uint32_t{0} >> (kLanes - group);
  for (unsigned lane = 0; lane < kLanes; lane += group) {
    const std::uint32_t lanes = request.lanes & first << lane;
    if (lanes == 0) continue;
    cost.wavefronts += wavefronts_of_group(request, lanes, atomic);
    ++cost.least_wavefronts;
  }
  return cost;
}

unsigned most_on_one_address(const Request& request) {
  unsigned most = 0;
  for_each_lane(request.lanes, [&](unsigned lane) {
    unsigned same = 0;
    for_each_lane(request.lanes, [&](unsigned other) {
      same += request.addresses[other] == request.addresses[lane];
    });
    most = std::max(most, same);
  });
  return most;
}

std::optional<std::int64_t> stride(const Request& request) {
  // Between each lane and the next that takes part, for each lane that lies between them.
  std::array<std::int64_t, kLanes> steps;
  unsigned count = 0;
  unsigned before = kLanes;
  for_each_lane(request.lanes, [&](unsigned lane) {
    if (before != kLanes) {
      const auto apart =
          static_cast<std::int64_t>(request.addresses[lane] - request.addresses[before]);
      steps[count++] = apart / static_cast<std::int64_t>(lane - before);
    }
    before = lane;
  });
  for (unsigned i = 0; i < count; ++i) {
    const auto same = std::count(steps.begin(), steps.begin() + count, steps[i]);
    if (2 * same > static_cast<std::ptrdiff_t>(count)) return steps[i];
  }
  return std::nullopt;
}

}  // namespace simulator
