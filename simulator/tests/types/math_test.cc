// Minimum and maximum, and the accuracy of functions against long double: the bounds are the
// maximum errors in units in the last place of the CUDA C++ Programming Guide, "Mathematical
// Functions".

#include "simulator/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace {

// As in many programs: CUDA's overloads must win, or at least not clash.
using namespace std;

TEST(MinMax, OverloadsOfCuda) {
  static_assert(is_same_v<decltype(max(1, 2)), int>);
  static_assert(is_same_v<decltype(max(1, 2u)), unsigned>);
  static_assert(is_same_v<decltype(min(1l, 2ul)), unsigned long>);
  static_assert(is_same_v<decltype(min(1ll, 2ll)), long long>);
  static_assert(is_same_v<decltype(max(1.0f, 2.0)), double>);
  static_assert(is_same_v<decltype(max(1.0f, 2.0f)), float>);
  EXPECT_EQ(max(-1, 2), 2);
  EXPECT_EQ(min(-1, 2u), 2u) << "compared as unsigned";
  EXPECT_EQ(max(-1ll, 2ll), 2);
  EXPECT_EQ(umin(3, 4), 3u);
  EXPECT_EQ(llmax(-3, -4), -3);
  EXPECT_EQ(ullmax(3, ~0ull), ~0ull);
  const short a = 3, b = 4;
  EXPECT_EQ(max(a, b), 4);
  EXPECT_EQ(std::max(1.5f, 2.5f), 2.5f);
}

TEST(MinMax, NanAndZeros) {
  volatile float nan = NAN;
  volatile float zero = 0.0f;
  EXPECT_EQ(max(nan, 1.0f), 1.0f);
  EXPECT_EQ(min(1.0f, nan), 1.0f);
  EXPECT_EQ(fmaxf(nan, 1.0f), 1.0f);
  EXPECT_EQ(fmin(2.0, static_cast<double>(nan)), 2.0);
  EXPECT_TRUE(isnan(fmaxf(nan, nan)));
  EXPECT_FALSE(signbit(fmaxf(-zero, zero)));
  EXPECT_FALSE(signbit(fmaxf(zero, -zero)));
  EXPECT_TRUE(signbit(fminf(zero, -zero)));
  EXPECT_TRUE(signbit(fminf(-zero, zero)));
  EXPECT_EQ(__saturatef(2.0f), 1.0f);
  EXPECT_EQ(__saturatef(nan), 0.0f);
  EXPECT_EQ(__saturatef(0.25f), 0.25f);
}

// The distance of a result from the exact value, in units in the last place of the result's type.
template <typename Number>
long double ulps(Number result, long double exact) {
  const Number nearest = static_cast<Number>(exact);
  if (result == nearest || (isnan(result) && isnan(nearest))) return 0;
  if (!isfinite(result) || !isfinite(nearest)) return HUGE_VALL;
  int exponent;
  frexp(exact, &exponent);
  const int digits = numeric_limits<Number>::digits;
  const int lowest = numeric_limits<Number>::min_exponent - digits;
  return fabs(result - exact) / ldexp(1.0L, max(exponent - digits, lowest));
}

// The largest error over `count` arguments spread evenly between two ends.
template <typename Number, typename Function, typename Exact>
long double worst(Number low, Number high, Function function, Exact exact, int count = 20000) {
  long double largest = 0;
  for (int i = 0; i <= count; ++i) {
    const Number x = low + (high - low) * (static_cast<Number>(i) / static_cast<Number>(count));
    largest = fmax(largest, ulps(function(x), exact(static_cast<long double>(x))));
  }
  return largest;
}

#define FLOAT(name) [](float x) { return name(x); }
#define DOUBLE(name) [](double x) { return name(x); }
#define EXACT(formula) [](long double x) -> long double { return formula; }

constexpr long double kPi = 3.14159265358979323846264338327950288L;

// sin(pi x) by the distance to the nearest whole number, so that zeros are exact.
long double sine_of_pi(long double x) {
  const long double whole = nearbyint(x);
  const long double sine = sin(kPi * (x - whole));
  return fmod(whole, 2.0L) == 0 ? sine : -sine;
}

TEST(Accuracy, FunctionsOfFloat) {
  EXPECT_LE(worst(-100.0f, 88.0f, FLOAT(expf), EXACT(exp(x))), 2);
  EXPECT_LE(worst(-40.0f, 38.0f, FLOAT(exp10f), EXACT(pow(10.0L, x))), 2);
  EXPECT_LE(worst(-9.0f, 9.0f, FLOAT(tanhf), EXACT(tanh(x))), 2);
  EXPECT_LE(worst(-4.0f, 4.0f, FLOAT(erff), EXACT(erf(x))), 2);
  EXPECT_LE(worst(1e-3f, 1e4f, FLOAT(rsqrtf), EXACT(1 / sqrt(x)), 1000000), 2);
  EXPECT_LE(worst(-1e3f, 1e3f, FLOAT(rcbrtf), EXACT(1 / cbrt(x))), 1);
  EXPECT_LE(worst(-2.0f, 2.0f, FLOAT(sinpif), EXACT(sine_of_pi(x))), 2);
  EXPECT_LE(worst(-2.0f, 2.0f, FLOAT(cospif), EXACT(sine_of_pi(x + 0.5L))), 2);
  EXPECT_LE(worst(-14.0f, 14.0f, FLOAT(normcdff), EXACT(erfc(-x / sqrt(2.0L)) / 2)), 5);
  EXPECT_LE(worst(-9.0f, 40.0f, FLOAT(erfcxf), EXACT(exp(x * x) * erfc(x))), 4);
}

TEST(Accuracy, FunctionsOfDouble) {
  EXPECT_LE(worst(1e-3, 1e4, DOUBLE(rsqrt), EXACT(1 / sqrt(x))), 1);
  EXPECT_LE(worst(-1e3, 1e3, DOUBLE(rcbrt), EXACT(1 / cbrt(x))), 1);
  EXPECT_LE(worst(-2.0, 2.0, DOUBLE(sinpi), EXACT(sine_of_pi(x))), 2);
  EXPECT_LE(worst(-2.0, 2.0, DOUBLE(cospi), EXACT(sine_of_pi(x + 0.5L))), 2);
  EXPECT_LE(worst(-37.0, 8.0, DOUBLE(normcdf), EXACT(erfc(-x / sqrt(2.0L)) / 2)), 5);
  EXPECT_LE(worst(-26.0, 100.0, DOUBLE(erfcx), EXACT(exp(x * x) * erfc(x))), 4)
      << "the series from 50 on agrees with the product, which long double still holds";
}

// Values known from tables, so that a mistake in the formula itself shows.
TEST(Accuracy, KnownValues) {
  EXPECT_LE(ulps(normcdf(-1.0), 0.158655253931457051414767454368L), 5);
  EXPECT_LE(ulps(normcdf(-5.0), 2.866515718791939116737523329e-7L), 5);
  EXPECT_LE(ulps(erfcx(1.0), 0.427583576155807004410750344491L), 4);
  EXPECT_LE(ulps(erfcx(0.5), 0.615690344192925874870793422684L), 4);
  EXPECT_LE(ulps(erfinv(0.5), 0.476936276204469873381418353643L), 5);
  EXPECT_LE(ulps(normcdfinv(0.975), 1.95996398454005423552459443052L), 8);
  EXPECT_LE(ulps(cyl_bessel_i0(1.0), 1.26606587775200833559824462521L), 6);
  EXPECT_LE(ulps(cyl_bessel_i1(1.0), 0.565159103992485027207696027609L), 6);
  EXPECT_EQ(sinpi(0.5), 1.0);
  EXPECT_EQ(cospi(0.5), 0.0);
  EXPECT_EQ(sinpif(1e9f), 0.0f);
  EXPECT_EQ(cospif(16777217.0f), 1.0f);
  EXPECT_EQ(sinpi(-1.5), 1.0);
  EXPECT_TRUE(isnan(sinpi(HUGE_VAL)));
  EXPECT_TRUE(isnan(erfinv(1.5)));
  EXPECT_EQ(erfinvf(-1.0f), -HUGE_VALF);
  EXPECT_EQ(erfcinv(0.0), HUGE_VAL);
  EXPECT_EQ(normcdfinv(0.5), 0.0);
  EXPECT_EQ(erfcx(-30.0), HUGE_VAL);
  EXPECT_EQ(cyl_bessel_i0(HUGE_VAL), HUGE_VAL);
}

// An inverse is judged by what it inverts: the error of y is the miss over the slope.
template <typename Number>
long double inverse_error(Number y, long double miss, long double slope) {
  return ulps(y, y - miss / slope);
}

TEST(Accuracy, InverseErrorFunctions) {
  mt19937_64 random(8);
  const long double root = 2 / sqrt(kPi);
  for (int i = 0; i < 5000; ++i) {
    const double x = ldexp(static_cast<double>(random() >> 11), -53) * (i % 2 == 0 ? 1 : -1);
    const double y = erfinv(x);
    const long double slope = root * exp(-static_cast<long double>(y) * y);
    const long double miss = fabs(x) < 0.5 ? erf(static_cast<long double>(y)) - x
                             : x > 0       ? (1.0L - x) - erfc(static_cast<long double>(y))
                                           : erfc(-static_cast<long double>(y)) - (1.0L + x);
    ASSERT_LE(inverse_error(y, miss, slope), 5) << x;
    ASSERT_LE(
        ulps(erfinvf(static_cast<float>(x)), erfinv(static_cast<double>(static_cast<float>(x)))),
        2);
    // Tails down to 1e-300.
    const double q = pow(10.0, -300.0 * ldexp(static_cast<double>(random() >> 11), -53));
    const long double t = erfcinv(q);
    ASSERT_LE(inverse_error(static_cast<double>(t), q - erfc(t), root * exp(-t * t)), 6) << q;
    const long double z = normcdfinv(q);
    ASSERT_LE(inverse_error(static_cast<double>(z), erfc(-z / sqrt(2.0L)) / 2 - q,
                            exp(-z * z / 2) / sqrt(2 * kPi)),
              8)
        << q;
  }
}

// I_n(x) is the mean of exp(x cos t) cos(n t) over a circle; the trapezoidal rule converges faster
// than any power.
long double bessel_i(int order, long double x) {
  constexpr int kPoints = 400;
  long double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const long double t = 2 * kPi * i / kPoints;
    sum += exp(x * (cos(t) - 1)) * cos(order * t);
  }
  return sum / kPoints * exp(x);
}

TEST(Accuracy, BesselFunctions) {
  for (double x = 0.25; x < 700; x *= 1.1) {
    ASSERT_LE(ulps(cyl_bessel_i0(x), bessel_i(0, x)), 6) << x;
    ASSERT_LE(ulps(cyl_bessel_i1(x), bessel_i(1, x)), 6) << x;
    const float f = static_cast<float>(x);
    if (f < 80) {
      ASSERT_LE(ulps(cyl_bessel_i0f(f), bessel_i(0, f)), 6) << x;
    }
  }
  EXPECT_EQ(cyl_bessel_i1(-2.0), -cyl_bessel_i1(2.0));
}

TEST(Accuracy, Norms) {
  EXPECT_EQ(norm3df(1.0f, 2.0f, 2.0f), 3.0f);
  EXPECT_EQ(rnorm3df(1.0f, 2.0f, 2.0f), 1.0f / 3.0f);
  EXPECT_EQ(norm4d(1e200, 1e200, 1e200, 1e200), 2e200) << "no overflow on the way";
  EXPECT_EQ(norm4df(1e-30f, 1e-30f, 1e-30f, 1e-30f), 2e-30f);
  EXPECT_EQ(norm3d(NAN, HUGE_VAL, 0.0), HUGE_VAL);
  EXPECT_EQ(rnorm3d(NAN, HUGE_VAL, 0.0), 0.0);
  EXPECT_EQ(rhypot(3.0, 4.0), 0.2);
  EXPECT_EQ(rhypotf(3.0f, 4.0f), 0.2f);
  const float v[] = {1, 1, 1, 1, 2, 2, 2};
  EXPECT_EQ(normf(7, v), 4.0f);
  EXPECT_EQ(rnormf(7, v), 0.25f);
  const double w[] = {3e-200, 4e-200};
  EXPECT_DOUBLE_EQ(norm(2, w), 5e-200);
  EXPECT_EQ(rnorm4d(1.0, 1.0, 1.0, 1.0), 0.5);
}

// The guide's bounds for the intrinsics; where it gives an absolute error, that.
TEST(Accuracy, Intrinsics) {
  for (float x = -80; x < 80; x += 0.0371f) {
    ASSERT_LE(ulps(__expf(x), exp(static_cast<long double>(x))), 2 + floor(fabs(1.173 * x)));
  }
  for (float x = -37; x < 38; x += 0.0171f) {
    ASSERT_LE(ulps(__exp10f(x), pow(10.0L, x)), 2 + floor(fabs(2.97 * x)));
  }
  for (float x = 0.01f; x < 1000; x *= 1.001f) {
    const long double wide = x;
    if (x >= 0.5f && x <= 2.0f) {
      ASSERT_LE(fabs(__logf(x) - log(wide)), pow(2.0, -21.41));
      ASSERT_LE(fabs(__log2f(x) - log2(wide)), pow(2.0, -22));
      ASSERT_LE(fabs(__log10f(x) - log10(wide)), pow(2.0, -24));
    } else {
      ASSERT_LE(ulps(__logf(x), log(wide)), 3);
      ASSERT_LE(ulps(__log2f(x), log2(wide)), 2);
      ASSERT_LE(ulps(__log10f(x), log10(wide)), 2);
    }
    ASSERT_LE(ulps(__fdividef(1.0f, x), 1 / wide), 2);
  }
  for (float x = -3.14159f; x < 3.14159f; x += 0.00031f) {
    float sine, cosine;
    __sincosf(x, &sine, &cosine);
    ASSERT_LE(fabs(sine - sin(static_cast<long double>(x))), pow(2.0, -21.41));
    ASSERT_LE(fabs(cosine - cos(static_cast<long double>(x))), pow(2.0, -21.19));
    ASSERT_EQ(sine, __sinf(x));
    ASSERT_EQ(cosine, __cosf(x));
    ASSERT_EQ(__tanf(x), tanf(x));
  }
  // By its definition exp2f(y * log2f(x)), not by powf.
  EXPECT_TRUE(isnan(__powf(-2.0f, 2.0f)));
  EXPECT_EQ(__powf(2.0f, 10.0f), 1024.0f);
}

// Functions that write through pointers, inlined here so that the checker sees the writes.
TEST(Library, ResultsThroughPointers) {
  volatile float x = 8.75f;
  float sine, cosine, whole;
  double sine64, cosine64, whole64;
  int exponent, quotient;
  sincosf(x, &sine, &cosine);
  EXPECT_EQ(sine, sinf(x));
  EXPECT_EQ(cosine, cosf(x));
  sincos(static_cast<double>(x), &sine64, &cosine64);
  EXPECT_EQ(cosine64, cos(8.75));
  EXPECT_EQ(modff(x, &whole), 0.75f);
  EXPECT_EQ(whole, 8.0f);
  EXPECT_EQ(modf(-8.75, &whole64), -0.75);
  EXPECT_EQ(whole64, -8.0);
  EXPECT_EQ(frexpf(x, &exponent), 0.546875f);
  EXPECT_EQ(exponent, 4);
  EXPECT_EQ(remquof(x, 2.0f, &quotient), 0.75f);
  EXPECT_EQ(quotient & 7, 4);
  sincospif(0.5f, &sine, &cosine);
  EXPECT_EQ(sine, 1.0f);
  EXPECT_EQ(cosine, 0.0f);
}

}  // namespace
