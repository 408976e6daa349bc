// File: request_cost.h
//
// What one request, an instruction of one warp, costs by the rules that NVIDIA documents.
//
// Global memory comes in sectors of 32 bytes: the request touches so many, whatever part of them it
// asked for. Shared memory has 32 banks of 4 bytes, each of which gives one word in a wavefront; a
// word that several lanes want is given to all of them at once.

#ifndef ANDREA_SIMULATOR_PROFILE_REQUEST_COST_H_
#define ANDREA_SIMULATOR_PROFILE_REQUEST_COST_H_

#include <array>
#include <cstdint>
#include <optional>

namespace simulator {

struct Request {
  const std::uintptr_t* addresses = nullptr;  // of 32 lanes
  std::uint32_t lanes = 0;                    // those that take part
  unsigned bytes = 0;                         // of each
};

// Values, each kept once. Most requests have ascending addresses, for which nothing is searched.
template <unsigned kMost>
class Distinct {
 public:
  // Of an address that may be there already.
  void add(std::uintptr_t value) {
    if (count_ == 0 || value > greatest_) {
      greatest_ = value;
    } else {
      for (unsigned i = count_; i-- > 0;) {
        if (values_[i] == value) return;
      }
    }
    values_[count_++] = value;
  }
  unsigned count() const { return count_; }                              // of different ones
  const std::uintptr_t* begin() const { return values_.data(); }         // of the different ones
  const std::uintptr_t* end() const { return values_.data() + count_; }  // of the different ones

 private:
  std::array<std::uintptr_t, kMost> values_;
  std::uintptr_t greatest_ = 0;
  unsigned count_ = 0;
};

// An access of up to 16 bytes lies in two sectors at most.
using Sectors = Distinct<64>;

// What a request to global memory costs.
struct GlobalCost {
  Sectors sectors;             // numbers of sectors: addresses divided by 32
  unsigned least_sectors = 0;  // if its lanes lay side by side
};
// Counts the sectors of a warp's request.
GlobalCost global_cost(const Request& request);

// What a request to shared memory costs.
struct SharedCost {
  unsigned wavefronts = 0;        // turns that the banks take
  unsigned least_wavefronts = 0;  // if no two lanes met in a bank
};
// Atomics on one word do not share it.
SharedCost shared_cost(const Request& request, bool atomic);

// The most lanes that want one address.
unsigned most_on_one_address(const Request& request);

// How far apart the addresses of neighbouring threads are, for most of the lanes that take part;
// none where they are scattered, and for a single lane.
std::optional<std::int64_t> stride(const Request& request);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_REQUEST_COST_H_
