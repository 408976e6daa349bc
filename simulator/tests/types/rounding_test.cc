// Arithmetic with a rounding mode, judged by exact comparison; conversions to and from integers.

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#include "exact.h"
#include "simulator/math.h"

namespace {

using exact::is_rounded;
using exact::Mode;
using exact::Product;
using exact::sign_of_sum;

// Numbers of every size, borders of the type and small integers.
class Numbers {
 public:
  template <typename Number>
  Number next() {
    const std::uint64_t bits = random_();
    switch (random_() % 8) {
      case 0:
        return static_cast<Number>(static_cast<int>(bits % 7) - 3);
      case 1:
        return std::numeric_limits<Number>::max() * ((bits & 1) != 0 ? 1 : -1);
      case 2:
        return std::numeric_limits<Number>::denorm_min() * static_cast<Number>(bits % 9);
      case 3:
        // Near 1, so that sums and quotients have long tails.
        return 1 + std::numeric_limits<Number>::epsilon() * static_cast<Number>(bits % 4096);
      default: {
        Number number;
        std::memcpy(&number, &bits, sizeof number);
        return number;
      }
    }
  }

 private:
  std::mt19937_64 random_{5};
};

// Results that are NaN, infinite from infinite operands or exact by rule are left to the processor;
// what is judged is rounding.
template <typename Number, typename Compare>
void expect(Mode mode, Number result, const char* name, Compare compare) {
  if (!std::isfinite(result)) {
    // Infinity stands for what lies above every finite number.
    if (std::isnan(result)) return;
    const Number largest = std::copysign(std::numeric_limits<Number>::max(), result);
    const int side = compare(static_cast<double>(largest), 0.0);
    ASSERT_EQ(side, result > 0 ? 1 : -1) << name << " overflowed";
    ASSERT_TRUE(mode == Mode::nearest || (mode == Mode::up && result > 0) ||
                (mode == Mode::down && result < 0))
        << name << " overflowed in mode " << static_cast<int>(mode);
    return;
  }
  ASSERT_TRUE(is_rounded(mode, result, compare))
      << name << " in mode " << static_cast<int>(mode) << " gave " << result;
}

template <typename Number>
bool large(Number x) {
  return !(std::fabs(x) < std::numeric_limits<Number>::max() / 16);
}

// Calls check(mode, function) for the four functions of a name.
#define EACH_MODE(name, check)     \
  check(Mode::nearest, name##_rn); \
  check(Mode::zero, name##_rz);    \
  check(Mode::up, name##_ru);      \
  check(Mode::down, name##_rd)

TEST(Rounding, FloatArithmetic) {
  Numbers numbers;
  for (int i = 0; i < 200000; ++i) {
    const float x = numbers.next<float>();
    const float y = numbers.next<float>();
    const float z = numbers.next<float>();
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) continue;
    const auto sum = [&](Mode mode, auto* function) {
      expect(mode, function(x, y), "__fadd", [&](double t, double u) {
        return sign_of_sum({x, y, -t, -u});
      });
    };
    EACH_MODE(__fadd, sum);
    const auto difference = [&](Mode mode, auto* function) {
      expect(mode, function(x, y), "__fsub", [&](double t, double u) {
        return sign_of_sum({x, -y, -t, -u});
      });
    };
    EACH_MODE(__fsub, difference);
    const double product = static_cast<double>(x) * y;
    const auto times = [&](Mode mode, auto* function) {
      expect(mode, function(x, y), "__fmul", [&](double t, double u) {
        return sign_of_sum({product, -t, -u});
      });
    };
    EACH_MODE(__fmul, times);
    const auto fused = [&](Mode mode, auto* function) {
      expect(mode, function(x, y, z), "__fmaf", [&](double t, double u) {
        return sign_of_sum({product, z, -t, -u});
      });
    };
    EACH_MODE(__fmaf, fused);
    if (y != 0) {
      const int sign = y > 0 ? 1 : -1;
      const auto quotient = [&](Mode mode, auto* function) {
        expect(mode, function(x, y), "__fdiv", [&](double t, double u) {
          return sign * sign_of_sum({x, -t * y, -u * y});
        });
      };
      EACH_MODE(__fdiv, quotient);
      const auto reciprocal = [&](Mode mode, auto* function) {
        expect(mode, function(y), "__frcp", [&](double t, double u) {
          return sign * sign_of_sum({1, -t * y, -u * y});
        });
      };
      EACH_MODE(__frcp, reciprocal);
    }
    if (x >= 0) {
      const auto root = [&](Mode mode, auto* function) {
        expect(mode, function(x), "__fsqrt", [&](double t, double u) {
          const double both = t + u;
          return both < 0 ? 1 : sign_of_sum({x, -both * both});
        });
      };
      EACH_MODE(__fsqrt, root);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Rounding, DoubleArithmetic) {
  Numbers numbers;
  for (int i = 0; i < 200000; ++i) {
    // Exact products of doubles need room for their tails, so the sizes are kept apart from the
    // ends.
    double x = numbers.next<double>();
    double y = numbers.next<double>();
    double z = numbers.next<double>();
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) continue;
    if (!large(x) && !large(y)) {
      const auto sum = [&](Mode mode, auto* function) {
        expect(mode, function(x, y), "__dadd", [&](double t, double u) {
          return sign_of_sum({x, y, -t, -u});
        });
      };
      EACH_MODE(__dadd, sum);
    }
    int exponent = 0;
    for (double* number : {&x, &y, &z}) {
      const double fraction = std::frexp(*number, &exponent);
      *number = std::ldexp(fraction, exponent % 100);
    }
    const Product product(x, y);
    const auto times = [&](Mode mode, auto* function) {
      expect(mode, function(x, y), "__dmul", [&](double t, double u) {
        return sign_of_sum({product.high, product.low, -t, -u});
      });
    };
    EACH_MODE(__dmul, times);
    const auto fused = [&](Mode mode, auto* function) {
      expect(mode, function(x, y, z), "__fma", [&](double t, double u) {
        return sign_of_sum({product.high, product.low, z, -t, -u});
      });
    };
    EACH_MODE(__fma, fused);
    if (y != 0) {
      const int sign = y > 0 ? 1 : -1;
      const auto quotient = [&](Mode mode, auto* function) {
        expect(mode, function(x, y), "__ddiv", [&](double t, double u) {
          const Product a(t, y), b(u, y);
          return sign * sign_of_sum({x, -a.high, -a.low, -b.high, -b.low});
        });
      };
      EACH_MODE(__ddiv, quotient);
    }
    if (x > 0) {
      const auto root = [&](Mode mode, auto* function) {
        expect(mode, function(x), "__dsqrt", [&](double t, double u) {
          if (t + u < 0) return 1;
          const Product a(t, t), b(u, u), c(2 * t, u);
          return sign_of_sum({x, -a.high, -a.low, -b.high, -b.low, -c.high, -c.low});
        });
      };
      EACH_MODE(__dsqrt, root);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Rounding, TheModeEndsWithTheOperation) {
  volatile float one = 1, tiny = 1e-20f;
  EXPECT_GT(__fadd_ru(one, tiny), 1.0f);
  EXPECT_EQ(one + tiny, 1.0f);
  EXPECT_LT(__fadd_rz(-one, tiny), 0.0f);
  EXPECT_EQ(-one + tiny, -1.0f);
}

TEST(Rounding, NarrowingAndIntegers) {
  Numbers numbers;
  std::mt19937_64 random(6);
  for (int i = 0; i < 200000; ++i) {
    const double x = numbers.next<double>();
    if (std::isfinite(x)) {
      const auto narrow = [&](Mode mode, auto* function) {
        expect(mode, function(x), "__double2float", [&](double t, double u) {
          return sign_of_sum({x, -t, -u});
        });
      };
      EACH_MODE(__double2float, narrow);
    }
    const auto s64 = static_cast<long long>(random() >> (random() % 64)) * (i % 2 == 0 ? 1 : -1);
    const auto u64 = static_cast<unsigned long long>(random() >> (random() % 64));
    const auto s32 = static_cast<int>(s64);
    // A long long is two doubles, exactly.
    const double upper = static_cast<double>(s64 >> 32) * 0x1p32;
    const double lower = static_cast<double>(s64 & 0xffffffff);
    const double unsigned_upper = static_cast<double>(u64 >> 32) * 0x1p32;
    const double unsigned_lower = static_cast<double>(u64 & 0xffffffff);
    const auto from_signed = [&](Mode mode, auto* function) {
      expect(mode, function(s64), "__ll2...", [&](double t, double u) {
        return sign_of_sum({upper, lower, -t, -u});
      });
    };
    EACH_MODE(__ll2float, from_signed);
    EACH_MODE(__ll2double, from_signed);
    const auto from_unsigned = [&](Mode mode, auto* function) {
      expect(mode, function(u64), "__ull2...", [&](double t, double u) {
        return sign_of_sum({unsigned_upper, unsigned_lower, -t, -u});
      });
    };
    EACH_MODE(__ull2float, from_unsigned);
    EACH_MODE(__ull2double, from_unsigned);
    const auto from_int = [&](Mode mode, auto* function) {
      expect(mode, function(s32), "__int2float", [&](double t, double u) {
        return sign_of_sum({double(s32), -t, -u});
      });
    };
    EACH_MODE(__int2float, from_int);
    ASSERT_EQ(__int2double_rn(s32), s32);
    ASSERT_EQ(__uint2double_rn(static_cast<unsigned>(s32)), static_cast<unsigned>(s32));
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(__uint2float_rd(0xffffffffu), 4294967040.0f);
  EXPECT_EQ(__uint2float_rn(0xffffffffu), 4294967296.0f);
}

template <typename Integer>
Integer clamp(long double x) {
  if (x <= static_cast<long double>(std::numeric_limits<Integer>::min())) {
    return std::numeric_limits<Integer>::min();
  }
  if (x >= static_cast<long double>(std::numeric_limits<Integer>::max())) {
    return std::numeric_limits<Integer>::max();
  }
  return static_cast<Integer>(x);
}

TEST(Rounding, ToIntegersSaturates) {
  Numbers numbers;
  std::mt19937 random(7);
  for (int i = 0; i < 200000; ++i) {
    const float f =
        i % 2 == 0 ? numbers.next<float>() : static_cast<float>(static_cast<int>(random())) / 64;
    const double d = i % 2 == 0 ? numbers.next<double>()
                                : static_cast<double>(static_cast<int>(random())) / 1024;
    if (std::isnan(f) || std::isnan(d)) continue;
    ASSERT_EQ(__float2int_rn(f), clamp<int>(std::nearbyint(f)));
    ASSERT_EQ(__float2int_rz(f), clamp<int>(std::trunc(f)));
    ASSERT_EQ(__float2uint_ru(f), clamp<unsigned>(std::ceil(f)));
    ASSERT_EQ(__float2ll_rd(f), clamp<long long>(std::floor(f)));
    ASSERT_EQ(__float2ull_rn(f), clamp<unsigned long long>(std::nearbyint(f)));
    ASSERT_EQ(__double2int_ru(d), clamp<int>(std::ceil(d)));
    ASSERT_EQ(__double2uint_rd(d), clamp<unsigned>(std::floor(d)));
    ASSERT_EQ(__double2ll_rn(d), clamp<long long>(std::nearbyint(d)));
    ASSERT_EQ(__double2ull_rz(d), clamp<unsigned long long>(std::trunc(d)));
  }
  // NaN: 0 among 32-bit types, else the top bit.
  EXPECT_EQ(__float2int_rn(NAN), 0);
  EXPECT_EQ(__float2uint_rz(NAN), 0u);
  EXPECT_EQ(__float2ll_rn(NAN), LLONG_MIN);
  EXPECT_EQ(__double2int_rn(NAN), INT_MIN);
  EXPECT_EQ(__double2uint_rn(NAN), 0x80000000u);
  EXPECT_EQ(__double2ull_rn(NAN), 0x8000000000000000ull);
}

TEST(Rounding, Bits) {
  EXPECT_EQ(__float_as_int(1.0f), 0x3f800000);
  EXPECT_EQ(__uint_as_float(0xff800000u), -HUGE_VALF);
  EXPECT_EQ(__int_as_float(__float_as_int(-2.5f)), -2.5f);
  EXPECT_EQ(__double_as_longlong(-2.0), static_cast<long long>(0xc000000000000000ull));
  EXPECT_EQ(__longlong_as_double(__double_as_longlong(0.1)), 0.1);
  EXPECT_EQ(__double2hiint(-2.0), static_cast<int>(0xc0000000u));
  EXPECT_EQ(__hiloint2double(__double2hiint(0.1), __double2loint(0.1)), 0.1);
}

// y is the float nearest to 1 / sqrt(x): the halfway points on both sides of y are on both sides of
// it. In integers: x = m 2^e, and x (y +- half an ulp)^2 against 1.
TEST(Rounding, ReciprocalRootOfEveryMantissa) {
  for (int exponent = 0; exponent < 2; ++exponent) {
    for (std::uint32_t mantissa = 0; mantissa < (1u << 23); ++mantissa) {
      const float x = __uint_as_float(((127u + static_cast<unsigned>(exponent)) << 23) | mantissa);
      const float y = __frsqrt_rn(x);
      __extension__ typedef unsigned __int128 Wide;
      const Wide m = (Wide(mantissa) | (1u << 23)) << exponent;  // x 2^23
      const auto twice =
          static_cast<std::uint64_t>(y * 0x1p25f);  // y 2^25: an even number of halves
      const Wide below = m * (twice - 1) * (twice - 1);
      const Wide above = m * (twice + 1) * (twice + 1);
      const Wide unit = Wide(1) << 73;
      // Below a power of two floats are twice as close, but nothing is rounded up to one here.
      const bool power_of_two = y == 1.0f || y == 0.5f;
      ASSERT_TRUE((power_of_two ? m * twice * twice <= unit : below < unit) && unit < above) << x;
    }
  }
}

}  // namespace
