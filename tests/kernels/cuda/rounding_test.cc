// Rounding to bf16: the nearest bit for bit, and at random, whose dice are known, so that each
// number's two neighbours and the place where they change are tried.

#include "kernels/cuda/rounding.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/kernels/cuda/short_numbers.h"

namespace andrea {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
const float kLargestShort = std::bit_cast<float>(0x7F7F0000u);

using Words = std::array<std::uint32_t, 4>;

// Philox4x32-10 as its paper has it (Salmon, Moraes, Dror, Shaw 2011, section 4.3 and table 2).
Words philox(Words counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

// The 16 bits of chance for number `place` of a buffer. 32 throws serve 256 numbers: throw i the
// four from 4 i on, and the four that are 128 further.
std::uint32_t dice_of(std::uint64_t place, std::uint64_t seed, std::int64_t step) {
  const std::uint64_t thrown = place / 256 * 32 + place % 128 / 4;
  const std::uint64_t of_throw = place / 128 % 2 * 4 + place % 4;
  const auto at = static_cast<std::uint64_t>(step);
  const Words words =
      philox({static_cast<std::uint32_t>(thrown), static_cast<std::uint32_t>(thrown >> 32),
              static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32)},
             {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return words[of_throw / 2] >> (of_throw % 2 * 16) & 0xFFFF;
}

std::vector<float> at_random(const std::vector<float>& numbers, std::uint64_t seed,
                             std::int64_t step) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  StepScalars values;
  values.seed = seed;
  values.step = step;
  GuardedTensor<const float> from("from", {count}, numbers);
  GuardedTensor<__nv_bfloat16> to("to", {count});
  GuardedTensor<const StepScalars> scalars("scalars", {1}, {values});
  const Workspace workspace(0);
  cuda::round_at_random(from.data(), to.data(), count, scalars.data(), workspace.launch());
  return values_of(to.contents());
}

std::vector<float> to_nearest(const std::vector<float>& numbers) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  GuardedTensor<const float> from("from", {count}, numbers);
  GuardedTensor<__nv_bfloat16> to("to", {count});
  const Workspace workspace(0);
  cuda::round_to_nearest(from.data(), to.data(), count, workspace.launch());
  return values_of(to.contents());
}

float upper_half(std::uint32_t bits) { return std::bit_cast<float>(bits & 0xFFFF0000u); }

TEST(RoundingTest, TheGeneratorIsPhilox) {
  // The known answers that its authors publish.
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RoundingTest, NearestIsTheNearest) {
  RandomInputs random;
  for (const std::int64_t count : {1, 2, 3, 4, 5, 97, 127, 129, 255, 2049}) {
    std::vector<float> numbers;
    for (const int bits : random.integers(count, 0x7F800000)) {
      numbers.push_back((bits % 2 == 0 ? 1.0f : -1.0f) *
                        std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    if (count > 90) {  // two ties, and what has no neighbour
      numbers[0] = std::bit_cast<float>(0x3F808000u);
      numbers[1] = std::bit_cast<float>(0x3F818000u);
      numbers[2] = kLargest;
      numbers[3] = -kInfinity;
    }
    std::vector<float> expected;
    for (const float number : numbers) {
      const auto bits = std::bit_cast<std::uint32_t>(number);
      expected.push_back(upper_half(bits + 0x7FFF + (bits >> 16 & 1)));
    }
    EXPECT_TRUE(bits_equal(to_nearest(numbers), expected)) << count;
  }
  EXPECT_TRUE(std::isnan(to_nearest({std::bit_cast<float>(0x7F800001u)})[0]));
}

TEST(RoundingTest, ANumberGoesUpWhereItsDiceSaySo) {
  RandomInputs random;
  for (const std::int64_t count : {1, 3, 97, 131, 259, 4101}) {
    for (const auto& [seed, step] :
         {std::pair<std::uint64_t, std::int64_t>(0, 0), {0xa4093822299f31d0, 0x12345678901}}) {
      const std::vector<int> upper = random.integers(count, 0x7F7F, 1);
      std::vector<float> just_up, just_not, expected_up, expected_not;
      for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t dice = dice_of(static_cast<std::uint64_t>(i), seed, step);
        const std::uint32_t low = static_cast<std::uint32_t>(upper[static_cast<std::size_t>(i)])
                                  << 16;
        const std::uint32_t sign = i % 3 == 0 ? 0x80000000u : 0;
        const std::uint32_t enough = std::min(0x10000 - dice, 0xFFFFu);  // 0 can never do
        just_up.push_back(std::bit_cast<float>(sign | low | enough));
        expected_up.push_back(std::bit_cast<float>(sign | (low + (dice > 0 ? 0x10000 : 0))));
        just_not.push_back(std::bit_cast<float>(sign | low | (0xFFFF - dice)));
        expected_not.push_back(std::bit_cast<float>(sign | low));
      }
      EXPECT_TRUE(bits_equal(at_random(just_up, seed, step), expected_up)) << count;
      EXPECT_TRUE(bits_equal(at_random(just_not, seed, step), expected_not)) << count;
    }
  }
}

TEST(RoundingTest, TheExpectationIsTheNumber) {
  // 65,536 throws with a fixed seed; five standard deviations of their mean.
  constexpr int kThrows = 1 << 16;
  const float below = 1.5f, above = 1.5078125f;
  for (const float part : {0.03125f, 0.3f, 0.5f, 0.9f}) {
    const float number = -(below + part * (above - below));
    const double exact_part = (-double{number} - below) / (double{above} - below);
    const double deviation = std::sqrt(exact_part * (1 - exact_part) / kThrows);
    for (const std::int64_t step : {1, 2}) {
      int ups = 0;
      for (const float rounded : at_random(std::vector<float>(kThrows, number), 7, step)) {
        ASSERT_TRUE(rounded == -below || rounded == -above) << rounded;
        ups += rounded == -above;
      }
      EXPECT_NEAR(ups / double{kThrows}, exact_part, 5 * deviation);
    }
  }
}

TEST(RoundingTest, WhatIsExactStaysAndNothingBecomesInfinite) {
  const std::vector<float> exact = {
      0.0f,           -0.0f,         1.0f,
      -3.140625f,     kLargestShort, -kLargestShort,
      kInfinity,      -kInfinity,    std::bit_cast<float>(0x00010000u),
      1e-20f - 1e-20f};
  std::vector<float> numbers, expected;
  for (int i = 0; i < 200; ++i) {
    numbers.insert(numbers.end(), exact.begin(), exact.end());
    expected.insert(expected.end(), exact.begin(), exact.end());
    numbers.push_back(kLargest);
    expected.push_back(kLargestShort);
    numbers.push_back(-kLargest);
    expected.push_back(-kLargestShort);
  }
  EXPECT_TRUE(bits_equal(at_random(numbers, 3, 4), expected));
  for (const std::uint32_t nan : {0x7F800001u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0xFF80FFFFu}) {
    EXPECT_TRUE(std::isnan(at_random({std::bit_cast<float>(nan)}, 3, 4)[0])) << nan;
  }
}

TEST(RoundingTest, TheDiceAreThoseOfSeedAndStep) {
  RandomInputs random;
  const std::vector<float> numbers = random.numbers(4096);
  const std::vector<float> once = at_random(numbers, 11, 5);
  EXPECT_TRUE(bits_equal(once, at_random(numbers, 11, 5)));
  EXPECT_FALSE(bits_equal(once, at_random(numbers, 11, 6)));
  EXPECT_FALSE(bits_equal(once, at_random(numbers, 12, 5)));
}

}  // namespace
}  // namespace andrea
