// File: random.h
//
// Random numbers that are the same on every machine and compiler (std::normal_distribution and its
// kin are not). The generator is SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014): its state is a counter, so a stream can be taken up anywhere.

#ifndef ANDREA_TRAINER_BASE_RANDOM_H_
#define ANDREA_TRAINER_BASE_RANDOM_H_

#include <cmath>
#include <cstdint>
#include <numbers>

namespace andrea {

// A bijection of 64-bit numbers whose output bits look independent of its input.
inline std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Random {
 public:
  // Streams of one seed are independent of one another.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mix_bits(seed + kGamma) ^ mix_bits(~stream)) {}

  std::uint64_t next() { return mix_bits(state_ += kGamma); }  // 64 random bits

  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // Uniform in 0 .. bound-1; bound must be positive. The bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

  // Standard normal, by Box and Muller (1958); the second value of each pair is dropped.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  static constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15u;
  std::uint64_t state_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_BASE_RANDOM_H_
