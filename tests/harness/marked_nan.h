// File: marked_nan.h
//
// Three bit patterns that tests fill memory with. All are signalling NaNs: a copy keeps them as
// they are, but arithmetic on a CPU sets their quiet bit and keeps the rest, so that a number found
// in an output tells where it comes from. (A GPU's arithmetic keeps nothing: there what was
// computed reads "NaN".)

#ifndef ANDREA_TESTS_HARNESS_MARKED_NAN_H_
#define ANDREA_TESTS_HARNESS_MARKED_NAN_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace andrea {

inline constexpr std::uint32_t kNeverWritten =
    0x7fa0beef;  // what an output holds before the operation has run
// What an output that is to be overwritten holds: written by the test, and of no use to anyone.
inline constexpr std::uint32_t kStale = 0x7fa0b1d5;
inline constexpr std::uint32_t kGuard = 0x7fa5a5a5;     // what lies before and behind a buffer
inline constexpr std::uint32_t kQuietBit = 0x00400000;  // set by any computation with a NaN

// A NaN that says: held a number that was not to be used.
inline float stale_number() { return std::bit_cast<float>(kStale); }

// By the code under test.
inline bool is_never_written(const float& number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return bits == kNeverWritten || bits == kStale;
}

// Whether it is that NaN, or was made of it.
inline bool is_from_stale(const float& number) {
  return std::bit_cast<std::uint32_t>(number) == (kStale | kQuietBit);
}

// The number, or what kind of NaN it is.
inline std::string describe(const float& number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  if (is_never_written(number)) return "nothing: it was never written";
  if (bits == (kNeverWritten | kQuietBit)) return "NaN, computed from memory never written";
  if (is_from_stale(number)) return "NaN, computed from what was there before";
  if (bits == kGuard) return "NaN, copied from outside a buffer";
  if (bits == (kGuard | kQuietBit)) return "NaN, computed from memory outside a buffer";
  if (std::isnan(number)) return "NaN";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(number));
  return text;
}

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_MARKED_NAN_H_
