// Arithmetic, comparisons and functions of half and bfloat16: every result is the exact one rounded
// once. The same tests run for both formats.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "exact.h"

namespace {

using exact::Mode;
using exact::sign_of_sum;

struct Half {
  using Real = __half;
  using Pair = __half2;
  static const exact::Format& format() { return exact::kHalf; }
  static Real real(unsigned bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
  static unsigned bits(Real x) { return __half_as_ushort(x); }
  static Pair pair(Real x, Real y) { return __halves2half2(x, y); }
};

struct Bfloat16 {
  using Real = __nv_bfloat16;
  using Pair = __nv_bfloat162;
  static const exact::Format& format() { return exact::kBfloat16; }
  static Real real(unsigned bits) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
  }
  static unsigned bits(Real x) { return __bfloat16_as_ushort(x); }
  static Pair pair(Real x, Real y) { return __halves2bfloat162(x, y); }
};

template <typename Type>
class Float16Arithmetic : public testing::Test {
 protected:
  static double value(unsigned bits) { return Type::format().of(bits); }

  // What x + y must be, exact even where no double holds the sum.
  static unsigned sum(double x, double y) {
    const double rough = x + y;
    if (!std::isfinite(rough) || rough == 0) {
      return exact::round(Type::format(), Mode::nearest, rough);
    }
    const int sign = rough > 0 ? 1 : -1;
    return exact::round(Type::format(), Mode::nearest, sign < 0, [&](double t) {
      return sign * sign_of_sum({x, y, -sign * t});
    });
  }

  static unsigned quotient(double x, double y) {
    const double rough = x / y;
    if (!std::isfinite(rough) || rough == 0) {
      return exact::round(Type::format(), Mode::nearest, rough);
    }
    // t * y is exact: a halfway point has at most 12 bits.
    return exact::round(Type::format(), Mode::nearest, rough < 0, [&](double t) {
      const double product = t * std::fabs(y);
      return std::fabs(x) > product ? 1 : std::fabs(x) < product ? -1 : 0;
    });
  }

  static void check_binary(unsigned a, unsigned b) {
    const double x = value(a);
    const double y = value(b);
    const auto p = Type::real(a);
    const auto q = Type::real(b);
    const auto message = [&] {
      return testing::PrintToString(x) + ", " + testing::PrintToString(y);
    };
    ASSERT_EQ(Type::bits(__hadd(p, q)), sum(x, y)) << message();
    ASSERT_EQ(Type::bits(p - q), sum(x, -y)) << message();
    ASSERT_EQ(Type::bits(__hmul_rn(p, q)), exact::round(Type::format(), Mode::nearest, x * y))
        << message();
    ASSERT_EQ(Type::bits(p / q), quotient(x, y)) << message();
  }

  static void check_fused(unsigned a, unsigned b, unsigned c) {
    const double product = value(a) * value(b);  // exact
    ASSERT_EQ(Type::bits(__hfma(Type::real(a), Type::real(b), Type::real(c))),
              sum(product, value(c)))
        << value(a) << " * " << value(b) << " + " << value(c);
  }
};

using Types = testing::Types<Half, Bfloat16>;
TYPED_TEST_SUITE(Float16Arithmetic, Types);

TYPED_TEST(Float16Arithmetic, RandomPairs) {
  std::mt19937 random(3);
  for (int i = 0; i < 300000; ++i) {
    const unsigned bits = random();
    this->check_binary(bits & 0xffff, bits >> 16);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(Float16Arithmetic, BordersOfTheFormat) {
  const unsigned infinity = TypeParam::format().infinity();
  std::vector<unsigned> patterns;
  for (const unsigned sign : {0u, 0x8000u}) {
    for (const unsigned magnitude :
         {0u, 1u, 2u, 3u, 0x7fu, 0x80u, 0x81u, 0x3ffu, 0x400u, 0x401u, infinity / 2,
          infinity / 2 + 1, infinity - 2, infinity - 1, infinity, infinity + 1, 0x7fffu}) {
      patterns.push_back(sign | magnitude);
    }
  }
  for (const unsigned a : patterns) {
    for (const unsigned b : patterns) {
      this->check_binary(a, b);
      for (const unsigned c : patterns) this->check_fused(a, b, c);
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(Float16Arithmetic, FusedMultiplyAddRoundsOnce) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 300000; ++i) {
    const unsigned long long bits = random();
    this->check_fused(bits & 0xffff, (bits >> 16) & 0xffff, (bits >> 32) & 0xffff);
    if (this->HasFatalFailure()) return;
  }
  // Products that are ties of the format, moved off them by an addend of any size: in double the
  // sum of the two is often the tie again.
  const auto& format = TypeParam::format();
  const auto one = TypeParam::bits(typename TypeParam::Real(1.0f));
  int ties = 0;
  for (int i = 0; i < 400000; ++i) {
    const unsigned a = one + random() % 0x80;
    const unsigned b = one + random() % 0x80;
    const double product = this->value(a) * this->value(b);
    const unsigned rounded = exact::round(format, Mode::zero, product);
    if (product * 2 != format.value(rounded) + format.value(rounded + 1)) continue;
    ++ties;
    this->check_fused(a, b, random() & 0xffff);
    this->check_fused(a, b | 0x8000, random() % one);
    this->check_fused(a, b, 1 + random() % 3);
    if (this->HasFatalFailure()) return;
  }
  EXPECT_GT(ties, 100);
}

TYPED_TEST(Float16Arithmetic, FunctionsOfEveryPattern) {
  const auto& format = TypeParam::format();
  for (unsigned pattern = 0; pattern < 65536; ++pattern) {
    const auto h = TypeParam::real(pattern);
    const long double x = format.of(pattern);
    // The reference is computed in long double and rounded to double first. A result within a
    // double's rounding of a tie would be judged wrongly; there is none.
    const auto check = [&](const char* name, typename TypeParam::Real result,
                           long double expected) {
      ASSERT_EQ(TypeParam::bits(result),
                exact::round(format, Mode::nearest, static_cast<double>(expected)))
          << name << "(" << x << ")";
    };
    check("hsqrt", hsqrt(h), std::sqrt(x));
    check("hrsqrt", hrsqrt(h), 1 / std::sqrt(x));
    check("hrcp", hrcp(h), 1 / x);
    check("hexp", hexp(h), std::exp(x));
    check("hexp2", hexp2(h), std::exp2(x));
    check("hexp10", hexp10(h), std::pow(10.0L, x));
    check("hlog", hlog(h), std::log(x));
    check("hlog2", hlog2(h), std::log2(x));
    check("hlog10", hlog10(h), std::log10(x));
    check("hsin", hsin(h), std::sin(x));
    check("hcos", hcos(h), std::cos(x));
    check("htanh", htanh(h), std::tanh(x));
    check("htrunc", htrunc(h), std::trunc(x));
    check("hceil", hceil(h), std::ceil(x));
    check("hfloor", hfloor(h), std::floor(x));
    check("hrint", hrint(h), std::nearbyint(x));
    if (this->HasFatalFailure()) return;
    ASSERT_EQ(TypeParam::bits(__hneg(h)), pattern ^ 0x8000);
    ASSERT_EQ(TypeParam::bits(__habs(h)), pattern & 0x7fff);
    ASSERT_EQ(__hisnan(h), std::isnan(x));
    ASSERT_EQ(__hisinf(h), std::isinf(x) ? (x > 0 ? 1 : -1) : 0);
  }
}

TYPED_TEST(Float16Arithmetic, ComparisonsOfPairsAndNumbers) {
  using Real = typename TypeParam::Real;
  const Real nan = TypeParam::real(0x7fff);
  const Real numbers[] = {Real(-1.0f), TypeParam::real(0x8000), Real(0.0f), Real(2.0f), nan};
  for (const Real a : numbers) {
    for (const Real b : numbers) {
      const float x = static_cast<float>(a);
      const float y = static_cast<float>(b);
      const bool unordered = std::isnan(x) || std::isnan(y);
      EXPECT_EQ(__heq(a, b), x == y);
      EXPECT_EQ(__hne(a, b), x != y && !unordered);
      EXPECT_EQ(__hle(a, b), x <= y);
      EXPECT_EQ(__hge(a, b), x >= y);
      EXPECT_EQ(__hlt(a, b), x < y);
      EXPECT_EQ(__hgt(a, b), x > y);
      EXPECT_EQ(__hequ(a, b), x == y || unordered);
      EXPECT_EQ(__hneu(a, b), x != y || unordered);
      EXPECT_EQ(__hleu(a, b), x <= y || unordered);
      EXPECT_EQ(__hgeu(a, b), x >= y || unordered);
      EXPECT_EQ(__hltu(a, b), x < y || unordered);
      EXPECT_EQ(__hgtu(a, b), x > y || unordered);
      EXPECT_EQ(a == b, x == y);
      EXPECT_EQ(a != b, x != y);
      EXPECT_EQ(a < b, x < y);
      const auto pair = TypeParam::pair(a, Real(1.0f));
      const auto other = TypeParam::pair(b, Real(2.0f));
      EXPECT_EQ(__hlt2_mask(pair, other), (x < y ? 0xffffu : 0u) | 0xffff0000u);
      EXPECT_EQ(__hblt2(pair, other), x < y);
      EXPECT_EQ(pair < other, x < y);
      EXPECT_EQ(__hbeq2(pair, pair), !std::isnan(x));
      EXPECT_EQ(__low2float(__hgtu2(pair, other)), x > y || unordered ? 1.0f : 0.0f);
      EXPECT_EQ(__high2float(__hgtu2(pair, other)), 0.0f);
      // Both halves must differ.
      EXPECT_EQ(pair != other, x != y || unordered);
      EXPECT_FALSE(pair != TypeParam::pair(b, Real(1.0f)));
    }
  }
}

TYPED_TEST(Float16Arithmetic, MaximumMinimumSaturation) {
  using Real = typename TypeParam::Real;
  const Real nan = TypeParam::real(0xffff);
  const Real zero(0.0f), minus_zero = TypeParam::real(0x8000), one(1.0f), two(2.0f);
  EXPECT_EQ(TypeParam::bits(__hmax(nan, one)), TypeParam::bits(one));
  EXPECT_EQ(TypeParam::bits(__hmin(one, nan)), TypeParam::bits(one));
  EXPECT_EQ(TypeParam::bits(__hmax(nan, nan)), 0x7fffu);
  EXPECT_EQ(TypeParam::bits(__hmax_nan(nan, one)), 0x7fffu);
  EXPECT_EQ(TypeParam::bits(__hmin_nan(one, nan)), 0x7fffu);
  EXPECT_EQ(TypeParam::bits(__hmax(minus_zero, zero)), 0u);
  EXPECT_EQ(TypeParam::bits(__hmax(zero, minus_zero)), 0u);
  EXPECT_EQ(TypeParam::bits(__hmin(zero, minus_zero)), 0x8000u);
  EXPECT_EQ(TypeParam::bits(__hmin(minus_zero, zero)), 0x8000u);
  EXPECT_EQ(__hmax(one, two), two);
  EXPECT_EQ(__hmin_nan(one, two), one);
  EXPECT_EQ(__hadd_sat(one, two), one);
  EXPECT_EQ(TypeParam::bits(__hsub_sat(one, two)), 0u);
  EXPECT_EQ(TypeParam::bits(__hmul_sat(nan, two)), 0u);
  EXPECT_EQ(__hfma_sat(two, two, one), one);
  EXPECT_EQ(TypeParam::bits(__hfma_relu(two, __hneg(two), one)), 0u);
  EXPECT_EQ(__hfma_relu(two, two, one), Real(5.0f));
  EXPECT_EQ(TypeParam::bits(__hfma_relu(nan, two, one)), 0x7fffu);
}

TYPED_TEST(Float16Arithmetic, OperatorsAndComplexProduct) {
  using Real = typename TypeParam::Real;
  using Pair = typename TypeParam::Pair;
  Real x(3.0f);
  x += Real(1.0f);
  x *= Real(2.0f);
  x -= Real(2);
  x /= Real(3.0);
  EXPECT_EQ(static_cast<float>(x), 2.0f);
  EXPECT_EQ(static_cast<float>(x++), 2.0f);
  EXPECT_EQ(static_cast<float>(--x), 2.0f);
  EXPECT_EQ(static_cast<float>(-x), -2.0f);
  Pair p = TypeParam::pair(Real(1.0f), Real(2.0f));
  p = p * p + p;
  EXPECT_EQ(__low2float(p), 2.0f);
  EXPECT_EQ(__high2float(p), 6.0f);
  EXPECT_EQ(__high2float(++p), 7.0f);
  // (1 + 2i) (3 + 4i) + (5 + 6i) = 16i
  const Pair result = __hcmadd(TypeParam::pair(Real(1), Real(2)), TypeParam::pair(Real(3), Real(4)),
                               TypeParam::pair(Real(5), Real(6)));
  EXPECT_EQ(__low2float(result), 0.0f);
  EXPECT_EQ(__high2float(result), 16.0f);
}

}  // namespace
