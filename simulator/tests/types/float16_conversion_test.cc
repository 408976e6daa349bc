// Conversions into and out of half and bfloat16, bit for bit against references that share no code
// with them.

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "exact.h"

namespace {

using exact::kBfloat16;
using exact::kHalf;
using exact::kModes;
using exact::Mode;

static_assert(sizeof(__half) == 2 && alignof(__half) == 2);
static_assert(sizeof(__half2) == 4 && alignof(__half2) == 4);
static_assert(sizeof(__nv_bfloat16) == 2 && alignof(__nv_bfloat16) == 2);
static_assert(sizeof(__nv_bfloat162) == 4 && alignof(__nv_bfloat162) == 4);
static_assert(std::is_trivially_default_constructible_v<__half>);
static_assert(std::is_trivially_default_constructible_v<__half2>);
static_assert(std::is_trivially_default_constructible_v<__nv_bfloat162>);
static_assert(std::is_trivially_copyable_v<__half2>);
static_assert(std::is_trivially_copyable_v<__nv_bfloat162>);
// The formats convert into each other only when told to, as in CUDA.
static_assert(!std::is_convertible_v<__half, __nv_bfloat16>);
static_assert(std::is_constructible_v<__half, __nv_bfloat16>);

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

unsigned half_bits(Mode mode, float x) {
  switch (mode) {
    case Mode::nearest:
      return __half_as_ushort(__float2half_rn(x));
    case Mode::zero:
      return __half_as_ushort(__float2half_rz(x));
    case Mode::up:
      return __half_as_ushort(__float2half_ru(x));
    default:
      return __half_as_ushort(__float2half_rd(x));
  }
}

unsigned bfloat16_bits(Mode mode, float x) {
  switch (mode) {
    case Mode::nearest:
      return __bfloat16_as_ushort(__float2bfloat16_rn(x));
    case Mode::zero:
      return __bfloat16_as_ushort(__float2bfloat16_rz(x));
    case Mode::up:
      return __bfloat16_as_ushort(__float2bfloat16_ru(x));
    default:
      return __bfloat16_as_ushort(__float2bfloat16_rd(x));
  }
}

// Returns whether all is well, to stop a loop at its first failure.
bool check_float(std::uint32_t bits) {
  const float x = float_of(bits);
  for (const Mode mode : kModes) {
    const unsigned half = half_bits(mode, x);
    const unsigned bfloat16 = bfloat16_bits(mode, x);
    if (half == exact::round(kHalf, mode, x) && bfloat16 == exact::round(kBfloat16, mode, x)) {
      continue;
    }
    ADD_FAILURE() << std::hex << "float " << bits << ", mode " << static_cast<int>(mode)
                  << ": half " << half << " should be " << exact::round(kHalf, mode, x)
                  << ", bfloat16 " << bfloat16 << " should be " << exact::round(kBfloat16, mode, x);
    return false;
  }
  return true;
}

TEST(Float16Conversion, EveryPatternToFloatAndBack) {
  for (unsigned pattern = 0; pattern < 65536; ++pattern) {
    const auto bits = static_cast<unsigned short>(pattern);
    const float half = __half2float(__ushort_as_half(bits));
    const float bfloat16 = __bfloat162float(__ushort_as_bfloat16(bits));
    const double half_value = kHalf.of(pattern);
    const double bfloat16_value = kBfloat16.of(pattern);
    if (std::isnan(half_value)) {
      ASSERT_TRUE(std::isnan(half)) << pattern;
      ASSERT_EQ(__half_as_ushort(__float2half(half)), 0x7fff);
    } else {
      ASSERT_EQ(half, half_value) << pattern;
      ASSERT_EQ(std::signbit(half), std::signbit(half_value));
      ASSERT_EQ(__half_as_ushort(__float2half(half)), pattern);
    }
    if (std::isnan(bfloat16_value)) {
      ASSERT_TRUE(std::isnan(bfloat16)) << pattern;
      ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16(bfloat16)), 0x7fff);
    } else {
      ASSERT_EQ(bfloat16, bfloat16_value) << pattern;
      ASSERT_EQ(std::signbit(bfloat16), std::signbit(bfloat16_value));
      ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16(bfloat16)), pattern);
    }
  }
}

TEST(Float16Conversion, EveryExponentAroundTies) {
  // Around every pattern of the upper 16 bits, hence every exponent and sign, and around the
  // halfway points of both formats.
  for (std::uint32_t upper = 0; upper < 65536; upper += 1) {
    for (const std::uint32_t lower : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x3000u, 0x7fffu,
                                      0x8000u, 0x8001u, 0xffffu}) {
      ASSERT_TRUE(check_float((upper << 16) | lower));
    }
  }
}

TEST(Float16Conversion, TwoMillionFloats) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000000; ++i) ASSERT_TRUE(check_float(random()));
  // Half's range, subnormal numbers and the borders included.
  for (int i = 0; i < 1000000; ++i) {
    ASSERT_TRUE(check_float((random() & 0x80000000u) | (0x32000000u + random() % 0x16000000u)));
  }
}

TEST(Float16Conversion, DoublesAreRoundedOnce) {
  // Just off a tie by less than float can tell: through float these would go the wrong way.
  for (unsigned magnitude = 0; magnitude < 0x7bff; ++magnitude) {
    const double tie = (kHalf.value(magnitude) + kHalf.value(magnitude + 1)) / 2;
    for (const double x : {tie * (1 - 0x1p-50), tie, tie * (1 + 0x1p-50), -tie * (1 + 0x1p-50)}) {
      ASSERT_EQ(__half_as_ushort(__double2half(x)), exact::round(kHalf, Mode::nearest, x)) << x;
    }
  }
  for (unsigned magnitude = 0; magnitude < 0x7f7f; ++magnitude) {
    const double tie = (kBfloat16.value(magnitude) + kBfloat16.value(magnitude + 1)) / 2;
    for (const double x : {tie * (1 - 0x1p-50), tie, tie * (1 + 0x1p-50), -tie * (1 + 0x1p-50)}) {
      ASSERT_EQ(__bfloat16_as_ushort(__double2bfloat16(x)),
                exact::round(kBfloat16, Mode::nearest, x))
          << x;
    }
  }
  for (const double x :
       {0.0, -0.0, 1e300, -1e300, 1e-300, -1e-300, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    EXPECT_EQ(__half_as_ushort(__half(x)), exact::round(kHalf, Mode::nearest, x));
    EXPECT_EQ(__bfloat16_as_ushort(__nv_bfloat16(x)), exact::round(kBfloat16, Mode::nearest, x));
  }
}

// The reference for integers: half needs only 17 bits, bfloat16 takes 64, which double does not
// hold. So compare as integers where a double is in range.
unsigned round_integer(const exact::Format& format, Mode mode, bool negative,
                       unsigned long long magnitude) {
  return exact::round(format, mode, negative, [&](double t) {
    const auto large = static_cast<long double>(magnitude);
    return large > t ? 1 : large < t ? -1 : 0;
  });
}

TEST(Float16Conversion, FromIntegersInEveryMode) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    // Every length, and often nothing but ones and zeros around a tie.
    unsigned long long x = random() >> (random() % 64);
    if (i % 2 == 0) x = (1ull << (i / 2 % 64)) + (random() % 3) - 1;
    if (i % 5 == 0) x = (random() % 512 << (random() % 55)) + (random() % 3) - 1;
    const auto s = static_cast<long long>(x);
    const auto magnitude = s < 0 ? 0 - static_cast<unsigned long long>(s) : x;
    using exact::round;
    ASSERT_EQ(__half_as_ushort(__ull2half_rn(x)), round_integer(kHalf, Mode::nearest, false, x));
    ASSERT_EQ(__half_as_ushort(__ull2half_rz(x)), round_integer(kHalf, Mode::zero, false, x));
    ASSERT_EQ(__half_as_ushort(__ll2half_ru(s)), round_integer(kHalf, Mode::up, s < 0, magnitude));
    ASSERT_EQ(__half_as_ushort(__ll2half_rd(s)),
              round_integer(kHalf, Mode::down, s < 0, magnitude));
    ASSERT_EQ(__bfloat16_as_ushort(__ull2bfloat16_rn(x)),
              round_integer(kBfloat16, Mode::nearest, false, x))
        << x;
    ASSERT_EQ(__bfloat16_as_ushort(__ll2bfloat16_rn(s)),
              round_integer(kBfloat16, Mode::nearest, s < 0, magnitude))
        << s;
    ASSERT_EQ(__bfloat16_as_ushort(__ull2bfloat16_ru(x)),
              round_integer(kBfloat16, Mode::up, false, x));
    ASSERT_EQ(__bfloat16_as_ushort(__ll2bfloat16_rd(s)),
              round_integer(kBfloat16, Mode::down, s < 0, magnitude));
    ASSERT_EQ(__bfloat16_as_ushort(__ll2bfloat16_rz(s)),
              round_integer(kBfloat16, Mode::zero, s < 0, magnitude));
    const auto i32 = static_cast<int>(s);
    const auto u32 = static_cast<unsigned>(x);
    ASSERT_EQ(__bfloat16_as_ushort(__int2bfloat16_rn(i32)),
              round(kBfloat16, Mode::nearest, i32 == 0 ? 0.0 : i32));
    ASSERT_EQ(__bfloat16_as_ushort(__uint2bfloat16_rd(u32)), round(kBfloat16, Mode::down, u32));
    ASSERT_EQ(__half_as_ushort(__int2half_rz(i32)), round(kHalf, Mode::zero, i32));
    ASSERT_EQ(__half_as_ushort(__ushort2half_ru(static_cast<unsigned short>(x))),
              round(kHalf, Mode::up, static_cast<unsigned short>(x)));
    ASSERT_EQ(__half_as_ushort(__half(static_cast<short>(s))),
              round(kHalf, Mode::nearest, static_cast<short>(s)));
  }
}

TEST(Float16Conversion, ToIntegersSaturates) {
  for (unsigned pattern = 0; pattern < 65536; ++pattern) {
    const __half h = __ushort_as_half(static_cast<unsigned short>(pattern));
    const double x = kHalf.of(pattern);
    if (std::isnan(x)) {
      ASSERT_EQ(__half2int_rn(h), 0);
      ASSERT_EQ(__half2short_rz(h), 0);
      ASSERT_EQ(__half2ll_rn(h), LLONG_MIN);
      ASSERT_EQ(__half2ull_rn(h), 0x8000000000000000ull);
      continue;
    }
    const auto clamp = [](double value, double low, double high) {
      return value < low ? low : value > high ? high : value;
    };
    ASSERT_EQ(__half2int_rn(h), clamp(std::nearbyint(x), INT_MIN, INT_MAX));
    ASSERT_EQ(__half2int_rd(h), clamp(std::floor(x), INT_MIN, INT_MAX));
    ASSERT_EQ(__half2uint_ru(h), clamp(std::ceil(x), 0, UINT_MAX));
    ASSERT_EQ(__half2short_rz(h), clamp(std::trunc(x), SHRT_MIN, SHRT_MAX));
    ASSERT_EQ(__half2ushort_rn(h), clamp(std::nearbyint(x), 0, USHRT_MAX));
    ASSERT_EQ(__half2char_rz(h), clamp(std::trunc(x), SCHAR_MIN, SCHAR_MAX));
    ASSERT_EQ(__half2uchar_rz(h), clamp(std::trunc(x), 0, UCHAR_MAX));
    ASSERT_EQ(static_cast<int>(h), clamp(std::trunc(x), INT_MIN, INT_MAX));
    ASSERT_EQ(static_cast<bool>(h), x != 0);
  }
  EXPECT_EQ(__bfloat162ll_rz(__nv_bfloat16(1e30f)), LLONG_MAX);
  EXPECT_EQ(__bfloat162ll_rz(__nv_bfloat16(-1e30f)), LLONG_MIN);
  EXPECT_EQ(__bfloat162ull_rn(__nv_bfloat16(1e30f)), ULLONG_MAX);
  EXPECT_EQ(__bfloat162uint_rn(__nv_bfloat16(-3.0f)), 0u);
  EXPECT_EQ(__bfloat162int_ru(__nv_bfloat16(2.25f)), 3);
}

TEST(Float16Conversion, PairsKeepTheirHalves) {
  const __half2 h = __floats2half2_rn(1.5f, -2.0f);
  EXPECT_EQ(__low2float(h), 1.5f);
  EXPECT_EQ(__high2float(h), -2.0f);
  EXPECT_EQ(__half22float2(h).y, -2.0f);
  EXPECT_EQ(__low2float(__lowhigh2highlow(h)), -2.0f);
  EXPECT_EQ(__high2float(__lows2half2(h, __half2half2(__half(7.0f)))), 7.0f);
  EXPECT_EQ(__low2float(__highs2half2(h, h)), -2.0f);
  EXPECT_EQ(__high2float(__low2half2(h)), 1.5f);
  std::uint32_t bits;
  std::memcpy(&bits, &h, sizeof bits);
  EXPECT_EQ(bits, 0xc0003e00u) << "x is the lower half";
  const __nv_bfloat162 b = __float22bfloat162_rn(float2{3.0f, 4.0f});
  EXPECT_EQ(__bfloat1622float2(b).x, 3.0f);
  EXPECT_EQ(__bfloat162float(__high2bfloat16(b)), 4.0f);
  EXPECT_EQ(static_cast<float>(__half(__nv_bfloat16(3.0f))), 3.0f);
  EXPECT_EQ(__half_as_ushort(__half(__nv_bfloat16(1e30f))), 0x7c00);
}

}  // namespace
