// File: exact.h
//
// Slow, independent references for the tests of rounding: an exact value is known only by how it
// compares with any double, and what it must round to is found among the neighbours of the format.

#ifndef ANDREA_SIMULATOR_TESTS_TYPES_EXACT_H_
#define ANDREA_SIMULATOR_TESTS_TYPES_EXACT_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace exact {

enum class Mode { nearest, zero, up, down };
inline constexpr Mode kModes[] = {Mode::nearest, Mode::zero, Mode::up, Mode::down};

// The sign of a sum of doubles, exactly: Shewchuk's growing expansion, whose largest component that
// is not zero has the sign of the whole.
inline int sign_of_sum(std::initializer_list<double> terms) {
  std::array<double, 8> expansion;
  std::size_t count = 0;
  for (const double term : terms) {
    double carried = term;
    for (std::size_t i = 0; i < count; ++i) {
      const double component = expansion.at(i);
      const double sum = carried + component;
      const double part = sum - carried;
      expansion[i] = (carried - (sum - part)) + (component - part);
      carried = sum;
    }
    expansion.at(count++) = carried;
  }
  while (count > 0 && expansion[count - 1] == 0) --count;
  return count == 0 ? 0 : expansion[count - 1] > 0 ? 1 : -1;
}

// A product of doubles as two that sum to it.
struct Product {
  double high, low;
  Product(double x, double y) : high(x * y), low(std::fma(x, y, -high)) {}
};

// A 16-bit format by its definition.
class Format {
 public:
  Format(int exponent_bits, int mantissa_bits)
      : infinity_(((1u << exponent_bits) - 1) << mantissa_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    for (unsigned magnitude = 0; magnitude <= infinity_; ++magnitude) {
      const int exponent = static_cast<int>(magnitude >> mantissa_bits);
      const int mantissa = static_cast<int>(magnitude & ((1u << mantissa_bits) - 1));
      const bool normal = exponent != 0;
      values_.push_back(std::ldexp(mantissa + (normal ? 1 << mantissa_bits : 0),
                                   (normal ? exponent : 1) - bias - mantissa_bits));
    }
  }

  unsigned infinity() const { return infinity_; }
  // The value of a pattern without sign; infinity's is the next power of two.
  double value(unsigned magnitude) const { return values_[magnitude]; }
  // The value of any pattern.
  double of(unsigned pattern) const {
    const unsigned magnitude = pattern & 0x7fff;
    const double sign = (pattern & 0x8000) != 0 ? -1 : 1;
    if (magnitude > infinity_) return std::nan("");
    return sign * (magnitude == infinity_ ? HUGE_VAL : value(magnitude));
  }

 private:
  unsigned infinity_;
  std::vector<double> values_;
};
inline const Format kHalf(5, 10);
inline const Format kBfloat16(8, 7);

// The pattern that a finite value rounds to. `compare(t)` tells the sign of |value| - t.
template <typename Compare>
unsigned round(const Format& format, Mode mode, bool negative, Compare compare) {
  unsigned low = 0;                   // value(low) <= |value|
  unsigned high = format.infinity();  // above it, unless beyond every finite number
  if (compare(format.value(high)) >= 0) {
    low = high;
  } else {
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      (compare(format.value(middle)) >= 0 ? low : high) = middle;
    }
  }
  unsigned result = low;
  if (low != format.infinity() && compare(format.value(low)) != 0) {
    const int half_way = compare((format.value(low) + format.value(low + 1)) / 2);
    const bool away = mode == Mode::nearest ? half_way > 0 || (half_way == 0 && low % 2 == 1)
                      : mode == Mode::up    ? !negative
                      : mode == Mode::down  ? negative
                                            : false;
    result = low + (away ? 1 : 0);
  }
  if (result == format.infinity()) {
    const bool overflows = mode == Mode::nearest || (mode == Mode::up && !negative) ||
                           (mode == Mode::down && negative);
    if (!overflows) result -= 1;
  }
  return result | (negative ? 0x8000 : 0);
}

// The pattern of any double; NaN is 0x7fff.
inline unsigned round(const Format& format, Mode mode, double value) {
  if (std::isnan(value)) return 0x7fff;
  const bool negative = std::signbit(value);
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return format.infinity() | (negative ? 0x8000 : 0);
  return round(format, mode, negative, [&](double t) {
    return magnitude > t ? 1 : magnitude < t ? -1 : 0;
  });
}

// Whether the finite `result` is what an exact value rounds to, for float and double. `compare(t,
// u)` tells the sign of value - (t + u).
template <typename Number, typename Compare>
bool is_rounded(Mode mode, Number result, Compare compare) {
  const int side = compare(static_cast<double>(result), 0.0);
  if (side == 0) return true;
  // The value lies between the result and its neighbour on that side, which at the end of the range
  // is infinity: in float's case as the power of two that would come next.
  const Number toward = side > 0 ? HUGE_VAL : -HUGE_VAL;
  const double neighbour = std::nextafter(result, toward);
  const double other = std::isinf(neighbour) ? side * 0x1p128 : neighbour;
  const bool between = std::isinf(neighbour) || compare(other, 0.0) == -side;
  switch (mode) {
    case Mode::up:
      return side < 0 && between;
    case Mode::down:
      return side > 0 && between;
    case Mode::zero:
      // A result of zero has the value on either side.
      return between && (result == 0 || (result > 0) == (side > 0));
    default:
      break;
  }
  const int half_way = compare(result / 2.0, other / 2.0);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &result, sizeof result);
  return half_way == -side || (half_way == 0 && bits % 2 == 0);
}

}  // namespace exact

#endif  // ANDREA_SIMULATOR_TESTS_TYPES_EXACT_H_
