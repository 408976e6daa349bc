#include "trainer/report/axis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "trainer/report/number_text.h"

namespace andrea {
namespace {

// The distance between ticks: 1, 2 or 5 times a power of ten, so large that the range has at most
// that many of them.
struct TickStep {
  double mantissa;
  int exponent;

  // Divides by a power of ten where it can: that is exact up to 10^22, and 3 / 10 is the double
  // next to 0.3, which 3 * 0.1 is not.
  double times(double count) const {
    const double power = std::pow(10.0, std::abs(exponent));
    return exponent < 0 ? count * mantissa / power : count * mantissa * power;
  }
};

TickStep tick_step(double range, int at_most) {
  // One tick more than intervals may fall into the range.
  const double least = range / std::max(1, at_most - 1);
  const int exponent = static_cast<int>(std::floor(std::log10(least)));
  for (const double mantissa : {1.0, 2.0, 5.0}) {
    const TickStep step{mantissa, exponent};
    if (step.times(1) >= least * (1 - 1e-9)) return step;
  }
  return {1.0, exponent + 1};
}

std::string tick_label(double value, const TickStep& step) {
  if (value == 0) return "0";
  const bool plain = step.exponent >= -5 && std::abs(value) < 1e12;
  return plain ? decimal_text(value, std::max(0, -step.exponent)) : significant_text(value, 3);
}

std::vector<Tick> linear_ticks(double low, double high, int at_most, bool whole) {
  TickStep step = tick_step(high - low, at_most);
  if (whole && step.exponent < 0) step = {1.0, 0};
  const double unit = step.times(1), slack = (high - low) * 1e-9;
  std::vector<Tick> ticks;
  const auto last = static_cast<std::int64_t>(std::floor((high + slack) / unit));
  for (auto i = static_cast<std::int64_t>(std::ceil((low - slack) / unit)); i <= last; ++i) {
    const double value = step.times(static_cast<double>(i));
    ticks.push_back({value, tick_label(value, step)});
  }
  return ticks;
}

// The numbers mantissa * 10^k of the range, for every k that `stride` divides.
std::vector<double> decade_numbers(double low, double high, std::initializer_list<double> mantissas,
                                   int stride) {
  std::vector<double> numbers;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % stride != 0) continue;
    for (const double mantissa : mantissas) {
      const double number = TickStep{1.0, exponent}.times(mantissa);
      if (number >= low * (1 - 1e-9) && number <= high * (1 + 1e-9)) numbers.push_back(number);
    }
  }
  return numbers;
}

// The densest choice of such numbers that has at most that many.
std::vector<double> fitting_numbers(double low, double high, std::size_t at_most) {
  for (const auto& mantissas :
       {std::initializer_list<double>{1, 2, 3, 4, 5, 6, 7, 8, 9},
        std::initializer_list<double>{1, 2, 3, 5, 7}, std::initializer_list<double>{1, 2, 5},
        std::initializer_list<double>{1, 3}}) {
    std::vector<double> numbers = decade_numbers(low, high, mantissas, 1);
    if (numbers.size() <= at_most) return numbers;
  }
  for (int stride = 1;; ++stride) {
    std::vector<double> numbers = decade_numbers(low, high, {1.0}, stride);
    if (numbers.size() <= at_most) return numbers;
  }
}

std::vector<Tick> logarithmic_ticks(double low, double high, int at_most, bool whole) {
  const auto numbers = fitting_numbers(low, high, static_cast<std::size_t>(at_most));
  if (numbers.size() < 3) return linear_ticks(low, high, at_most, whole);
  std::vector<Tick> ticks;
  for (const double number : numbers) ticks.push_back({number, significant_text(number, 3)});
  return ticks;
}

}  // namespace

Axis::Axis(Scale scale, double low, double high) : scale_(scale), low_(low), high_(high) {
  if (scale_ == Scale::logarithmic) {
    if (high_ < low_ * 1.001) {
      low_ /= 2;
      high_ *= 2;
    }
    return;
  }
  // Closer than this, doubles between the ends would be too few to tell ticks apart.
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (high_ - low_ <= size * 1e-9) {
    const double margin = size == 0 ? 1 : size / 2;
    if (low_ != 0) low_ -= margin;
    high_ += margin;
  }
}

double Axis::position(double value) const {
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  if (scale_ == Scale::linear) return (value - low_) / (high_ - low_);
  if (value <= 0) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / low_) / std::log(high_ / low_);
}

std::vector<Tick> Axis::ticks(int at_most, bool whole) const {
  return scale_ == Scale::linear ? linear_ticks(low_, high_, at_most, whole)
                                 : logarithmic_ticks(low_, high_, at_most, whole);
}

double round_down_to_tick(double low, double high, int ticks) {
  const Axis axis(Scale::linear, low, high);
  const double unit = tick_step(axis.high() - axis.low(), ticks).times(1);
  return std::floor(axis.low() / unit) * unit;
}

}  // namespace andrea
