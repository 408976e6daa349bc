// File: rounded.h
//
// bfloat16 on the host: the upper half of a float, rounded to the nearest, and where two are
// equally near to the one whose last bit is 0.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_ROUNDED_H_
#define ANDREA_LESSONS_07_FULL_MODEL_ROUNDED_H_

#include <bit>
#include <cstdint>

namespace andrea {

// Precondition: not a NaN.
constexpr std::uint16_t bfloat16_bits(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

constexpr float rounded_to_bfloat16(float number) {
  return std::bit_cast<float>(std::uint32_t{bfloat16_bits(number)} << 16);
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_07_FULL_MODEL_ROUNDED_H_
