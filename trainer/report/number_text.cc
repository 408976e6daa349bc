#include "trainer/report/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "trainer/base/error.h"

namespace andrea {
namespace {

// From here on, and below 10^-5, a number is written with a power of ten.
constexpr double kLargestPlain = 1e15;
constexpr int kMostDecimals = 5;

std::string superscript(int number) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string raised;
  for (const char character : std::to_string(number)) {
    raised += character == '-' ? "⁻" : kDigits[character - '0'];
  }
  return raised;
}

std::string printed(const char* format, int precision, double value) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, format, precision, value);
  return buffer;
}

void drop_closing_zeros(std::string& number) {
  if (number.find('.') == std::string::npos) return;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
}

// Puts the commas into a plain decimal number, and a real minus sign before it.
std::string separated(std::string number) {
  const bool negative = number.front() == '-';
  const std::size_t first = negative ? 1 : 0;
  std::size_t position = std::min(number.find('.'), number.size());
  while (position > first + 3) number.insert(position -= 3, ",");
  return negative ? "−" + number.substr(1) : number;
}

std::string power_of_ten_text(double value, int digits) {
  std::string mantissa = printed("%.*e", digits - 1, value);
  const std::size_t mark = mantissa.find('e');
  const int exponent = std::stoi(mantissa.substr(mark + 1));
  mantissa.erase(mark);
  drop_closing_zeros(mantissa);
  const std::string power = "10" + superscript(exponent);
  return mantissa == "1" ? power : separated(mantissa) + " × " + power;
}

}  // namespace

std::string integer_text(std::int64_t value) { return separated(std::to_string(value)); }

std::string decimal_text(double value, int decimals) {
  return separated(printed("%.*f", decimals, value));
}

std::string significant_text(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "infinity" : "−infinity";
  if (value == 0) return "0";

  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (std::abs(value) >= kLargestPlain || exponent < -kMostDecimals) {
    return power_of_ten_text(value, digits);
  }
  std::string number = printed("%.*f", std::max(0, digits - 1 - exponent), value);
  drop_closing_zeros(number);
  return separated(number);
}

std::string duration_text(double seconds) {
  if (seconds < 59.95) return decimal_text(seconds, 1) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  const std::int64_t minutes = whole / 60, hours = minutes / 60, days = hours / 24;
  if (hours == 0) return text(minutes, " min ", whole % 60, " s");
  if (days == 0) return text(hours, " h ", minutes % 60, " min");
  return text(integer_text(days), days == 1 ? " day " : " days ", hours % 24, " h");
}

}  // namespace andrea
