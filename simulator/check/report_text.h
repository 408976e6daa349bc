// File: report_text.h
//
// Words that the checker's sentences have in common.

#ifndef ANDREA_SIMULATOR_CHECK_REPORT_TEXT_H_
#define ANDREA_SIMULATOR_CHECK_REPORT_TEXT_H_

#include <cstdint>
#include <string>

namespace simulator {

// "1 byte", "2 bytes"
inline std::string count(std::uint64_t number, const std::string& thing) {
  return std::to_string(number) + ' ' + thing + (number == 1 ? "" : "s");
}

// "writes 4 bytes"
inline std::string did(bool write, unsigned bytes) {
  return (write ? "writes " : "reads ") + count(bytes, "byte");
}

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_REPORT_TEXT_H_
