#include "trainer/corpus/sample_order.h"

#include <algorithm>
#include <bit>

#include "trainer/base/error.h"
#include "trainer/base/random.h"

namespace andrea {
namespace {

// One number of 0 .. size-1 for each, all different: a permutation that needs no memory. Four
// Feistel rounds (Luby, Rackoff 1988) permute the numbers of an even count of bits; a result that
// is not below size is permuted again until it is ("cycle walking", Black and Rogaway 2002), fewer
// than four times on average.
std::uint64_t permute(std::uint64_t number, std::uint64_t size, std::uint64_t key) {
  const int half_bits = (std::bit_width(size - 1) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
  do {
    std::uint64_t left = number >> half_bits;
    std::uint64_t right = number & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t mixed = left ^ (Random(key + right, round).next() & mask);
      left = right;
      right = mixed;
    }
    number = left << half_bits | right;
  } while (number >= size);
  return number;
}

}  // namespace

std::int64_t windows_per_epoch(std::int64_t tokens, std::int64_t T) {
  require(T >= 1, "the context must have at least one token, not ", T);
  require(tokens > T, "the training text has ", tokens, " tokens, but a context of ", T,
          " needs at least ", T + 1, "; give more text or a shorter --context");
  return std::max<std::int64_t>(1, tokens / T - 1);
}

std::int64_t sample_start(std::int64_t sample, std::int64_t tokens, std::int64_t T,
                          std::uint64_t seed) {
  const std::int64_t windows = windows_per_epoch(tokens, T);
  Random epoch(seed, static_cast<std::uint64_t>(sample / windows));
  const std::int64_t spare = tokens - 1 - windows * T;
  const auto offset = epoch.below(static_cast<std::uint64_t>(std::min(spare, T - 1)) + 1);
  const auto window = permute(static_cast<std::uint64_t>(sample % windows),
                              static_cast<std::uint64_t>(windows), epoch.next());
  return static_cast<std::int64_t>(offset) + static_cast<std::int64_t>(window) * T;
}

std::int64_t sample_place(std::int64_t sample, std::int64_t places, std::uint64_t seed) {
  Random epoch(seed, static_cast<std::uint64_t>(sample / places));
  return static_cast<std::int64_t>(permute(static_cast<std::uint64_t>(sample % places),
                                           static_cast<std::uint64_t>(places), epoch.next()));
}

}  // namespace andrea
