// File: number_text.h
//
// Numbers as people read them: thousands separated by commas, only as many digits as tell
// something, powers of ten in superscript rather than "e-05".

#ifndef ANDREA_TRAINER_REPORT_NUMBER_TEXT_H_
#define ANDREA_TRAINER_REPORT_NUMBER_TEXT_H_

#include <cstdint>
#include <string>

namespace andrea {

// "1,234,567"
std::string integer_text(std::int64_t value);

// With that many digits after the point: decimal_text(1234.5, 2) is "1,234.50".
std::string decimal_text(double value, int decimals);

// Rounded to that many significant digits, without closing zeros: significant_text(0.06250, 3) is
// "0.0625", of 123456 it is "123,456" (whole digits are never dropped), of 0.00000314159 it is
// "3.14 × 10⁻⁶". Not finite: "not a number", "infinity", "−infinity".
std::string significant_text(double value, int digits = 4);

// "48.2 s", "2 min 3 s", "3 h 4 min", "2 days 5 h"
std::string duration_text(double seconds);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_NUMBER_TEXT_H_
