// The intrinsics for dynamic programming against their definitions, on whole words and on halves.

#include "simulator/dynamic_programming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;

// Where sums wrap around and signs change, in each half and in the whole word.
constexpr std::array<u32, 14> kWords = {
    0u,          1u,          0xffffu,     0x10000u,    0x7fffu,     0x8000u,     0x7fff8000u,
    0x80007fffu, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0x00010002u, 0xfffe0003u, 0x12349876u};

// What it must give, of numbers of type T as wide integers.
using Definition = std::function<long(long, long, long)>;

template <typename T>
T wrapped(long value) {
  return static_cast<T>(value);
}

template <typename Half>
u32 in_halves(const Definition& definition, u32 a, u32 b, u32 c) {
  const auto half = [&](int shift) {
    const long result = definition(static_cast<Half>(a >> shift), static_cast<Half>(b >> shift),
                                   static_cast<Half>(c >> shift));
    return static_cast<u32>(static_cast<std::uint16_t>(result)) << shift;
  };
  return half(0) | half(16);
}

template <typename Use>
void for_all_words(Use use) {
  for (const u32 a : kWords) {
    for (const u32 b : kWords) {
      for (const u32 c : kWords) use(a, b, c);
    }
  }
}

// `formula` of T is in x, y, z.
#define EXPECT_OF_THREE(name, formula)                                                       \
  for_all_words([](u32 a, u32 b, u32 c) {                                                    \
    const auto relu = [](auto of) {                                                          \
      return [of](long x, long y, long z) { return std::max(of(x, y, z), 0l); };             \
    };                                                                                       \
    const auto words = [&](auto zero, auto of) {                                             \
      using T = decltype(zero);                                                              \
      return static_cast<u32>(of(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)));  \
    };                                                                                       \
    const auto of_i32 = [](long x, long y, long z) -> long {                                 \
      using T = i32;                                                                         \
      return formula;                                                                        \
    };                                                                                       \
    const auto of_u32 = [](long x, long y, long z) -> long {                                 \
      using T = u32;                                                                         \
      return formula;                                                                        \
    };                                                                                       \
    const auto of_i16 = [](long x, long y, long z) -> long {                                 \
      using T = std::int16_t;                                                                \
      return formula;                                                                        \
    };                                                                                       \
    const auto of_u16 = [](long x, long y, long z) -> long {                                 \
      using T = std::uint16_t;                                                               \
      return formula;                                                                        \
    };                                                                                       \
    const i32 x = static_cast<i32>(a), y = static_cast<i32>(b), z = static_cast<i32>(c);     \
    ASSERT_EQ(static_cast<u32>(name##_s32(x, y, z)), words(i32{}, of_i32)) << a << ' ' << b; \
    ASSERT_EQ(static_cast<u32>(name##_s32_relu(x, y, z)), words(i32{}, relu(of_i32)));       \
    ASSERT_EQ(name##_u32(a, b, c), words(u32{}, of_u32));                                    \
    ASSERT_EQ(name##_s16x2(a, b, c), in_halves<std::int16_t>(of_i16, a, b, c));              \
    ASSERT_EQ(name##_s16x2_relu(a, b, c), in_halves<std::int16_t>(relu(of_i16), a, b, c));   \
    ASSERT_EQ(name##_u16x2(a, b, c), in_halves<std::uint16_t>(of_u16, a, b, c));             \
  })

TEST(DynamicProgramming, SumAndExtreme) {
  EXPECT_OF_THREE(__viaddmax, std::max<long>(wrapped<T>(x + y), z));
  EXPECT_OF_THREE(__viaddmin, std::min<long>(wrapped<T>(x + y), z));
}

TEST(DynamicProgramming, ExtremeOfThree) {
  EXPECT_OF_THREE(__vimax3, std::max<long>(std::max<T>(x, y), z));
  EXPECT_OF_THREE(__vimin3, std::min<long>(std::min<T>(x, y), z));
}

TEST(DynamicProgramming, ExtremeOfTwoNotBelowZero) {
  EXPECT_EQ(__vimax_s32_relu(-5, 3), 3);
  EXPECT_EQ(__vimax_s32_relu(-5, -3), 0);
  EXPECT_EQ(__vimin_s32_relu(5, 3), 3);
  EXPECT_EQ(__vimin_s32_relu(5, -3), 0);
  EXPECT_EQ(__vimax_s16x2_relu(0xfffb0002u, 0xfffd0001u), 0x00000002u);
  EXPECT_EQ(__vimin_s16x2_relu(0x00050002u, 0x0003ffffu), 0x00030000u);
}

TEST(DynamicProgramming, TellsWhichItIs) {
  bool first = false, high = false, low = false;
  EXPECT_EQ(__vibmax_s32(-1, 1, &first), 1);
  EXPECT_FALSE(first);
  EXPECT_EQ(__vibmax_u32(0xffffffffu, 1, &first), 0xffffffffu);
  EXPECT_TRUE(first);
  EXPECT_EQ(__vibmin_s32(7, 7, &first), 7);
  EXPECT_TRUE(first);
  EXPECT_EQ(__vibmin_u32(8, 7, &first), 7u);
  EXPECT_FALSE(first);
  EXPECT_EQ(__vibmax_s16x2(0xffff0005u, 0x00010005u, &high, &low), 0x00010005u);
  EXPECT_FALSE(high);
  EXPECT_TRUE(low);
  EXPECT_EQ(__vibmax_u16x2(0xffff0004u, 0x00010005u, &high, &low), 0xffff0005u);
  EXPECT_TRUE(high);
  EXPECT_FALSE(low);
  EXPECT_EQ(__vibmin_s16x2(0xffff0006u, 0x00010005u, &high, &low), 0xffff0005u);
  EXPECT_TRUE(high);
  EXPECT_FALSE(low);
  EXPECT_EQ(__vibmin_u16x2(0xffff0004u, 0x00010005u, &high, &low), 0x00010004u);
  EXPECT_FALSE(high);
  EXPECT_TRUE(low);
}

}  // namespace
