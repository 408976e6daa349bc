// Integer and SIMD intrinsics against their definitions, bit by bit and part by part.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "simulator/math.h"
#include "vector_functions.h"

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Random words, and words of few bits, where counts and borders matter.
class Words {
 public:
  u64 next() {
    const u64 word = random_();
    switch (random_() % 4) {
      case 0:
        return word >> (random_() % 64);
      case 1:
        return u64{1} << (random_() % 64);
      case 2:
        return (word & 1) != 0 ? 0 : ~u64{0};
      default:
        return word;
    }
  }

 private:
  std::mt19937_64 random_{9};
};

TEST(Integers, Bits) {
  Words words;
  for (int i = 0; i < 20000; ++i) {
    const u64 x = words.next();
    const u32 y = static_cast<u32>(words.next());
    int count = 0, count64 = 0, first = 0, first64 = 0, leading = 32, leading64 = 64;
    u32 reversed = 0;
    u64 reversed64 = 0;
    for (int bit = 63; bit >= 0; --bit) {
      if ((x >> bit & 1) == 0) continue;
      ++count64;
      first64 = bit + 1;
      if (leading64 == 64) leading64 = 63 - bit;
      reversed64 |= u64{1} << (63 - bit);
    }
    for (int bit = 31; bit >= 0; --bit) {
      if ((y >> bit & 1) == 0) continue;
      ++count;
      first = bit + 1;
      if (leading == 32) leading = 31 - bit;
      reversed |= u32{1} << (31 - bit);
    }
    ASSERT_EQ(__popc(y), count);
    ASSERT_EQ(__popcll(x), count64);
    ASSERT_EQ(__ffs(static_cast<int>(y)), first);
    ASSERT_EQ(__ffsll(static_cast<long long>(x)), first64);
    ASSERT_EQ(__clz(static_cast<int>(y)), leading);
    ASSERT_EQ(__clzll(static_cast<long long>(x)), leading64);
    ASSERT_EQ(__brev(y), reversed);
    ASSERT_EQ(__brevll(x), reversed64);
  }
}

TEST(Integers, BytesAndFunnelShifts) {
  Words words;
  for (int i = 0; i < 20000; ++i) {
    const u32 x = static_cast<u32>(words.next()), y = static_cast<u32>(words.next());
    const u32 selector = static_cast<u32>(words.next());
    unsigned char bytes[8], picked[4];
    std::memcpy(bytes, &x, 4);
    std::memcpy(bytes + 4, &y, 4);
    for (int n = 0; n < 4; ++n) picked[n] = bytes[selector >> (4 * n) & 7];
    u32 expected;
    std::memcpy(&expected, picked, 4);
    ASSERT_EQ(__byte_perm(x, y, selector), expected);

    const u32 shift = i % 70;
    u32 left = y, right = x, low = x, high = y;
    for (u32 step = 0; step < (shift & 31); ++step) {
      left = left << 1 | low >> 31;
      low <<= 1;
      right = right >> 1 | high << 31;
      high >>= 1;
    }
    ASSERT_EQ(__funnelshift_l(x, y, shift), left);
    ASSERT_EQ(__funnelshift_r(x, y, shift), right);
    ASSERT_EQ(__funnelshift_lc(x, y, shift), shift >= 32 ? x : left);
    ASSERT_EQ(__funnelshift_rc(x, y, shift), shift >= 32 ? y : right);
  }
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7531), 0x77553311u);
}

TEST(Integers, ProductsAveragesAndDifferences) {
  Words words;
  __extension__ typedef __int128 Wide;
  for (int i = 0; i < 50000; ++i) {
    const auto x = static_cast<int>(words.next()), y = static_cast<int>(words.next());
    const auto p = static_cast<u32>(x), q = static_cast<u32>(y);
    const auto s = static_cast<long long>(words.next()), t = static_cast<long long>(words.next());
    const Wide wide = Wide(s) * t;
    ASSERT_EQ(__mulhi(x, y), static_cast<int>(Wide(x) * y >> 32));
    ASSERT_EQ(__umulhi(p, q), static_cast<u32>(Wide(p) * q >> 32));
    ASSERT_EQ(__mul64hi(s, t), static_cast<long long>(wide >> 64));
    ASSERT_EQ(__umul64hi(static_cast<u64>(s), static_cast<u64>(t)),
              static_cast<u64>(wide >> 64) + (s < 0 ? static_cast<u64>(t) : 0) +
                  (t < 0 ? static_cast<u64>(s) : 0));
    const auto low24 = [](int v) { return (v & 0x7fffff) - (v & 0x800000); };
    ASSERT_EQ(__mul24(x, y), static_cast<int>(Wide(low24(x)) * low24(y)));
    ASSERT_EQ(__umul24(p, q), static_cast<u32>(Wide(p & 0xffffff) * (q & 0xffffff)));
    const auto floor_half = [](Wide sum) { return sum >= 0 ? sum / 2 : -((1 - sum) / 2); };
    ASSERT_EQ(__hadd(x, y), static_cast<int>(floor_half(Wide(x) + y)));
    ASSERT_EQ(__rhadd(x, y), static_cast<int>(floor_half(Wide(x) + y + 1)));
    ASSERT_EQ(__uhadd(p, q), static_cast<u32>((Wide(p) + q) / 2));
    ASSERT_EQ(__urhadd(p, q), static_cast<u32>((Wide(p) + q + 1) / 2));
    ASSERT_EQ(__sad(x, y, p), static_cast<u32>((x > y ? Wide(x) - y : Wide(y) - x) + p));
    ASSERT_EQ(__usad(p, q, q), static_cast<u32>((p > q ? Wide(p) - q : Wide(q) - p) + q));
  }
}

TEST(Integers, DotProducts) {
  Words words;
  for (int i = 0; i < 20000; ++i) {
    const u32 a = static_cast<u32>(words.next()), b = static_cast<u32>(words.next());
    const u32 c = static_cast<u32>(words.next());
    std::int64_t four = static_cast<int>(c), unsigned_four = c;
    for (int n = 0; n < 4; ++n) {
      four += static_cast<std::int8_t>(a >> 8 * n) * static_cast<std::int8_t>(b >> 8 * n);
      unsigned_four +=
          static_cast<std::uint8_t>(a >> 8 * n) * static_cast<std::uint8_t>(b >> 8 * n);
    }
    const auto two = [&](int first_byte) {
      std::int64_t sum = static_cast<int>(c);
      for (int n = 0; n < 2; ++n) {
        sum += static_cast<std::int16_t>(a >> 16 * n) *
               static_cast<std::int8_t>(b >> 8 * (first_byte + n));
      }
      return static_cast<int>(sum);
    };
    const auto unsigned_two = [&](int first_byte) {
      std::int64_t sum = c;
      for (int n = 0; n < 2; ++n) {
        sum += static_cast<std::uint16_t>(a >> 16 * n) *
               static_cast<std::uint8_t>(b >> 8 * (first_byte + n));
      }
      return static_cast<u32>(sum);
    };
    const int x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(c);
    ASSERT_EQ(__dp4a(x, y, z), static_cast<int>(four));
    ASSERT_EQ(__dp4a(a, b, c), static_cast<u32>(unsigned_four));
    ASSERT_EQ(__dp2a_lo(x, y, z), two(0));
    ASSERT_EQ(__dp2a_hi(x, y, z), two(2));
    ASSERT_EQ(__dp2a_lo(a, b, c), unsigned_two(0));
    ASSERT_EQ(__dp2a_hi(a, b, c), unsigned_two(2));
  }
  EXPECT_EQ(__dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), 100), 100 + 5 - 12 + 21 - 32);
  EXPECT_EQ(__dp4a(make_uchar4(1, 2, 3, 255), make_uchar4(5, 6, 7, 255), 0u), 38u + 65025u);
  EXPECT_EQ(__dp2a_lo(make_short2(-300, 2), make_char4(3, -4, 9, 9), 0), -908);
  EXPECT_EQ(__dp2a_hi(make_ushort2(300, 2), make_uchar4(9, 9, 3, 4), 1u), 909u);
}

// Judges an intrinsic of the parts of a word by a function of two numbers.
using Intrinsic = unsigned (*)(unsigned, unsigned);
using Definition = std::function<long(long, long)>;

template <typename Part>
void expect_parts(const char* name, Intrinsic intrinsic, const Definition& definition) {
  Words words;
  for (int i = 0; i < 3000; ++i) {
    const u32 a = static_cast<u32>(words.next()), b = static_cast<u32>(words.next());
    u32 expected = 0;
    for (std::size_t n = 0; n < 4 / sizeof(Part); ++n) {
      Part x, y;
      std::memcpy(&x, reinterpret_cast<const char*>(&a) + n * sizeof(Part), sizeof(Part));
      std::memcpy(&y, reinterpret_cast<const char*>(&b) + n * sizeof(Part), sizeof(Part));
      const Part result = static_cast<Part>(definition(x, y));
      std::memcpy(reinterpret_cast<char*>(&expected) + n * sizeof(Part), &result, sizeof(Part));
    }
    ASSERT_EQ(intrinsic(a, b), expected) << name << std::hex << " of " << a << " and " << b;
  }
}

template <typename Part>
Definition saturate(long (*formula)(long, long)) {
  return [formula](long x, long y) {
    return std::min<long>(std::max<long>(formula(x, y), std::numeric_limits<Part>::min()),
                          std::numeric_limits<Part>::max());
  };
}

#define SIGNED(name, ...)                                      \
  expect_parts<std::int16_t>(#name "2", name##2, __VA_ARGS__); \
  expect_parts<std::int8_t>(#name "4", name##4, __VA_ARGS__)
#define UNSIGNED(name, ...)                                     \
  expect_parts<std::uint16_t>(#name "2", name##2, __VA_ARGS__); \
  expect_parts<std::uint8_t>(#name "4", name##4, __VA_ARGS__)

TEST(Simd, Arithmetic) {
  const auto plus = [](long x, long y) { return x + y; };
  const auto minus = [](long x, long y) { return x - y; };
  const auto difference = [](long x, long y) { return std::labs(x - y); };
  UNSIGNED(__vadd, plus);
  UNSIGNED(__vsub, minus);
  expect_parts<std::int16_t>("__vaddss2", __vaddss2, saturate<std::int16_t>(plus));
  expect_parts<std::int8_t>("__vaddss4", __vaddss4, saturate<std::int8_t>(plus));
  expect_parts<std::uint16_t>("__vaddus2", __vaddus2, saturate<std::uint16_t>(plus));
  expect_parts<std::uint8_t>("__vaddus4", __vaddus4, saturate<std::uint8_t>(plus));
  expect_parts<std::int16_t>("__vsubss2", __vsubss2, saturate<std::int16_t>(minus));
  expect_parts<std::int8_t>("__vsubss4", __vsubss4, saturate<std::int8_t>(minus));
  expect_parts<std::uint16_t>("__vsubus2", __vsubus2, saturate<std::uint16_t>(minus));
  expect_parts<std::uint8_t>("__vsubus4", __vsubus4, saturate<std::uint8_t>(minus));
  SIGNED(__vmaxs, [](long x, long y) { return std::max(x, y); });
  UNSIGNED(__vmaxu, [](long x, long y) { return std::max(x, y); });
  SIGNED(__vmins, [](long x, long y) { return std::min(x, y); });
  UNSIGNED(__vminu, [](long x, long y) { return std::min(x, y); });
  SIGNED(__vabsdiffs, difference);
  UNSIGNED(__vabsdiffu, difference);
  // Halves go away from zero.
  SIGNED(__vavgs, [](long x, long y) { return std::lround((x + y) / 2.0); });
  UNSIGNED(__vavgu, [](long x, long y) { return std::lround((x + y) / 2.0); });
  UNSIGNED(__vhaddu, [](long x, long y) { return (x + y) / 2; });
}

TEST(Simd, Comparisons) {
  const auto all = [](auto compare) {
    return [compare](long x, long y) { return compare(x, y) ? -1L : 0L; };
  };
  const auto one = [](auto compare) {
    return [compare](long x, long y) { return compare(x, y) ? 1L : 0L; };
  };
  UNSIGNED(__vcmpeq, all(std::equal_to<long>()));
  UNSIGNED(__vcmpne, all(std::not_equal_to<long>()));
  SIGNED(__vcmpges, all(std::greater_equal<long>()));
  UNSIGNED(__vcmpgeu, all(std::greater_equal<long>()));
  SIGNED(__vcmpgts, all(std::greater<long>()));
  UNSIGNED(__vcmpgtu, all(std::greater<long>()));
  SIGNED(__vcmples, all(std::less_equal<long>()));
  UNSIGNED(__vcmpleu, all(std::less_equal<long>()));
  SIGNED(__vcmplts, all(std::less<long>()));
  UNSIGNED(__vcmpltu, all(std::less<long>()));
  UNSIGNED(__vseteq, one(std::equal_to<long>()));
  UNSIGNED(__vsetne, one(std::not_equal_to<long>()));
  SIGNED(__vsetges, one(std::greater_equal<long>()));
  UNSIGNED(__vsetgeu, one(std::greater_equal<long>()));
  SIGNED(__vsetgts, one(std::greater<long>()));
  UNSIGNED(__vsetgtu, one(std::greater<long>()));
  SIGNED(__vsetles, one(std::less_equal<long>()));
  UNSIGNED(__vsetleu, one(std::less_equal<long>()));
  SIGNED(__vsetlts, one(std::less<long>()));
  UNSIGNED(__vsetltu, one(std::less<long>()));
}

TEST(Simd, UnaryAndSums) {
  EXPECT_EQ(__vneg2(0x80000001u), 0x8000ffffu);
  EXPECT_EQ(__vnegss2(0x80000001u), 0x7fffffffu);
  EXPECT_EQ(__vneg4(0x80ff017fu), 0x8001ff81u);
  EXPECT_EQ(__vnegss4(0x80ff017fu), 0x7f01ff81u);
  EXPECT_EQ(__vabs2(0x8000fffeu), 0x80000002u);
  EXPECT_EQ(__vabsss2(0x8000fffeu), 0x7fff0002u);
  EXPECT_EQ(__vabs4(0x80ff0105u), 0x80010105u);
  EXPECT_EQ(__vabsss4(0x80ff0105u), 0x7f010105u);
  EXPECT_EQ(__vsadu4(0xff000105u, 0x00ff0207u), 255u + 255u + 1u + 2u);
  EXPECT_EQ(__vsads4(0x80000105u, 0x7fff0207u), 255u + 1u + 1u + 2u);
  EXPECT_EQ(__vsadu2(0xffff0003u, 0x00000005u), 65535u + 2u);
  EXPECT_EQ(__vsads2(0x80000003u, 0x7fff0005u), 65535u + 2u);
}

}  // namespace
